import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { readFile, stat, writeFile } from "node:fs/promises";
import path from "node:path";
import { promisify } from "node:util";
import { pendingPatch } from "../../../../src/cli/pendingPatch.ts";
import { decidePending, type PendingChange } from "../../../../src/edits/review/decidePending.ts";
import { createPendingReviewer } from "../../../../src/edits/review/pendingReviewer.ts";
import { createFileApplier } from "../../../../src/node/files/fileApplier.ts";
import { createNodeWorkspace } from "../../../../src/node/files/nodeWorkspace.ts";
import { createNodeWorkspaceFiles } from "../../../../src/node/files/nodeWorkspaceFiles.ts";
import { createNodeGit } from "../../../../src/node/processes/nodeGit.ts";
import { createNodeShell } from "../../../../src/node/processes/nodeShell.ts";
import type { ApprovalDecision, ApprovalRequest } from "../../../../src/ports/approval.ts";
import { alwaysSaved } from "../../../../src/ports/savedFiles.ts";
import type { FileError } from "../../../../src/ports/workspace.ts";
import { noProposals } from "../../../../src/tools/command/chatProposals.ts";
import { type ProcessTools, processTools } from "../../../../src/tools/processTools.ts";
import type { TurnEvent } from "../../../../src/turns/turnEvent.ts";
import { comes } from "../../../fakes/comes.ts";
import type { ModelStep } from "../../../fakes/model/modelServer.ts";
import { gitRepository } from "../../../fakes/workspace/gitRepository.ts";
import { tempFolder } from "../../../fakes/workspace/tempFolder.ts";
import { needsShadows, shadowsOn } from "../../node/shadow/shadowWorkspace.ts";
import { chat, chatsIn, folder, open as serve, server } from "./chatHarness.ts";

const FILES = {
  "a.txt": "one\n",
  "b.txt": "two\n",
  Makefile: "all:\n\techo made\n",
  ".gitignore": "out/\n",
};
const edit = (name: string, text: string): readonly ModelStep[] => [
  { toolCalls: [{ name: "edit_mode", args: { file_path: name, use_line_numbers: true } }] },
  { text: `\`\`\`text:1:1 ${name}\n${text}\n\`\`\`\n` },
];
const run = (command: string, more: object = {}): ModelStep => ({
  toolCalls: [{ name: "run_command", args: { command, ...more } }],
});

