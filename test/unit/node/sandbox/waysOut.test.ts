import assert from "node:assert/strict";
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { comes } from "../../../fakes/comes.ts";
import { root } from "../../../harness/root.mjs";
import type { ShadowWorkspace } from "../shadow/shadowWorkspace.ts";
import { type Ear, type EarKind, listenOutside } from "./listenOutside.ts";
import { inNewSandbox, sandboxWorkspace, shellCommand, startProgram } from "./sandboxPlace.ts";

const SCRIPT = path.join(root, "test/unit/node/sandbox/waysOut.pl");
const NAME = `.graft-way-${process.pid}`;

/** How a hostile command talks, and what listens to it. */
const BY_PATH = [
  ["stream", "stream"],
  ["datagram", "datagram"],
  ["packets", "packets"],
  ["datagram of a pair, sent", "datagram"],
  ["datagram of a pair, connected", "datagram"],
  ["raw of a pair, sent", "datagram"],
  ["pipe", "pipe"],
] as const;
const ABSTRACT = BY_PATH.filter(([, kind]) => kind !== "pipe");
const BY_PORT = [
  ["tcp", "tcp"],
  ["udp", "udp"],
] as const;

/** The script where the sandbox sees it. */
let script = SCRIPT;

/** A command line that says `word` by a way. */
const attack = (way: string, place: string, word: string) =>
  `perl '${script}' '${way}' '${place}' '${word}'`;

