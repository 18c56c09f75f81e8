import assert from "node:assert/strict";
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { newId } from "../../../../src/base/ids.ts";
import { sendSignal } from "../../../../src/node/processes/endProcesses.ts";
import { createNodeShadows } from "../../../../src/node/shadow/nodeShadows.ts";
import { bundledScript } from "../../../fakes/bundledScript.ts";
import { comes } from "../../../fakes/comes.ts";
import { tempFolder } from "../../../fakes/workspace/tempFolder.ts";
import {
  needsShadows,
  type ShadowWorkspace,
  shadowsOn,
  shadowWorkspace,
} from "./shadowWorkspace.ts";

const FILES = {
  "a.txt": "a\n",
  "src/b.txt": "b\n",
  "src/c.txt": "c\n",
  ".gitignore": "out/\nnode_modules/\n",
};
const signal = new AbortController().signal;

/** The processes of the machine that have a word in their command line. */
function processesWith(word: string): readonly number[] {
  return fs.readdirSync("/proc").flatMap((name) => {
    if (!/^\d+$/.test(name)) return [];
    try {
      return fs.readFileSync(`/proc/${name}/cmdline`, "utf8").includes(word) ? [Number(name)] : [];
    } catch {
      return [];
    }
  });
}

for (const backend of ["overlay", "copy"] as const) {
  describe(`a shadow of the workspace: ${backend}`, () => {
    let at: ShadowWorkspace["at"];
    let workspace: ShadowWorkspace;
    let run: ShadowWorkspace["run"];
    let proposed: ShadowWorkspace["proposed"];

    before(async function () {
      await needsShadows(this, backend);
    });
    beforeEach(async () => {
      workspace = await shadowWorkspace(FILES, backend);
      ({ at, run, proposed } = workspace);
    });
    afterEach(() => workspace?.remove());

    it("shows commands what is proposed, and the user's files otherwise", async () => {
      const before = workspace.snapshot();
      const { output, changes } = await run(
        [
          proposed("a.txt", "new a\n"),
          proposed("src/new/d.txt", "d\n"),
          proposed("src/c.txt", null),
        ],
        "cat a.txt src/b.txt src/new/d.txt; ls src; pwd; git status --porcelain",
      );
      assert.equal(
        output,
        `new a\nb\nd\nb.txt\nnew\n${workspace.shown()}\n M a.txt\n D src/c.txt\n?? src/new/\n`,
      );
      assert.deepEqual(changes, []);
      assert.deepEqual(workspace.snapshot(), before);
    });

    it("says what a command changed, and changes no file of the user", async () => {
      const before = workspace.snapshot();
      const all = await run(
        [proposed("a.txt", "new a\n")],
        "sed -i s/new/newer/ a.txt; echo x > x.txt; rm src/c.txt; mkdir -p out node_modules/y; echo 1 > out/o; echo 2 > node_modules/y/z; printf '\\0' > bin",
      );
      assert.deepEqual(workspace.textsOf(all), {
        "a.txt": "newer a\n",
        "x.txt": "x\n",
        "src/c.txt": null,
      });
      assert.deepEqual(all.unshown, [at("bin")]);
      assert.deepEqual(workspace.snapshot(), before);
      const next = await run(
        [proposed("a.txt", "newer a\n"), proposed("x.txt", "x\n"), proposed("src/c.txt", null)],
        "cat out/o node_modules/y/z; ls src",
      );
      assert.equal(next.output, "1\n2\nb.txt\n");
      assert.deepEqual(
        { changes: next.changes, unshown: next.unshown },
        { changes: [], unshown: [] },
      );
    });

    it("forgets what was rejected, and what was accepted once the file has it", async () => {
      await run([proposed("a.txt", "new a\n"), proposed("src/c.txt", null)], "echo x > x.txt");
      fs.writeFileSync(at("a.txt"), "new a, and mine\n");
      const { output } = await run([], "cat a.txt; ls . src");
      assert.equal(output, "new a, and mine\n.:\na.txt\nsrc\n\nsrc:\nb.txt\nc.txt\n");
    });

    it("finds what is gone in a folder that was made anew", async () => {
      const all = await run([], "rm -rf src && mkdir src && echo new > src/b.txt");
      assert.deepEqual(workspace.textsOf(all), { "src/b.txt": "new\n", "src/c.txt": null });
      const { output } = await run([proposed("src/b.txt", "new\n")], "ls src; cat src/c.txt");
      assert.equal(output, "b.txt\nc.txt\nc\n");
    });

    it("keeps the line ends, the byte order mark and the mode of a file", async () => {
      fs.writeFileSync(at("a.txt"), "\ufeffa\r\n");
      fs.chmodSync(at("a.txt"), 0o755);
      const { output } = await run(
        [proposed("a.txt", "b\r\n")],
        "od -An -c a.txt | tr -d ' \\n'; test -x a.txt && echo runs",
      );
      assert.equal(output, "357273277b\\r\\nruns\n");
    });

    it("keeps an ignored folder in the workspace where the user wants it, as a whole", async () => {
      fs.mkdirSync(at("node_modules/old"), { recursive: true });
      fs.writeFileSync(at("node_modules/old/index.js"), "old\n");
      fs.writeFileSync(at("node_modules/same.js"), "same\n");
      const made = await run([], "rm -rf node_modules/old; echo new > node_modules/new.js");
      assert.deepEqual(made.ignored, [at("node_modules")]);
      assert.deepEqual((await run([], "echo more > node_modules/more.js")).ignored, []);
      assert.deepEqual(made.ignoredFolders, [{ path: at("node_modules"), isNew: false }]);
      const shadow = workspace.shadows.of("chat");
      const compared = await shadow.compare(at("node_modules"));
      assert.ok(compared.ok);
      const { id: _, ...counts } = compared.value;
      const first = { added: ["more.js", "new.js"], changed: [], removed: ["old/index.js"] };
      assert.deepEqual(counts, { added: 2, changed: 0, removed: 1, first });
      const some = await shadow.keepFolder(at("node_modules"), compared.value, false);
      assert.deepEqual(some, { ok: true, value: 0 });
      assert.equal(fs.readFileSync(at("node_modules/old/index.js"), "utf8"), "old\n");
      // What the user agreed to is another difference.
      const stale = await shadow.keepFolder(at("node_modules"), compared.value, true);
      assert.deepEqual(stale, { ok: false, error: { code: "changed" } });
      const again = await shadow.compare(at("node_modules"));
      assert.ok(again.ok);
      const kept = await shadow.keepFolder(at("node_modules"), again.value, true);
      assert.deepEqual(kept, { ok: true, value: 0 });
      assert.deepEqual(fs.readdirSync(at("node_modules")).sort(), ["more.js", "new.js", "same.js"]);
    });

    it("keeps no folder through a link of the user's, and leaves what the links lead to", async () => {
      fs.mkdirSync(at("own"));
      fs.writeFileSync(at("own/mine.txt"), "mine\n");
      fs.writeFileSync(at("own/same.txt"), "same\n");
      fs.mkdirSync(at("out"));
      fs.symlinkSync("../own", at("out/link"));
      fs.symlinkSync(at("own/same.txt"), at("out/same"));
      fs.writeFileSync(at("out/page.txt"), "user\n");
      await run(
        [],
        "rm out/link; mkdir out/link; echo theirs > out/link/mine.txt; echo built > out/page.txt; chmod +x out/page.txt; ln -s /etc/hostname out/hosts",
      );
      const shadow = workspace.shadows.of("chat");
      const compared = await shadow.compare(at("out"));
      assert.ok(compared.ok);
      const { id: _, ...counts } = compared.value;
      const { first, ...numbers } = counts;
      assert.deepEqual(numbers, { added: 2, changed: 2, removed: 0 });
      assert.deepEqual(first.removed, []);
      assert.equal(first.added.length + first.changed.length, 4);
      fs.writeFileSync(at("out/page.txt"), "user's again\n");
      const stale = await shadow.keepFolder(at("out"), compared.value, true);
      assert.deepEqual(stale, { ok: false, error: { code: "changed" } });
      const again = await shadow.compare(at("out"));
      assert.ok(again.ok);
      const kept = await shadow.keepFolder(at("out"), again.value, false);
      assert.deepEqual(kept, { ok: true, value: 0 });
      assert.equal(fs.readFileSync(at("own/mine.txt"), "utf8"), "mine\n");
      assert.equal(fs.readFileSync(at("out/link/mine.txt"), "utf8"), "theirs\n");
      assert.equal(fs.readFileSync(at("out/page.txt"), "utf8"), "built\n");
      assert.equal(fs.statSync(at("out/page.txt")).mode & 0o111, 0o111);
      assert.equal(fs.readlinkSync(at("out/hosts")), "/etc/hostname");
      assert.equal(fs.readlinkSync(at("out/same")), at("own/same.txt"));
    });

    it("says that a repository changed, not that it was looked at", async () => {
      assert.equal((await run([], "git status; git diff")).repository, false);
      const head = workspace.git("rev-parse", "HEAD");
      const commit = "git -c user.name=a -c user.email=a@b commit -q --allow-empty -m x";
      assert.equal((await run([], commit)).repository, true);
      assert.equal(workspace.git("rev-parse", "HEAD"), head);
    });

    it("does not change the repository around a workspace folder, or the one of a work tree", async () => {
      workspace.git("worktree", "add", "-q", at("tree"));
      for (const folder of [at("src"), at("tree")]) {
        const shadows = await shadowsOn(backend, [folder]);
        const place = await shadows.of("chat").enter([], signal);
        assert.ok(place.ok);
        const before = workspace.snapshot();
        const { file, args, cwd } = place.value.enter({
          file: "/bin/sh",
          args: ["-c", "echo > new; git add -A; git -c user.name=a -c user.email=a@b commit -qm x"],
          cwd: folder,
        });
        assert.equal(spawnSync(file, [...args], { cwd }).status, 0);
        assert.deepEqual(workspace.snapshot(), before);
        await shadows.of("chat").leave();
        await shadows.dispose();
      }
    });

    it("works in a workspace that is opened by a link", async () => {
      const link = `${workspace.root}-link`;
      fs.symlinkSync(workspace.root, link);
      const before = workspace.snapshot();
      const shadows = await shadowsOn(backend, [link]);
      const shadow = shadows.of("chat");
      const uri = pathToFileURL(path.join(link, "a.txt")).href;
      const place = await shadow.enter([{ file: { path: "a.txt", uri }, text: "new\n" }], signal);
      assert.ok(place.ok);
      const { file, args, cwd } = place.value.enter({
        file: "/bin/sh",
        args: ["-c", "cat a.txt; echo more >> a.txt; echo c > src/c.txt"],
        cwd: link,
      });
      assert.equal(spawnSync(file, [...args], { cwd, encoding: "utf8" }).stdout, "new\n");
      const { changes } = await shadow.collect(signal);
      assert.deepEqual(
        changes.map((each) => each.path),
        [path.join(link, "a.txt")],
      );
      await shadow.leave();
      assert.deepEqual(workspace.snapshot(), before);
      await shadows.dispose();
      fs.rmSync(link);
    });

    it("does not follow links that a command puts in the way", async () => {
      const elsewhere = await tempFolder();
      await elsewhere.write("b.txt", "not yours\n");
      await run([], `rm -rf src && ln -s ${elsewhere.root} src`);
      const { output } = await run([proposed("src/b.txt", "new\n")], "cat src/b.txt");
      assert.equal(output, "new\n");
      assert.equal(fs.readFileSync(path.join(elsewhere.root, "b.txt"), "utf8"), "not yours\n");
      await elsewhere.remove();
    });

    for (const isCollected of [true, false])
      it(`takes nothing over through links, ${isCollected ? "where git would wait" : "where nobody looked"}`, async () => {
        const elsewhere = await tempFolder({ "out/mine.txt": "mine\n", "key.bin": "key\n" });
        await run([], "mkdir -p a/out d; echo x > a/out/x; head -c 3000 /dev/zero > d/key.bin");
        const swap = `rm -rf a d; ln -s ${elsewhere.root} a; ln -s ${elsewhere.root} d`;
        if (isCollected) {
          const swapped = await run([], `${swap}; mkfifo .gitattributes`);
          assert.equal(swapped.problem?.code, "git-waits");
        } else {
          const shadow = workspace.shadows.of("chat");
          const place = await shadow.enter([], signal);
          assert.ok(place.ok);
          const shell = { file: "/bin/sh", args: ["-c", swap], cwd: workspace.root };
          const { file, args, cwd } = place.value.enter(shell);
          spawnSync(file, [...args], { cwd });
          await shadow.leave();
        }
        await run([], "true");
        const { output } = await run([], "cd ..; cat */a/out/mine.txt */d/key.bin 2>&1");
        const isCopied = backend === "overlay" && /mine$|key$/m.test(output);
        await workspace.shadows.dispose();
        const left = fs.readdirSync(elsewhere.root, { recursive: true }).toSorted();
        await elsewhere.remove();
        assert.deepEqual([left, isCopied], [["key.bin", "out", "out/mine.txt"], false]);
      });

    it("gives back no ignored folder that went since git would wait", async () => {
      fs.mkdirSync(at("out"));
      fs.writeFileSync(at("out/mine.txt"), "mine\n");
      assert.deepEqual((await run([], "echo x > out/x")).ignored, [at("out")]);
      assert.equal((await run([], "mkfifo .gitattributes")).problem?.code, "git-waits");
      const compared = await workspace.shadows.of("chat").compare(at("out"));
      assert.equal(compared.ok, false);
      assert.deepEqual((await run([], "echo y > out/y")).ignored, [at("out")]);
      assert.ok((await workspace.shadows.of("chat").compare(at("out"))).ok);
    });

    it("proposes nothing for what a link of the user led to, once a folder takes its place", async () => {
      const elsewhere = await tempFolder({ "mine.txt": "mine\n" });
      fs.symlinkSync(elsewhere.root, at("linked"));
      const made = await run([], "rm linked; mkdir linked; echo x > linked/x.txt");
      await elsewhere.remove();
      assert.equal(workspace.textsOf(made)["linked/x.txt"], "x\n");
      assert.equal("linked/mine.txt" in workspace.textsOf(made), false);
    });

    it("says that it did not look into folders that are nested too deep", async () => {
      const nest = (levels: number) =>
        `mkdir -p ${"d/".repeat(levels)}; echo x > ${"d/".repeat(levels)}x.txt`;
      const some = await run([], nest(50));
      assert.deepEqual([some.changes.length, some.truncated], [1, false]);
      const deep = await run([], `rm -rf d; ${nest(120)}`);
      assert.equal(deep.truncated, true);
    });

    it("ignores what the user's own rules for all repositories do", async () => {
      const before = process.env.XDG_CONFIG_HOME;
      const settings = await tempFolder({ "git/ignore": "*.mine\n", rules: "*.named\n" });
      process.env.XDG_CONFIG_HOME = settings.root;
      try {
        const make = "rm -f x.*; echo x > x.mine; echo x > x.named";
        const usual = await run([], make);
        await settings.write(
          "git/config",
          `[core]\n\texcludesFile = ${path.join(settings.root, "rules")}\n`,
        );
        const named = await run([], make);
        assert.deepEqual([usual.ignored, named.ignored], [[at("x.mine")], [at("x.named")]]);
      } finally {
        if (before === undefined) delete process.env.XDG_CONFIG_HOME;
        else process.env.XDG_CONFIG_HOME = before;
        await settings.remove();
      }
    });

    it("leaves what a command in the background changed until that is collected", async () => {
      const shadow = workspace.shadows.of("chat");
      const place = await shadow.enter([proposed("a.txt", "new\n")], signal);
      assert.ok(place.ok);
      const change = place.value.enter({
        file: "/bin/sh",
        args: ["-c", "echo changed > a.txt"],
        cwd: workspace.root,
      });
      spawnSync(change.file, [...change.args], { cwd: change.cwd });
      assert.equal((await run([proposed("a.txt", "new\n")], "cat a.txt")).output, "changed\n");
      await shadow.leave();
    });

    it("is gone with the process that made it, and its files once another one starts", async () => {
      const script = path.join(import.meta.dirname, "heldShadow.ts");
      const mark = newId("held");
      const child = spawn(process.execPath, [bundledScript(script), workspace.root, mark], {
        stdio: ["ignore", "pipe", "inherit"],
        env: { ...process.env, GRAFT_SHADOW: backend },
      });
      const rooms = () => roomsOf(child.pid);
      const [said] = await once(child.stdout, "data");
      assert.equal(`${said}`, "mounted true\n");
      assert.equal(rooms().length, 1);
      const running = () => processesWith(mark).filter((pid) => pid !== child.pid);
      await comes("the processes", () => running().length >= 2);
      child.kill("SIGKILL");
      await once(child, "exit");
      // A copy cannot hold its processes.
      if (backend === "overlay") await comes("their end", () => running().length === 0);
      for (const pid of running()) sendSignal(pid, "SIGKILL");
      const next = createNodeShadows(() => []);
      await comes("the end of its room", () => rooms().length === 0);
      await next.dispose();
      const mounts = `cat /proc/[0-9]*/mounts 2>/dev/null | grep -c -- -${child.pid}-`;
      assert.equal(spawnSync("sh", ["-c", mounts], { encoding: "utf8" }).stdout, "0\n");
    });

    it("ends also where nobody takes note of the end of a killed command", async function () {
      // The machine's first process is that of a container here: it cares only for its own children.
      const alone = ["--user", "--map-root-user", "--pid", "--fork", "--kill-child"];
      const script = path.join(import.meta.dirname, "unreapedShadow.ts");
      const args = [...alone, "--mount-proc", process.execPath, bundledScript(script)];
      const { status, stdout, stderr } = spawnSync("unshare", [...args, workspace.root], {
        ...{ encoding: "utf8", timeout: 60_000, killSignal: "SIGKILL" },
        env: { ...process.env, GRAFT_SHADOW: backend },
      });
      if (stdout === "no shadow\n" || stderr.startsWith("unshare:")) this.skip();
      assert.deepEqual([stdout, status], ["ended\n", 0]);
    });

    it("keeps a file that is too large for a text where commands run, and names it once", async () => {
      fs.writeFileSync(at("large.bin"), Buffer.alloc(6_000_000, "x"));
      const first = await run([], "printf y >> large.bin; tail -c 2 large.bin");
      assert.deepEqual([first.output, first.unshown], ["xy", [at("large.bin")]]);
      const second = await run([], "tail -c 2 large.bin");
      assert.deepEqual([second.output, second.unshown], ["xy", []]);
      assert.equal(fs.statSync(at("large.bin")).size, 6_000_000);
    });

    it("says that the disk is full, changes nothing, and has room again", async function () {
      const small = await tempFolder();
      const mounted = spawnSync("mount", ["-t", "tmpfs", "-o", "size=4m", "tmpfs", small.root]);
      if (mounted.status !== 0) {
        console.log("      no small disk can be mounted here");
        await small.remove();
        this.skip();
      }
      const tight = await shadowWorkspace(FILES, backend, small.root);
      const before = tight.snapshot();
      const proposed = tight.proposed("a.txt", "b\n".repeat(500_000));
      const filled = await tight.run(
        [],
        "mkdir out; head -c 9000000 /dev/zero > out/fill; cat a.txt",
      );
      assert.match(filled.output, /No space left/);
      const full = await tight.shadows.of("chat").enter([proposed], signal);
      assert.equal(full.ok ? null : full.error.code, "disk-full");
      const again = await tight.run([proposed], "wc -l < a.txt; ls");
      assert.equal(again.output, "500000\na.txt\nsrc\n");
      assert.deepEqual(tight.snapshot(), before);
      await tight.remove();
      spawnSync("umount", [small.root]);
      await small.remove();
    });

    it("waits for no pipe that a command made", async () => {
      const made = await run(
        [proposed("a.txt", "new\n")],
        "mkfifo pipe; ln -s a.txt link; rm a.txt; mkfifo a.txt",
      );
      assert.deepEqual(made.unshown.toSorted(), [at("a.txt"), at("link"), at("pipe")]);
      assert.equal((await run([proposed("a.txt", "new\n")], "cat a.txt")).output, "new\n");
    });

    it("names each link that a command makes, changes or removes", async () => {
      fs.symlinkSync("src", at("folder"));
      fs.symlinkSync("nowhere", at("broken"));
      fs.symlinkSync("a.txt", at("text"));
      const before = workspace.snapshot();
      const said = async (command: string) => {
        const { changes, unshown } = await run([], command);
        assert.deepEqual(changes, []);
        return unshown.map((each) => path.relative(workspace.root, each)).toSorted();
      };
      assert.deepEqual(
        await said("rm folder text; ln -sfn a.txt broken; ln -s /etc/hostname made"),
        ["broken", "folder", "made", "text"],
      );
      assert.deepEqual(await said("true"), []);
      assert.deepEqual(workspace.snapshot(), before);
    });

    it("names a link again that leads elsewhere, but none that its maker removed", async () => {
      const shadow = workspace.shadows.of("chat");
      assert.ok((await shadow.enter([], new AbortController().signal)).ok);
      const found: string[] = [];
      for (const command of ["ln -s a.txt made", "ln -sfn src made", "rm made", "true"]) {
        const { changes, unshown } = await run([], command);
        assert.deepEqual(changes, []);
        found.push(unshown.map((each) => path.basename(each)).join());
      }
      await shadow.leave();
      assert.deepEqual(found, ["made", "made", "", ""]);
    });

    it("leaves nothing behind, also of what nobody may read", async () => {
      await run([proposed("a.txt", "new\n")], "mkdir -p x/y; chmod 000 x/y");
      await workspace.shadows.dispose();
      assert.deepEqual(roomsOf(process.pid), []);
    });
  });
}

/** The folders for shadows that a process has. */
function roomsOf(pid: number | undefined): readonly string[] {
  const cache = process.env.XDG_CACHE_HOME ?? path.join(os.homedir(), ".cache");
  const own = `graft-shadows-${process.getuid?.()}`;
  return [path.join(os.tmpdir(), own), path.join(cache, "graft", own)].flatMap((place) =>
    fs.existsSync(place)
      ? fs
          .readdirSync(place)
          .filter((name) => name.startsWith("graft-shadow-") && name.includes(`-${pid}-`))
      : [],
  );
}