for (const backend of ["overlay", "copy"] as const) {
  describe(`commands of a chat that proposed changes: ${backend}`, () => {
    let machine: ProcessTools;
    let reviewer: ReturnType<typeof createPendingReviewer>;
    let asked: ApprovalRequest[];
    let events: TurnEvent[];
    chatsIn(FILES);

    before(async function () {
      await needsShadows(this, backend);
    });
    beforeEach(() => gitRepository(folder.root, "-A"));
    afterEach(() => machine?.dispose());

    async function play(
      steps: readonly ModelStep[],
      runOn: "proposals" | "workspace" | "ask" = "proposals",
      answer: (request: ApprovalRequest) => ApprovalDecision = () => ({
        allowed: true,
        by: "user",
      }),
    ): Promise<string[]> {
      const workspace = await createNodeWorkspace(folder.root);
      machine = processTools({
        workspace,
        shell: createNodeShell(),
        git: createNodeGit(async () => ({ folders: [folder.root], opened: null })),
        shadows: await shadowsOn(backend, [folder.root]),
        runChoice: () => ({ on: runOn, sandbox: "off" }),
        files: { ...alwaysSaved, pending: () => Object.keys(proposedTexts()) },
      });
      reviewer = createPendingReviewer();
      asked = [];
      events = [];
      await serve([...steps, { text: "Done." }], {
        reviewer,
        approval: {
          async request(request) {
            asked.push(request);
            return answer(request);
          },
        },
        processTools: (proposals) => machine.of(proposals),
        maxSteps: () => steps.length + 1,
      });
      chat.onEvent((event) => events.push(event));
      assert.equal(await chat.send("Please."), "done");
      return events.flatMap((event) => (event.type === "tool-result" ? event.output : []));
    }

    /** Null for what would be deleted. */
    const proposedTexts = (): Readonly<Record<string, string | null>> =>
      Object.fromEntries([
        ...reviewer.allPending().map(({ file, text }) => [file.path, text]),
        ...reviewer.operations.pending.map(({ file }) => [file.path, null]),
      ]);

    async function acceptAll(): Promise<void> {
      const workspace = await createNodeWorkspace(folder.root);
      const decider = {
        ...{ workspace, files: await createNodeWorkspaceFiles(folder.root) },
        ...{ write: createFileApplier(workspace), ask: async () => true },
        settled: (change: PendingChange, _: boolean, error: FileError | null) =>
          assert.equal(error, null, change.file.path),
        decided() {},
      };
      await decidePending(reviewer, decider, new AbortController().signal);
    }

    async function assertUntouched(): Promise<void> {
      for (const [name, text] of Object.entries(FILES))
        assert.equal(await readFile(path.join(folder.root, name), "utf8"), text);
    }

    it("run on the changes, and so do git_status and git_diff", async () => {
      const results = await play([
        ...edit("a.txt", "ONE"),
        run("cat a.txt b.txt; pwd"),
        {
          toolCalls: [
            { name: "git_diff", args: {} },
            { name: "git_status", args: {} },
          ],
        },
      ]);
      const [, ran = "", ...read] = results;
      const said = backend === "copy" ? "in a copy of the workspace" : "on the proposed files";
      assert.match(ran, new RegExp(`^\\[It ran ${said}[^\\]]*\\]\nExit code 0\\.\nONE\ntwo\n`));
      const pwd = /^\/.*$/m.exec(ran)?.[0] ?? "";
      assert.equal(pwd === folder.root, backend === "overlay");
      if (backend === "copy") assert.ok(ran.includes(`(in ${pwd})`));
      for (const shown of [/^\+ONE$/m, /^ M a\.txt$/m])
        assert.equal(read.filter((output) => shown.test(output)).length, 1);
      await assertUntouched();
    });

    it("propose what they change, under their own call", async () => {
      const results = await play([
        ...edit("a.txt", "ONE"),
        run("echo three >> a.txt; rm b.txt; mkdir out; echo log > out/log; echo new > c.txt"),
        run("cat a.txt c.txt out/log; ls"),
      ]);
      assert.deepEqual(proposedTexts(), {
        "a.txt": "ONE\nthree\n",
        "c.txt": "new\n",
        "b.txt": null,
      });
      const callId = asked.find(({ tool }) => tool === "run_command")?.callId;
      const blocks = events.flatMap((event) =>
        event.type === "edit-update" && event.edit.callId === callId ? [event.edit] : [],
      );
      assert.deepEqual(
        blocks.map(({ path: file, op, status }) => `${file} ${op} ${status}`).sort(),
        ["a.txt replace pending", "b.txt delete pending", "c.txt complete pending"],
      );
      assert.match(results.at(-1) ?? "", /ONE\nthree\nnew\nlog\nMakefile\na\.txt\nc\.txt\nout/);
      const changed = events.flatMap((event) =>
        event.type === "tool-result" && event.onProposals ? [event.onProposals] : [],
      );
      assert.deepEqual(changed, [
        { changed: 1, created: 1, deleted: 1, backend },
        { changed: 0, backend },
      ]);
      await assertUntouched();
    });

    it("propose a file that they move as that, with its text or without", async () => {
      await play([
        ...edit("a.txt", "ONE"),
        run("mkdir sub; mv b.txt sub/b.txt; cp a.txt copy.txt; mv a.txt sub/a.txt; ls"),
        run("ls . sub; cat sub/b.txt"),
      ]);
      const moved = reviewer.operations.pending.map(({ file, to }) => `${file.path} ${to?.path}`);
      assert.ok(moved.includes("b.txt sub/b.txt"), moved.join());
      // Its text is in two new files: which of them it is now cannot be told.
      assert.ok(!moved.includes("a.txt sub/a.txt"));
      assert.equal(proposedTexts()["sub/a.txt"], "ONE\n");
      assert.equal(proposedTexts()["copy.txt"], "ONE\n");
      const ops = events.flatMap((event) =>
        event.type === "edit-update" && event.edit.path === "b.txt" ? [event.edit] : [],
      );
      assert.deepEqual(
        ops.map(({ op, target }) => [op, target]),
        [["rename", "sub/b.txt"]],
      );
      const results = events.flatMap((event) => (event.type === "tool-result" ? event.output : []));
      assert.match(results.at(-1) ?? "", /a\.txt\nb\.txt\ntwo/);
      await assertUntouched();
    });

    it("propose the modes of files, new ones and programs, too, and see them", async () => {
      await folder.write("tool.sh", "#!/bin/sh\necho tool\n");
      await writeFile(path.join(folder.root, "bin"), Buffer.from([0, 1, 2]));
      await gitRepository(folder.root, "-A");
      const results = await play([
        ...edit("a.txt", "ONE"),
        run(
          "printf '#!/bin/sh\\necho new\\n' > new.sh; chmod +x new.sh tool.sh bin a.txt; mv b.txt c.txt",
        ),
        run("./new.sh; ./tool.sh; test -x bin && test -x a.txt && echo runs"),
      ]);
      const modes = reviewer.operations.pending.flatMap(({ file, executable }) =>
        executable === undefined ? [] : [`${file.path} ${executable}`],
      );
      assert.deepEqual(modes.sort(), ["a.txt true", "bin true", "new.sh true", "tool.sh true"]);
      assert.match(results.at(-1) ?? "", /\nnew\ntool\nruns\n$/);
      const told = results.find((each) => each.includes("made executable")) ?? "";
      assert.match(told, /It created new\.sh\..*renamed b\.txt to c\.txt.*executable 4 files:/);
      const [counts] = events.flatMap((event) =>
        event.type === "tool-result" && event.onProposals ? [event.onProposals] : [],
      );
      assert.deepEqual(counts, { changed: 0, created: 1, renamed: 1, modes: 4, backend });
      await assertUntouched();

      const patched = await tempFolder();
      await promisify(execFile)("cp", ["-a", `${folder.root}/.`, patched.root]);
      await patched.write("waiting.patch", (await pendingPatch(reviewer)).text);
      await promisify(execFile)("git", ["apply", "waiting.patch"], { cwd: patched.root });
      await acceptAll();
      const isProgram = async (root: string, name: string) =>
        ((await stat(path.join(root, name))).mode & 0o111) !== 0;
      for (const root of [patched.root, folder.root]) {
        for (const name of ["a.txt", "new.sh", "tool.sh"])
          assert.equal(await isProgram(root, name), true, `${root}/${name}`);
        assert.equal(await isProgram(root, "c.txt"), false);
      }
      assert.equal(await isProgram(folder.root, "bin"), true);
      await patched.remove();
    });

    it("take a proposed mode back, and propose none that the user rejected", async () => {
      await play([
        ...edit("a.txt", "ONE"),
        run("chmod +x b.txt"),
        run("test -x b.txt && chmod -x b.txt"),
        run("test -x b.txt || echo plain"),
      ]);
      assert.deepEqual(reviewer.operations.pending, []);
      const states = events.flatMap((event) =>
        event.type === "edit-update" && event.edit.path === "b.txt"
          ? [`${event.edit.op} ${event.edit.status}`]
          : [],
      );
      assert.ok(states.includes("make-executable pending"), states.join());
      assert.ok(states.includes("make-plain rejected"), states.join());
    });

    it("do not see what the user rejected", async () => {
      await play([...edit("a.txt", "ONE"), ...edit("b.txt", "TWO"), run("echo 1 > c.txt")]);
      const tools = machine.of({
        chatId: "chat-1",
        paths: () => ["b.txt"],
        files: () =>
          reviewer
            .allPending()
            .filter(({ file }) => file.path === "b.txt")
            .map(({ file, text }) => ({ file, text })),
        propose: async () => ({ proposed: [], refused: [] }),
      });
      const tool = tools.find(({ name }) => name === "run_command");
      const call = tool?.prepare({ command: "cat a.txt b.txt; ls" });
      assert.ok(call?.ok);
      const result = await call.value.run({
        ...{ turnId: "t", callId: "c", emit: () => undefined },
        signal: new AbortController().signal,
        streams: { register: () => undefined } as never,
      });
      assert.ok(result.ok);
      assert.match(result.output, /one\nTWO\nMakefile\na\.txt\nb\.txt\n$/);
    });

    it("run on the user's own files where the model or the setting says so", async () => {
      const onRequest = await play([
        ...edit("a.txt", "ONE"),
        run("cat a.txt", { on: "workspace" }),
        run("cat a.txt"),
      ]);
      assert.match(onRequest[1] ?? "", /^\[This result does not include.*\none\n$/s);
      assert.match(onRequest[2] ?? "", /\nONE\n$/);
      await machine.dispose();
      const bySetting = await play(
        [...edit("a.txt", "ONE"), run("cat a.txt", { on: "proposals" })],
        "workspace",
      );
      assert.match(bySetting[1] ?? "", /\none\n$/);
      const last = asked.at(-1);
      assert.deepEqual(last?.pendingFiles, ["a.txt"]);
      assert.equal(last?.onProposals, undefined);
    });

    for (const [on, text] of [
      ["proposals", "ONE"],
      ["workspace", "one"],
    ] as const)
      it(`run on the ${on} once the user chose that for the chat`, async () => {
        const isChosen = (request: ApprovalRequest) => request.onProposals?.isChosen === true;
        const results = await play(
          [...edit("a.txt", "ONE"), run("cat a.txt"), run("cat a.txt")],
          "ask",
          (request) =>
            isChosen(request)
              ? { allowed: false, by: "user", again: true, chosen: { on, always: true } }
              : { allowed: true, by: "user" },
        );
        const commands = asked.filter(({ tool }) => tool === "run_command");
        assert.deepEqual(commands.map(isChosen), [true, false, false]);
        assert.ok(results.slice(-2).every((output) => output.endsWith(`\n${text}\n`)));
      });

    it("are asked about as that", async () => {
      await play([...edit("a.txt", "ONE"), ...edit("Makefile", "all: x"), run("make -n")]);
      const last = asked.at(-1);
      assert.deepEqual(last?.onProposals, { chat: chat.chatId, backend });
      assert.equal(last?.pendingFiles, undefined);
    });

    it("propose what a background command changes when it is over, or another one begins", async () => {
      await play([
        ...edit("a.txt", "ONE"),
        run("echo soon > soon.txt; sleep 2; echo late > late.txt", { background: true }),
        run("echo now > now.txt"),
        {
          toolCalls: [
            { name: "read_command_output", args: { command_id: "c1", wait_seconds: 10 } },
          ],
        },
        run("cat late.txt now.txt"),
      ]);
      const started = events.find(
        (event) => event.type === "tool-result" && event.command?.code === "running",
      );
      assert.ok(started?.type === "tool-result");
      assert.match(started.output, /later edits and decisions reach its files only when/);
      const turn = chat.tree.turns.get(started.turnId);
      assert.ok(turn?.role === "agent");
      assert.deepEqual(turn.toolCalls.get(started.callId)?.command, {
        code: "exited",
        exitCode: 0,
      });
      assert.equal(proposedTexts()["now.txt"], "now\n");
      assert.equal(proposedTexts()["late.txt"], "late\n");
      const ids = events.flatMap((event) =>
        event.type === "edit-update" ? [`${event.edit.blockId} ${event.edit.path}`] : [],
      );
      const blocks = new Set(ids.map((id) => id.split(" ")[0]));
      assert.equal(new Set(ids).size, blocks.size, "each file has blocks of its own");
      await assertUntouched();
      assert.ok(!existsSync(path.join(folder.root, "late.txt")));
    });

    it("that still have rejected text say so, to the model, too, and start again without it", async () => {
      await play([
        ...edit("a.txt", "ONE"),
        ...edit("b.txt", "TWO"),
        run("cat a.txt b.txt; sleep 300", { background: true }),
      ]);
      const started = events.find(
        (event) => event.type === "tool-result" && event.command?.code === "running",
      );
      assert.ok(started);
      const call = () => {
        const turn = chat.tree.turns.get(started.turnId);
        return (
          turn?.role === "agent" &&
          [...turn.toolCalls.values()].find(({ command }) => command !== null)
        );
      };
      const workspace = await createNodeWorkspace(folder.root);
      const decide = async (name: string, isAllowed: boolean) =>
        decidePending(
          reviewer,
          {
            ...{ workspace, files: await createNodeWorkspaceFiles(folder.root) },
            write: createFileApplier(workspace),
            ask: async ({ file }) => (file.path === name ? isAllowed : null),
            settled() {},
            decided: (origin, file, blocks) => chat.decided(origin, file, blocks, null),
          },
          new AbortController().signal,
        );
      await decide("b.txt", true);
      const served = call();
      assert.ok(served);
      assert.deepEqual(served.outdated, undefined, "what is accepted is what it has");
      await decide("a.txt", false);
      assert.deepEqual(call() && served.outdated, ["a.txt"]);
      await chat.send("What now?");
      assert.match(JSON.stringify(server.requests.at(-1)), /rejected text of 'a\.txt'/);
      const [job] = machine.running();
      assert.deepEqual(await job?.restart?.(), { ok: true, value: null });
      const [again, ...others] = machine.running();
      assert.ok(again && again.startedAt >= (job?.startedAt ?? 0) && others.length === 0);
      assert.deepEqual([served.command?.code, served.outdated], ["running", []]);
      // Nothing is proposed any more.
      assert.equal(served.onProposals, null);
      await again.kill();
      await comes("its end is on record", () => served.command?.code === "killed");
      await assert.doesNotReject(job?.restart?.() ?? Promise.resolve());
    });

    it("run where the question said, whatever is decided meanwhile", async () => {
      await play([...edit("a.txt", "ONE")]);
      let pending = ["a.txt"];
      const tools = machine.of({
        chatId: "chat-1",
        paths: () => pending,
        files: () => [],
        propose: async () => ({ proposed: [], refused: [] }),
      });
      const call = (id: string) => {
        const prepared = tools
          .find(({ name }) => name === "run_command")
          ?.prepare({
            command: `echo ${id} > ${id}.txt`,
          });
        assert.ok(prepared?.ok);
        return prepared.value;
      };
      const context = {
        ...{ turnId: "t", callId: "c", emit: () => undefined },
        signal: new AbortController().signal,
        streams: { register: () => undefined } as never,
      };
      const onProposals = call("shadow");
      const { onProposals: said } = (await onProposals.details?.(context.signal)) ?? {};
      assert.equal(said?.backend, backend);
      pending = [];
      const onFiles = call("real");
      assert.equal((await onFiles.details?.(context.signal))?.onProposals, undefined);
      assert.equal((await onProposals.run(context)).shadow?.backend, backend);
      pending = ["a.txt"];
      assert.equal((await onFiles.run(context)).shadow, undefined);
      assert.equal(existsSync(path.join(folder.root, "shadow.txt")), false);
      assert.equal(existsSync(path.join(folder.root, "real.txt")), true);
    });

    if (backend === "copy")
      it("say how far the copy is that they need, until they run", async () => {
        for (let name = 0; name < 600; name++) await folder.write(`f/${name}.txt`, `${name}\n`);
        await play([...edit("a.txt", "ONE"), run("cat a.txt")]);
        const told = events.flatMap((event) => (event.type === "tool-progress" ? [event] : []));
        assert.equal(told[0]?.copied?.files, 500);
        assert.equal(told.at(-1)?.copied, undefined);
      });

    it("say that a commit does not last", async () => {
      const results = await play([
        ...edit("a.txt", "ONE"),
        run("git commit -qam x; git log -1 --format=%s"),
      ]);
      assert.match(results[1] ?? "", /git repository does not last/);
    });
  });
}

describe("commands of a chat with the sandbox chosen", () => {
  let machine: ProcessTools;
  let pending: readonly string[];
  chatsIn(FILES);

  before(async function () {
    await needsShadows(this, "overlay");
  });
  beforeEach(async function () {
    pending = ["a.txt"];
    const shadows = await shadowsOn("overlay", [folder.root]);
    machine = processTools({
      workspace: await createNodeWorkspace(folder.root),
      shell: createNodeShell(),
      git: createNodeGit(async () => ({ folders: [folder.root], opened: null })),
      ...{ shadows, runChoice: () => ({ on: "proposals", sandbox: "auto" }) },
    });
    if ((await shadows.sandboxProblem()) !== null) this.skip();
  });
  afterEach(() => machine?.dispose());

  async function call(args: Readonly<Record<string, unknown>>) {
    const proposals = { ...noProposals, chatId: "chat-1", paths: () => pending };
    const tool = machine.of(proposals).find(({ name }) => name === "run_command");
    const prepared = tool?.prepare(args);
    assert.ok(prepared?.ok);
    const { signal } = new AbortController();
    const details = await prepared.value.details?.(signal);
    const context = { turnId: "t", callId: "c", emit: () => undefined, signal };
    const run = () =>
      prepared.value.run({ ...context, streams: { register: () => undefined } as never });
    return { said: details?.onProposals, run };
  }

  it("run in it, also while nothing is proposed", async () => {
    for (pending of [["a.txt"], []]) {
      const { said, run } = await call({ command: "echo x > new.txt; cat b.txt" });
      assert.deepEqual(said, { chat: "chat-1", backend: "overlay", isSandboxed: true });
      const result = await run();
      assert.ok(result.ok);
      assert.match(result.output, /^Exit code 0\.\ntwo/m);
      assert.deepEqual(result.shadow?.sandbox, { emptied: [], wantedNetwork: false });
      assert.equal(existsSync(path.join(folder.root, "new.txt")), false);
    }
  });

  it("say that they wanted the network", async () => {
    const { run } = await call({
      command: 'node -e \'require("net").connect(80, "192.0.2.1").on("error", () => {})\'',
    });
    assert.deepEqual((await run()).shadow?.sandbox, { emptied: [], wantedNetwork: true });
  });

  it("are asked about where they have the network, or run elsewhere", async () => {
    for (const more of [{ network: true }, { background: true }, { on: "workspace" }]) {
      const { said } = await call({ command: "true", ...more });
      assert.equal(said?.isSandboxed, undefined);
      assert.equal(said?.backend, "on" in more ? undefined : "overlay");
    }
  });
});

describe("commands of a chat whose changes no command can see", () => {
  chatsIn(FILES);

  it("are asked about with the reason", async () => {
    await folder.write("big.bin", "x".repeat(3_000_000));
    const shadows = await shadowsOn("copy", [folder.root], () => 2);
    const machine = processTools({
      workspace: await createNodeWorkspace(folder.root),
      shell: createNodeShell(),
      git: createNodeGit(async () => ({ folders: [folder.root], opened: null })),
      shadows,
      files: { ...alwaysSaved, pending: () => ["a.txt"] },
    });
    const proposals = { ...noProposals, chatId: "chat-1", paths: () => ["a.txt"] };
    const tool = machine.of(proposals).find(({ name }) => name === "run_command");
    const call = tool?.prepare({ command: "true" });
    assert.ok(call?.ok);
    const details = await call.value.details?.(new AbortController().signal);
    assert.equal(details?.notOnProposals?.code, "too-large");
    assert.deepEqual(details?.pendingFiles, ["a.txt"]);
    assert.equal(details?.onProposals, undefined);
    await machine.dispose();
  });
});