describe("ways out of a sandbox", () => {
  let workspace: ShadowWorkspace;
  const ears: Ear[] = [];

  before(async function () {
    workspace = await sandboxWorkspace(this);
    // A sandbox sees the workspace, and not always where this repository is.
    script = path.join(workspace.root, "out/waysOut.pl");
    fs.mkdirSync(path.dirname(script));
    fs.copyFileSync(SCRIPT, script);
  });
  afterEach(async () => {
    for (const ear of ears.splice(0)) await ear.stop();
  });
  after(() => workspace?.remove());

  /** Listens for each way at a place of its own. */
  async function listen(
    ways: readonly (readonly [string, EarKind])[],
    at: (name: string) => string,
  ) {
    const open: { readonly way: string; readonly ear: Ear }[] = [];
    for (const [number, [way, kind]] of ways.entries()) {
      const ear = await listenOutside(kind, at(`${NAME}-${number}`), (place) => {
        const { stderr } = spawnSync("perl", [SCRIPT, kind, place, "over"], { encoding: "utf8" });
        assert.equal(stderr, "");
      });
      ears.push(ear);
      open.push({ way, ear });
    }
    return open;
  }

  /** What was heard by which way. */
  async function heard(open: Awaited<ReturnType<typeof listen>>) {
    const all = await Promise.all(
      open.map(async ({ way, ear }) => [way, await ear.heard()] as const),
    );
    return all.filter(([, words]) => words.length > 0).map(([way]) => way);
  }

  async function run(command: string): Promise<string> {
    return inNewSandbox(workspace, async (sandbox) => {
      const started = await startProgram(sandbox.enter(shellCommand(command, workspace.root)));
      await started.child.exited;
      return started.said();
    });
  }

  const lines = (open: Awaited<ReturnType<typeof listen>>) =>
    open.map(({ way, ear }) => attack(way, ear.place, "out")).join("; ");

  const places: Readonly<Record<string, () => (name: string) => string>> = {
    "the home folder": () => (name) => path.join(os.homedir(), name),
    "the caches": () => (name) => {
      const cache = process.env.XDG_CACHE_HOME ?? path.join(os.homedir(), ".cache");
      fs.mkdirSync(cache, { recursive: true });
      return path.join(cache, name);
    },
    "/tmp": () => (name) => path.join("/tmp", name),
    "/var/tmp": () => (name) => path.join("/var/tmp", name),
    "the workspace": () => (name) => path.join(workspace.root, name),
  };
  for (const [where, at] of Object.entries(places))
    it(`are no sockets and pipes in ${where}`, async () => {
      const open = await listen(BY_PATH, at());
      // Without a sandbox each of them is one.
      spawnSync("/bin/sh", ["-c", lines(open)]);
      assert.deepEqual(
        await heard(open),
        BY_PATH.map(([way]) => way),
      );
      const said = await run(lines(open));
      assert.deepEqual(await heard(open), [], said);
    });

  it("are no sockets without a path, and no ports of this machine", async () => {
    const open = [
      ...(await listen(ABSTRACT, (name) => `@${name}`)),
      ...(await listen(BY_PORT, () => "")),
    ];
    spawnSync("/bin/sh", ["-c", lines(open)]);
    assert.equal((await heard(open)).length, open.length);
    const said = await run(lines(open));
    assert.deepEqual(await heard(open), [], said);
  });

  it("are none that are made later", async () => {
    // Home folders are hidden; this one is shared.
    const at = (name: string) => path.join("/var/tmp", `${name}-later`);
    await inNewSandbox(workspace, async (sandbox) => {
      const ready = at(`${NAME}-ready`);
      const commands = BY_PATH.map(([way], number) => attack(way, at(`${NAME}-${number}`), "out"));
      const command = `echo begun; until [ -e '${ready}' ]; do sleep 0.02; done; ${commands.join("; ")}`;
      const { child, said } = await startProgram(
        sandbox.enter(shellCommand(command, workspace.root)),
      );
      await comes("the command", () => said().includes("begun"));
      const open = await listen(BY_PATH, at);
      fs.writeFileSync(ready, "");
      await child.exited;
      fs.rmSync(ready);
      assert.equal(said().match(/failed: /g)?.length, BY_PATH.length, said());
      assert.deepEqual(await heard(open), [], said());
    });
  });

  it("are no files that Graft has open", async () => {
    await inNewSandbox(workspace, async (sandbox) => {
      const command = [5, 7, 20].map((open) => attack("open", `${open}`, "out")).join("; ");
      const { file, args, cwd } = sandbox.enter(shellCommand(command, workspace.root));
      const unused = Array.from({ length: 18 }, () => "pipe" as const);
      const child = spawn(file, args, { cwd, stdio: ["ignore", "pipe", "pipe", ...unused] });
      let reached = "";
      for (const stream of child.stdio.slice(3))
        stream?.on("data", (text: unknown) => {
          reached += String(text);
        });
      let said = "";
      for (const stream of [child.stdout, child.stderr])
        stream?.on("data", (text: unknown) => {
          said += String(text);
        });
      await once(child, "close");
      assert.equal(reached, "", said);
      assert.equal(said.match(/failed: /g)?.length, 3, said);
    });
  });

  it("are no namespaces of its own", async () => {
    const home = path.join(os.homedir(), NAME);
    const other = spawn("sleep", ["1000"], { cwd: os.homedir() });
    const tries = [
      "mount -o remount,rw,bind /",
      "umount -l /tmp",
      `mount --bind ${os.homedir()} /tmp`,
      `mount -t overlay overlay -o lowerdir=${os.homedir()},upperdir=/tmp/u,workdir=/tmp/w /tmp/m`,
    ].map((each) => `${each} && echo "did ${each}"`);
    const said = await run(
      [
        "mkdir -p /tmp/u /tmp/w /tmp/m",
        ...["-Um", "-Urm", "-Urmn"].map(
          (how) => `unshare ${how} sh -c '${tries.join("; ")}; echo x > ${home}' 2>/dev/null`,
        ),
        `echo x > /proc/${other.pid}/root${home} && echo "did it beside another process"`,
        `kill ${other.pid} && echo "did end another process"`,
        `echo x > /proc/1/fd/3 && echo "did change the report"`,
        `(crontab -l; echo '* * * * * true') | crontab - && echo "did plan a command"`,
        `echo x > /dev/tty && echo "did write to a terminal"`,
      ].join("\n"),
    );
    other.kill();
    assert.doesNotMatch(said, /^did /m);
    assert.equal(fs.existsSync(home), false);
  });

  it("are no calls by other numbers", async () => {
    const EPERM = 1;
    const ENOSYS = 38;
    const call = (...numbers: readonly number[]) =>
      `perl -e 'syscall(${numbers.join(", ")}) == -1 ? exit($! + 0) : exit 99'; echo "$?"`;
    // `io_uring_setup`, and on x64 `socket` as x32 has it.
    const isX64 = process.arch === "x64";
    const said = await run(
      [call(425, 1, 0), ...(isX64 ? [call(0x40000029, 1, 1, 0)] : [])].join("; "),
    );
    assert.equal(said, `${[ENOSYS, ...(isX64 ? [EPERM] : [])].join("\n")}\n`);
  });

  it("are no calls of a 32-bit program", async function () {
    if (process.arch !== "x64") return this.skip();
    // mov eax, 359 (socket); mov ebx, 1; mov ecx, 1; xor edx, edx; int 80h;
    // neg eax; mov edi, eax; mov eax, 60 (exit); syscall
    const code = "b867010000bb01000000b90100000031d2cd80f7d889c7b83c0000000f05";
    const head =
      "7f454c4602010100000000000000000002003e0001000000780040000000000040000000000000000000000000000000000000004000380001000000000000000100000005000000000000000000000000004000000000000000400000000000";
    const size = "a000000000000000";
    const program = `${head}${size}${size}0010000000000000${code}`;
    const name = path.join(workspace.root, "old");
    fs.writeFileSync(name, Buffer.from(program, "hex"), { mode: 0o755 });
    if (spawnSync(name).signal === "SIGSEGV") {
      console.log("      This kernel runs no calls of 32-bit programs. Skipping.");
      return this.skip();
    }
    assert.equal(await run("./old; echo $?"), "1\n");
  });
});
