import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import fs from "node:fs";
import path from "node:path";
import { pathToFileURL } from "node:url";
import type { CopyProgress, Shadows } from "../../../../src/ports/commands/shadow.ts";
import { type TempFolder, tempFolder } from "../../../fakes/workspace/tempFolder.ts";
import { needsShadows, shadowsOn } from "./shadowWorkspace.ts";

const signal = new AbortController().signal;

describe("a copy of the workspace", () => {
  let folder: TempFolder;
  let shadows: Shadows;
  const at = (name: string) => path.join(folder.root, name);

  before(async function () {
    await needsShadows(this, "copy");
  });
  beforeEach(async () => {
    folder = await tempFolder();
  });
  afterEach(async () => {
    await shadows?.dispose();
    await folder.remove();
  });

  const open = async (folders: readonly string[], limit?: () => number) => {
    shadows = await shadowsOn("copy", folders, limit);
  };
  /** What a command prints in a folder of the copy. */
  async function run(command: string, cwd = folder.root): Promise<string> {
    const shadow = shadows.of("chat");
    const place = await shadow.enter([], signal);
    assert.ok(place.ok, JSON.stringify(place));
    const entered = place.value.enter({ file: "/bin/sh", args: ["-c", command], cwd });
    const { stdout, stderr } = spawnSync(entered.file, [...entered.args], {
      cwd: entered.cwd,
      env: { ...process.env, ...entered.variables },
      encoding: "utf8",
    });
    await shadow.collect(signal);
    await shadow.leave();
    return stdout + stderr;
  }
  const problemOf = async () => {
    const place = await shadows.of("chat").enter([], signal);
    return place.ok ? null : place.error;
  };
  const git = (cwd: string, ...args: string[]) =>
    spawnSync("git", ["-c", "user.name=a", "-c", "user.email=a@b", ...args], {
      cwd,
      encoding: "utf8",
    }).stdout;

  it("has what the user changed since the last command, and nothing that commands changed", async () => {
    await folder.write("kept.txt", "kept\n");
    await folder.write("edited.txt", "old\n");
    await folder.write("sub/gone.txt", "gone\n");
    await open([folder.root]);
    await run(
      "echo x > kept.txt; echo x > made.txt; mkdir -p sub/more; chmod 000 sub; rm edited.txt",
    );
    fs.writeFileSync(at("edited.txt"), "new\n");
    fs.rmSync(at("sub"), { recursive: true });
    await folder.write("added/a.txt", "added\n");
    assert.equal(
      await run("find * -type f | sort | xargs head"),
      [
        "==> added/a.txt <==\nadded\n",
        "==> edited.txt <==\nnew\n",
        "==> kept.txt <==\nkept\n",
      ].join("\n"),
    );
  });

  it("shows a second command what the user saved while the first one runs", async () => {
    await folder.write("a.txt", "old\n");
    await folder.write("b.txt", "old\n");
    await open([folder.root]);
    const shadow = shadows.of("chat");
    const place = await shadow.enter([], signal);
    assert.ok(place.ok);
    fs.writeFileSync(
      path.join(place.value.enter({ file: "", args: [], cwd: folder.root }).cwd, "b.txt"),
      "ran\n",
    );
    for (const name of ["a.txt", "b.txt"]) fs.writeFileSync(at(name), "saved\n");
    assert.equal(await run("cat a.txt b.txt"), "saved\nran\n");
    await shadow.leave();
    assert.equal(await run("cat a.txt b.txt"), "saved\nsaved\n");
  });

  it("keeps ignored files that commands made, brings in the user's, and keeps modes and times", async () => {
    git(folder.root, "init", "-q");
    await folder.write(".gitignore", "out/\n");
    await folder.write("out/user.txt", "one\n");
    await folder.write("run.sh", "#!/bin/sh\necho ran\n");
    fs.chmodSync(at("run.sh"), 0o755);
    fs.utimesSync(at("run.sh"), 1_000_000_000, 1_000_000_000);
    await open([folder.root]);
    await run("echo built > out/built.txt");
    fs.writeFileSync(at("out/user.txt"), "two\n");
    assert.equal(
      await run("./run.sh; cat out/built.txt out/user.txt; find run.sh ! -newermt 2001-09-10"),
      "ran\nbuilt\ntwo\nrun.sh\n",
    );
  });

  it("follows changes in folders that nobody may write to", async () => {
    await folder.write("closed/a.txt", "one\n");
    fs.chmodSync(at("closed"), 0o555);
    await open([folder.root]);
    assert.equal(await run("stat -c %a closed; cat closed/a.txt"), "555\none\n");
    fs.chmodSync(at("closed"), 0o755);
    fs.writeFileSync(at("closed/a.txt"), "two\n");
    fs.writeFileSync(at("closed/b.txt"), "b\n");
    fs.chmodSync(at("closed"), 0o555);
    assert.equal(await run("stat -c %a closed; cat closed/*"), "555\ntwo\nb\n");
    fs.chmodSync(at("closed"), 0o755);
  });

  it("lets links lead to the copy where they led to the workspace", async () => {
    const elsewhere = await tempFolder();
    await elsewhere.write("out.txt", "outside\n");
    await folder.write("sub/a.txt", "a\n");
    const links = {
      "sub/relative": "a.txt",
      "sub/up": "../sub/a.txt",
      absolute: at("sub/a.txt"),
      "sub/beside": `../../${path.basename(folder.root)}/sub/a.txt`,
      "sub/detour": `${"../".repeat(40)}${at("sub/a.txt").slice(1)}`,
      folder: at("sub"),
      dangling: at("nothing"),
      outside: path.join(elsewhere.root, "out.txt"),
      through: path.join(elsewhere.root, "back/sub/a.txt"),
    };
    fs.symlinkSync(folder.root, path.join(elsewhere.root, "back"));
    for (const [name, target] of Object.entries(links)) fs.symlinkSync(target, at(name));
    await open([folder.root]);
    const inside = Object.keys(links).filter(
      (name) => !["folder", "dangling", "outside"].includes(name),
    );
    assert.equal(
      await run(`cat ${inside.join(" ")} folder/a.txt`),
      "a\n".repeat(inside.length + 1),
    );
    assert.equal(
      await run("cat outside; readlink sub/relative sub/up"),
      "outside\na.txt\n../sub/a.txt\n",
    );
    for (const name of [...inside, "folder/a.txt", "dangling"]) {
      await run(`echo changed > ${name}`);
      assert.equal(fs.readFileSync(at("sub/a.txt"), "utf8"), "a\n", name);
      assert.equal(fs.existsSync(at("nothing")), false, name);
    }
    await elsewhere.remove();
  });

  it("has folders of a workspace beside each other as they are", async () => {
    await folder.write("app/a.txt", "a\n");
    await folder.write("libs/b/b.txt", "b\n");
    fs.symlinkSync("../libs/b/b.txt", at("app/link"));
    await open([at("app"), at("libs/b")]);
    assert.equal(
      await run("cat link ../libs/b/b.txt; echo x > ../libs/b/b.txt", at("app")),
      "b\nb\n",
    );
    assert.equal(fs.readFileSync(at("libs/b/b.txt"), "utf8"), "b\n");
    assert.match(await run("cat ../libs/c.txt", at("app")), /No such file/);
  });

  it("writes through no link that a command puts beside or above it", async () => {
    await folder.write("app/a.txt", "a\n");
    await folder.write("libs/b/b.txt", "b\n");
    await folder.write("libs/b/c.txt", "c\n");
    await open([at("app"), at("libs/b")]);
    const files = () =>
      ["app/a.txt", "libs/b/b.txt", "libs/b/c.txt"].map((name) => fs.statSync(at(name)).ctimeMs);
    const before = files();
    for (const command of [
      `rm -rf ../libs; ln -s ${at("libs")} ../libs`,
      `rm -rf ../libs/b; ln -s ${at("libs/b")} ../libs/b`,
      `rm ../../clock; ln -s ${at("libs/b/c.txt")} ../../clock`,
      `cd ..; here="$PWD"; cd ..; rm -rf "$here"; ln -s ${folder.root} "$here"`,
      "rm -rf ../../../*",
    ]) {
      await run(command, at("app"));
      assert.equal(
        await run("cat a.txt ../libs/b/b.txt ../libs/b/c.txt", at("app")),
        "a\nb\nc\n",
        command,
      );
      assert.deepEqual(files(), before, command);
    }
  });

  it("leaves out pipes, and runs nowhere else for a folder that is not in it", async () => {
    await folder.write("app/a.txt", "a\n");
    spawnSync("mkfifo", [at("app/pipe")]);
    await open([at("app")]);
    assert.equal(await run("ls", at("app")), "a.txt\n");
    const shadow = shadows.of("chat");
    const place = await shadow.enter([], signal);
    assert.ok(place.ok);
    const { value } = place;
    assert.equal(value.at({ path: "..", uri: pathToFileURL(folder.root).href }), null);
    assert.throws(() => value.enter({ file: "/bin/sh", args: [], cwd: folder.root }));
    await shadow.leave();
  });

  it("is in no repository that is not the workspace's", async () => {
    const home = await tempFolder();
    git(home.root, "init", "-q");
    const before = process.env.XDG_CACHE_HOME;
    process.env.XDG_CACHE_HOME = path.join(home.root, "cache");
    await open([folder.root]);
    if (before === undefined) delete process.env.XDG_CACHE_HOME;
    else process.env.XDG_CACHE_HOME = before;
    assert.match(await run("git status"), /not a git repository/);
    await home.remove();
  });

  it("is not made beyond the user's limit, which counts anew once it is changed", async () => {
    await folder.write("big.bin", "x".repeat(3_000_000));
    let limit = 2;
    await open([folder.root], () => limit);
    const problem = await shadows.problem(signal);
    assert.equal(problem?.code, "too-large");
    assert.deepEqual(problem?.size, { bytes: 3_000_000, limit: 2 * 1_048_576 });
    limit = 3;
    assert.equal(await shadows.problem(signal), null);
    assert.equal(await run("wc -c < big.bin"), "3000000\n");
    await folder.write("bigger.bin", "x".repeat(3_000_000));
    assert.equal((await problemOf())?.code, "too-large");
    assert.equal((await shadows.problem(signal))?.code, "too-large");
  });

  describe("in many chats", () => {
    const enter = async (chat: string) => {
      const place = await shadows.of(chat).enter([], signal);
      assert.ok(place.ok, JSON.stringify(place));
      const root = place.value.at({ path: ".", uri: pathToFileURL(folder.root).href });
      return root ?? "";
    };
    const use = async (chat: string) => {
      const root = await enter(chat);
      await shadows.of(chat).leave();
      return root;
    };

    it("stays for those that used it last, and is made anew for another", async () => {
      await folder.write("a.txt", "a\n");
      await open([folder.root]);
      const { mostCopies = 0 } = await shadows.backend();
      assert.ok(mostCopies > 1);
      const chats = Array.from({ length: mostCopies }, (_, at) => `chat-${at}`);
      const roots = [];
      for (const chat of chats) roots.push(await use(chat));
      // The first one is used again, so the second one is the oldest.
      assert.equal(await use("chat-0"), roots[0]);
      await use("another");
      assert.deepEqual(
        roots.map((root) => fs.existsSync(root)),
        roots.map((_, at) => at !== 1),
      );
      const again = await use("chat-1");
      assert.equal(fs.readFileSync(path.join(again, "a.txt"), "utf8"), "a\n");
    });

    it("stays while a command is in it, however many there are", async () => {
      await folder.write("a.txt", "a\n");
      await open([folder.root]);
      const { mostCopies = 0 } = await shadows.backend();
      const root = await enter("busy");
      for (let at = 0; at <= mostCopies; at++) await use(`chat-${at}`);
      assert.ok(fs.existsSync(root));
      await shadows.of("busy").leave();
      await use("another");
      assert.ok(!fs.existsSync(root));
    });

    it("gives back no folder that went with it, until a command makes it again", async () => {
      await folder.write("node_modules/own.js", "own\n");
      await folder.write(".gitignore", "node_modules\n");
      git(folder.root, "init", "-q");
      await open([folder.root]);
      await run("echo made > node_modules/made.js");
      const { mostCopies = 0 } = await shadows.backend();
      for (let at = 0; at < mostCopies; at++) await use(`chat-${at}`);
      const place = at("node_modules");
      assert.equal((await shadows.of("chat").compare(place)).ok, false);
      await run("echo made > node_modules/made.js");
      const compared = await shadows.of("chat").compare(place);
      assert.deepEqual(compared.ok && [compared.value.added, compared.value.removed], [1, 0]);
    });
  });

  it("is measured anew after that was stopped", async () => {
    await folder.write("a.txt", "a\n");
    await open([folder.root]);
    assert.equal((await shadows.problem(AbortSignal.abort()))?.code, "not-mounted");
    assert.equal(await shadows.problem(signal), null);
  });

  it("goes on after it was stopped, and says how far it is", async () => {
    for (let name = 0; name < 1_200; name++) await folder.write(`f/${name}.txt`, `${name}\n`);
    await open([folder.root]);
    const stop = new AbortController();
    const told: CopyProgress[] = [];
    const shadow = shadows.of("chat");
    const stopped = await shadow.enter([], stop.signal, (copied) => {
      told.push(copied);
      stop.abort();
    });
    assert.equal(stopped.ok, false);
    assert.deepEqual(
      told.map(({ files }) => files),
      [500],
    );
    assert.equal(await run("ls f | wc -l"), "1200\n");
  });

  describe("with a repository", () => {
    beforeEach(async () => {
      await folder.write("app/a.txt", "a\n");
      git(at("app"), "init", "-q");
      git(at("app"), "add", ".");
      git(at("app"), "commit", "-qm", "first");
    });

    const commit =
      "echo x >> a.txt; git -c user.name=a -c user.email=a@b commit -qam x; git log --oneline | wc -l";
    const commits = (cwd: string) => git(cwd, "log", "--oneline", "--all").split("\n").length - 1;

    it("does not read every file again for git, and finds what changed", async () => {
      fs.utimesSync(at("app/a.txt"), 1_000_000_000, 1_000_000_000);
      git(at("app"), "update-index", "--refresh");
      await open([at("app")]);
      // Names what looks changed before it is read.
      assert.equal(await run("git diff-files --name-only", at("app")), "");
      assert.equal(await run("echo b > a.txt; git status --short", at("app")), " M a.txt\n");
      assert.equal(await run("git diff-files --name-only", at("app")), "");
    });

    it("commits in a work tree without changing the repository", async () => {
      git(at("app"), "worktree", "add", "-q", at("tree"));
      for (const name of ["tree", "app"]) {
        await open([at(name)]);
        assert.equal((await run(commit, at(name))).trim(), "2", name);
        assert.equal(commits(at("app")), 1);
        assert.equal((await run("git log --oneline | wc -l", at(name))).trim(), "1", name);
        await shadows.dispose();
      }
      await open([at("app")]);
      await run("git worktree remove --force ../tree; git worktree prune", at("app"));
      assert.equal(fs.existsSync(at("tree/a.txt")), true);
      assert.match(git(at("app"), "worktree", "list"), /tree/);
    });

    it("commits in a submodule without changing its repository", async () => {
      git(folder.root, "init", "-q", "outer");
      const add = ["-c", "protocol.file.allow=always", "submodule", "add", "-q", at("app"), "sub"];
      git(at("outer"), ...add);
      git(at("outer"), "commit", "-qm", "outer");
      await open([at("outer")]);
      assert.equal((await run(commit, at("outer/sub"))).trim(), "2");
      assert.equal(commits(at("outer/sub")), 1);
    });

    for (const [what, lead] of [
      ["its own settings", () => git(at("app"), "config", "core.worktree", at("app"))],
      [
        "a link",
        () => {
          fs.renameSync(at("app/.git/objects"), at("objects"));
          fs.symlinkSync(at("objects"), at("app/.git/objects"));
        },
      ],
      [
        "a link to the whole",
        () => {
          fs.renameSync(at("app/.git"), at("data"));
          fs.symlinkSync(at("data"), at("app/.git"));
        },
      ],
      [
        "borrowed objects",
        () => fs.writeFileSync(at("app/.git/objects/info/alternates"), at("objects")),
      ],
    ] as const)
      it(`is refused where git would write elsewhere by ${what}`, async () => {
        lead();
        await open([at("app")]);
        assert.equal((await problemOf())?.code, "repository-outside");
        assert.equal((await shadows.problem(signal))?.code, "repository-outside");
      });
  });

  it("gives back what a command installed, with links that lead to the user's files", async () => {
    await folder.write("lib/index.js", "lib\n");
    await open([folder.root]);
    await run('mkdir node_modules; ln -s "$PWD/lib" node_modules/lib');
    const compared = await shadows.of("chat").compare(at("node_modules"));
    assert.ok(compared.ok);
    const kept = await shadows.of("chat").keepFolder(at("node_modules"), compared.value, false);
    assert.deepEqual(kept, { ok: true, value: 0 });
    assert.equal(fs.readlinkSync(at("node_modules/lib")), at("lib"));
  });
});
