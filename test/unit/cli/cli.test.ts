import assert from "node:assert/strict";
import { type ChildProcess, execFile, execFileSync } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import {
  appendFile,
  chmod,
  cp,
  mkdtemp,
  readdir,
  readFile,
  rm,
  symlink,
  writeFile,
} from "node:fs/promises";
import * as os from "node:os";
import * as path from "node:path";
import { createInterface } from "node:readline";
import { promisify } from "node:util";
import * as z from "zod/mini";
import { type TurnEvent, turnEventSchema } from "../../../src/turns/turnEvent.ts";
import { bundledScript } from "../../fakes/bundledScript.ts";
import { buildCli, type CliBundle, type CliResult } from "../../fakes/cliBundle.ts";
import { runHere } from "../../fakes/commandLineHere.ts";
import {
  type ModelServer,
  type ModelStep,
  startModelServer,
} from "../../fakes/model/modelServer.ts";
import { gitRepository } from "../../fakes/workspace/gitRepository.ts";
import { type TempFolder, tempFolder } from "../../fakes/workspace/tempFolder.ts";
import { needsShadows } from "../node/shadow/shadowWorkspace.ts";
import { fileWithText, processGone } from "../tools/processes.ts";

const batchErrorSchema = z.object({
  line: z.int(),
  id: z.optional(z.int()),
  error: z.string(),
});
const appliedSchema = z.object({
  file: z.string(),
  lineCount: z.int(),
  text: z.string(),
  blocks: z.array(
    z.object({
      index: z.int(),
      address: z.string(),
      op: z.string(),
      status: z.string(),
      reason: z.optional(z.string()),
    }),
  ),
  report: z.string(),
});

const FENCE = "```";

describe("graft, the command line", () => {
  let cli: CliBundle;
  let folder: TempFolder;
  let home: TempFolder;

  before(async () => {
    cli = await buildCli();
  });

  after(() => cli.remove());

  beforeEach(async () => {
    folder = await tempFolder({
      "src/app.ts": "export function a() {\n  return 1;\n}\n\nexport const b = 2;\n",
    });
    home = await tempFolder();
  });

  afterEach(async () => {
    await folder.remove();
    await home.remove();
  });

  const here = (args: readonly string[], stdin = "") =>
    runHere(home.root, args, stdin, "sk-secret");

  const app = () => readFile(path.join(folder.root, "src/app.ts"), "utf8");
  const events = (result: CliResult): readonly TurnEvent[] =>
    result.stdout
      .split("\n")
      .filter((line) => line !== "")
      .map((line) => turnEventSchema.parse(JSON.parse(line)));

  describe("apply", () => {
    const apply = (message: string, ...args: string[]) =>
      here(["apply", "--root", folder.root, "--file", "src/app.ts", "--json", ...args], message);

    it("prints the resulting file without writing it", async () => {
      const before = await app();
      const result = await apply(
        `Here:\n\n${FENCE}ts:2:2\n  return 42;\n${FENCE}\n`,
        "--chunk",
        "1",
      );
      const applied = appliedSchema.parse(JSON.parse(result.stdout));
      assert.equal(result.status, 0, result.stderr);
      assert.equal(applied.file, "src/app.ts");
      assert.equal(applied.text, before.replace("return 1", "return 42"));
      assert.equal(applied.lineCount, 5);
      assert.deepEqual(applied.blocks, [
        { index: 1, address: "2:2", op: "replace", status: "applied" },
      ]);
      assert.equal(await app(), before);
    });

    it("applies rows of answers to texts without files, and says which line is no row", async () => {
      const row = (value: object) =>
        JSON.stringify({ path: "a.ts", before: "a();\nb();\n", ...value });
      const rows = [
        row({ id: 1, answer: `${FENCE}ts:1:1\nc();\n${FENCE}\n` }),
        row({ id: "two", answer: `${FENCE}ts:9:9\nc();\n${FENCE}\n`, mode: "lines" }),
        "",
        "no JSON",
        JSON.stringify({ id: 4, path: "a.ts", answer: "" }),
        row({ id: 5, before: null, answer: `${FENCE}ts\nexport {};\n${FENCE}\n` }),
        row({ id: 6, answer: "Nothing." }),
      ];
      const result = await here(["apply", "--batch", "-"], rows.join("\n"));
      const printed = result.stdout
        .trimEnd()
        .split("\n")
        .map((each): unknown => JSON.parse(each));
      const applied = { status: "applied", warnings: [], repairs: [] };
      const failed = printed.splice(2, 2).map((each) => batchErrorSchema.parse(each));
      assert.deepEqual(printed, [
        { id: 1, after: "c();\nb();\n", blocks: [applied] },
        {
          ...{ id: "two", after: "a();\nb();\n" },
          blocks: [{ ...applied, status: "refused", reason: "no-such-line" }],
        },
        { id: 5, after: "export {};\n", blocks: [applied] },
        { id: 6, after: "a();\nb();\n", blocks: [] },
      ]);
      assert.deepEqual(
        failed.map(({ line, id }) => [line, id]),
        [
          [4, undefined],
          [5, 4],
        ],
      );
      assert.equal(result.status, 1);
    });

    it("writes with --write, by AST path too", async () => {
      const result = await apply(
        `${FENCE}ts:ast-path:b\nexport const b = 3;\n${FENCE}`,
        "--mode",
        "ast",
        "--write",
      );
      assert.equal(result.status, 0, result.stderr);
      assert.equal(await app(), "export function a() {\n  return 1;\n}\n\nexport const b = 3;\n");
    });

    it("keeps a byte order mark and line ends", async () => {
      await folder.write("src/app.ts", "\uFEFFone\r\ntwo\r\nthree");
      const result = await apply(`${FENCE}:2:2\nzwei\n${FENCE}`, "--write");
      assert.equal(result.status, 0, result.stderr + result.stdout);
      assert.equal(await app(), "\uFEFFone\r\nzwei\r\nthree");
    });

    it("creates a new file with its folders", async () => {
      const result = await here(
        ["apply", "--root", folder.root, "--file", "new/dir/x.ts", "--mode", "complete", "--write"],
        `${FENCE}ts\nexport {};\n${FENCE}\n`,
      );
      assert.equal(result.status, 0, result.stderr + result.stdout);
      assert.equal(await readFile(path.join(folder.root, "new/dir/x.ts"), "utf8"), "export {};\n");
    });

    it("exits with 1 when a block is refused, unclosed or missing", async () => {
      const messages = [
        `${FENCE}ts:99:100\nx\n${FENCE}\n`,
        `${FENCE}ts:2:2\n  return 42;\n`,
        "No block at all.",
        "",
      ];
      for (const message of messages) {
        const result = await apply(message, "--write");
        assert.equal(result.status, 1, message);
        assert.notEqual(appliedSchema.parse(JSON.parse(result.stdout)).report, "");
      }
      assert.match(await app(), /return 1;/);
    });

    it("explains why it cannot use a file", async () => {
      await folder.write("binary", new Uint8Array([0, 1]));
      await symlink("/etc", path.join(folder.root, "etc"));
      for (const [file, sentence] of [
        ["../outside.ts", /outside the workspace/],
        ["etc/passwd", /outside the workspace/],
        ["binary", /not a UTF-8 text file/],
        ["src", /is a folder/],
      ] as const) {
        const result = await here(["apply", "--root", folder.root, "--file", file, "--write"]);
        assert.equal(result.status, 1, file);
        assert.match(result.stderr, sentence);
      }
    });
  });

  describe("outline", () => {
    it("prints paths, kinds and lines", async () => {
      const result = await here([
        "outline",
        "--root",
        folder.root,
        "--file",
        "src/app.ts",
        "--json",
      ]);
      assert.equal(result.status, 0, result.stderr);
      assert.deepEqual(JSON.parse(result.stdout), [
        { path: "a", kind: "function", startLine: 1, endLine: 3 },
        { path: "b", kind: "variable", startLine: 5, endLine: 5 },
      ]);
    });

    it("says why there is no outline", async () => {
      await folder.write("notes.xyz", "text\n");
      for (const [file, sentence] of [
        ["notes.xyz", /no grammar/],
        ["nowhere.ts", /does not exist/],
      ] as const) {
        const result = await here(["outline", "--root", folder.root, "--file", file]);
        assert.equal(result.status, 1);
        assert.match(result.stderr, sentence);
      }
    });
  });

  describe("run", () => {
    let server: ModelServer | null = null;
    let child: ChildProcess | null = null;
    afterEach(async () => {
      child?.kill("SIGKILL");
      await server?.close();
      server = null;
    });

    /** Runs it with a model that answers with `steps`. */
    const run = async (steps: Parameters<typeof startModelServer>[0], ...args: string[]) => {
      await server?.close();
      server = await startModelServer(steps);
      return runAt(server.url, ...args);
    };
    const runAt = (url: string, ...args: string[]) => here(argumentsAt(url, ...args));
    const argumentsAt = (url: string, ...args: string[]) => [
      ...["run", "--root", folder.root, "--base-url", url],
      ...["--model", "test", "--json", ...args],
    ];

    /** Starts it with a model that answers with `steps`, in a process that the test interrupts. */
    const started = async (
      steps: Parameters<typeof startModelServer>[0],
      args: readonly string[],
      env = {},
      root = folder.root,
    ) => {
      await server?.close();
      server = await startModelServer(steps);
      child = cli.start(
        ["run", "--root", root, "--base-url", server.url, "--model", "test", "--json", ...args],
        env,
      );
      assert.ok(child.stdout);
      const lines = createInterface({ input: child.stdout });
      return { lines, closed: once(child, "close"), interrupt: () => child?.kill("SIGINT") };
    };

    /** A file that names the server of the tests as `t`, and that server's log. */
    const mcpFile = async (...flags: readonly string[]) => {
      const [file, log] = [path.join(folder.root, "mcp.json"), path.join(folder.root, "mcp.log")];
      const args = [bundledScript("test/fakes/mcp/mcpServer.ts"), ...flags];
      const definition = {
        command: process.execPath,
        args,
        env: { MCP_LOG: log },
        cwd: process.cwd(),
      };
      await writeFile(file, JSON.stringify({ servers: { t: definition } }));
      return { file, log };
    };

    const steps: readonly ModelStep[] = [
      {
        reasoning: "Hm.",
        text: "I edit.",
        toolCalls: [
          { name: "edit_mode", args: { file_path: "src/app.ts", use_line_numbers: true } },
        ],
      },
      { text: `Now:\n\n${FENCE}ts:2:2\n  return 42;\n${FENCE}\n` },
      { text: "Done." },
    ];

    it("prints the turn's events and writes accepted edits", async () => {
      server = await startModelServer(steps);
      const args = argumentsAt(server.url, "--accept", "all", "Change it");
      const result = await cli.run(args, "", { OPENAI_API_KEY: "sk-secret" });
      assert.equal(result.status, 0, result.stderr);
      const trace = events(result);
      assert.deepEqual(
        trace.map(({ seq }) => seq),
        trace.map((_, index) => index + 1),
      );
      const text = trace.map((event) => (event.type === "text-delta" ? event.text : "")).join("");
      assert.match(text, /^I edit\.Now:[\s\S]*Done\.$/);
      const types = new Set(trace.map(({ type }) => type));
      for (const type of [
        "turn-start",
        "reasoning-delta",
        "tool-call",
        "tool-result",
        "edit-update",
        "change-done",
      ] as const)
        assert.ok(types.has(type), type);
      const end = trace.at(-1);
      assert.deepEqual(end?.type === "turn-end" && [end.reason, end.error], ["done", null]);
      assert.match(await app(), /return 42;/);
      assert.equal(server?.requests[0]?.headers.authorization, "Bearer sk-secret");
      assert.doesNotMatch(result.stdout + result.stderr, /sk-secret/);
    });

    it("writes nothing unless edits are accepted", async () => {
      const before = await app();
      const result = await run(steps, "Change it");
      assert.equal(result.status, 0, result.stderr);
      assert.equal(await app(), before);
      assert.match(result.stderr, /--accept all/);
    });

    it("lets commands run on what is proposed, and writes it as a patch for git", async function () {
      await needsShadows(this, null);
      await gitRepository(folder.root, "-A");
      const before = await app();
      const patch = path.join(await mkdtemp(path.join(os.tmpdir(), "graft-patch-")), "a b.patch");
      const command = "grep -c 42 src/app.ts; printf 'ä\\r\\n' > 'new file.txt'; rm lib.ts";
      const tests: ModelStep = { toolCalls: [{ name: "run_command", args: { command } }] };
      await folder.write("lib.ts", "export {};\n");
      const result = await run(
        [...steps.slice(0, 2), tests, { text: "Done." }],
        ...["--allow-commands", "--patch", patch, "Change it"],
      );
      assert.equal(result.status, 0, result.stderr);
      assert.match(result.stdout, /Exit code 0\.\\n1\\n/);
      assert.equal(await app(), before);
      assert.equal(await readFile(path.join(folder.root, "lib.ts"), "utf8"), "export {};\n");
      execFileSync("git", ["apply", patch], { cwd: folder.root });
      assert.match(await app(), /return 42;/);
      assert.equal(await readFile(path.join(folder.root, "new file.txt"), "utf8"), "ä\r\n");
      assert.equal(existsSync(path.join(folder.root, "lib.ts")), false);
    });

    it("keeps aside every change of a file, and the patch has them all", async () => {
      await gitRepository(folder.root, "-A");
      for (const name of ["gone.txt", "old.txt", "kept.txt", "src/over.txt"])
        await folder.write(name, `${name}\n`);
      execFileSync("git", ["add", "-A"], { cwd: folder.root });
      const before = execFileSync("git", ["status", "--porcelain"], { cwd: folder.root });
      const patch = path.join(await mkdtemp(path.join(os.tmpdir(), "graft-patch-")), "a.patch");
      const calls: ModelStep = {
        toolCalls: [
          { name: "create_directory", args: { path: "new" } },
          {
            name: "create_file",
            args: { file_path: "new/made.ts", content: "export const a = 1;\n" },
          },
          {
            name: "create_file",
            args: { file_path: "src/over.txt", content: "2\n", overwrite: true },
          },
          { name: "copy_file", args: { from: "new/made.ts", to: "new/copy.ts" } },
          { name: "rename_file", args: { from: "old.txt", to: "new/old.txt" } },
          { name: "delete_file", args: { path: "gone.txt" } },
        ],
      };
      const taken: ModelStep = {
        toolCalls: [
          { name: "create_file", args: { file_path: "kept.txt", content: "" } },
          { name: "create_file", args: { file_path: "new/made.ts", content: "" } },
          { name: "edit_mode", args: { file_path: "new/made.ts" } },
        ],
      };
      const edit: ModelStep = { text: "```ts:ast-path:a\nexport const a = 3;\n```\n" };
      const result = await run([calls, taken, edit, { text: "Done." }], "--patch", patch, "Do it");
      assert.equal(result.status, 0, result.stderr);
      assert.deepEqual(
        events(result).flatMap((event) =>
          event.type === "tool-result" && event.error
            ? [event.error.message.replace(/\..*/s, "")]
            : [],
        ),
        ["kept", "new/made"],
      );
      assert.deepEqual(
        events(result).flatMap((event) =>
          event.type === "edit-update" ? event.edit.warnings : [],
        ),
        [],
        "the model wrote what it replaces",
      );
      assert.deepEqual(
        execFileSync("git", ["status", "--porcelain"], { cwd: folder.root }),
        before,
      );
      execFileSync("git", ["apply", patch], { cwd: folder.root });
      const read = (name: string) => readFile(path.join(folder.root, name), "utf8");
      assert.equal(await read("new/made.ts"), "export const a = 3;\n");
      assert.equal(await read("new/copy.ts"), "export const a = 1;\n");
      assert.equal(await read("src/over.txt"), "2\n");
      assert.equal(await read("new/old.txt"), "old.txt\n");
      assert.equal(existsSync(path.join(folder.root, "gone.txt")), false);
      assert.equal(await read("kept.txt"), "kept.txt\n");
    });

    it("deletes and renames again what it keeps aside, and the patch says the last of it", async () => {
      await gitRepository(folder.root, "-A");
      for (const name of ["edited.txt", "there.txt"]) await folder.write(name, `${name}\n`);
      execFileSync("git", ["add", "-A"], { cwd: folder.root });
      const patch = path.join(await mkdtemp(path.join(os.tmpdir(), "graft-patch-")), "a.patch");
      const create = (file_path: string, content: string, overwrite = false) => ({
        name: "create_file",
        args: { file_path, content, ...(overwrite && { overwrite }) },
      });
      const move = (from: string, to: string) => ({ name: "rename_file", args: { from, to } });
      const remove = (file: string) => ({ name: "delete_file", args: { path: file } });
      const made: ModelStep = {
        toolCalls: [
          create("a.txt", "a\n"),
          create("b.txt", "b\n"),
          create("edited.txt", "changed\n", true),
        ],
      };
      const moved: ModelStep = {
        toolCalls: [
          move("a.txt", "b.txt"),
          move("a.txt", "there.txt"),
          move("there.txt", "b.txt"),
          move("a.txt", "c.txt"),
          remove("b.txt"),
          remove("edited.txt"),
        ],
      };
      const again: ModelStep = { toolCalls: [move("c.txt", "d.txt"), create("b.txt", "new\n")] };
      const result = await run([made, moved, again, { text: "Done." }], "--patch", patch, "Do it");
      assert.equal(result.status, 0, result.stderr);
      const failed = events(result).flatMap((event) =>
        event.type === "tool-result" && event.error ? [event.error.message] : [],
      );
      assert.equal(failed.length, 3, failed.join());
      assert.ok(failed.every((message) => /(b|there)\.txt exists already/.test(message)));
      execFileSync("git", ["apply", patch], { cwd: folder.root });
      const there = (await readdir(folder.root)).filter((name) => name.endsWith(".txt"));
      assert.deepEqual(there.sort(), ["b.txt", "d.txt", "there.txt"]);
      assert.equal(await readFile(path.join(folder.root, "d.txt"), "utf8"), "a\n");
      assert.equal(await readFile(path.join(folder.root, "b.txt"), "utf8"), "new\n");
    });

    it("names the protected files of a patch", async () => {
      const patch = path.join(await mkdtemp(path.join(os.tmpdir(), "graft-patch-")), "a.patch");
      const files = [".vscode/tasks.json", "lefthook-local.yml", "src/plain.ts"];
      for (const file of files) await folder.write(file, "one\n");
      const changes = files.map((file_path) => ({
        name: "patch_source_file",
        args: { file_path, edits: [{ search: "one", replace: "two" }] },
      }));
      const result = await run(
        [{ toolCalls: changes }, { text: "Done." }],
        ...["--patch", patch, "Change them"],
      );
      assert.match(await readFile(patch, "utf8"), /\.vscode\/tasks\.json/);
      assert.match(
        result.stderr,
        /^graft: The patch changes \.vscode\/tasks\.json\. An editor, a hook or a build acts on/m,
      );
      assert.match(result.stderr, /^graft: The patch changes lefthook-local\.yml\./m);
      assert.doesNotMatch(result.stderr, /plain\.ts/);
    });

    it("reads the prompt from stdin", async () => {
      await server?.close();
      server = await startModelServer([{ text: "Hello." }]);
      const args = [
        ...["run", "--root", folder.root, "--base-url", server.url],
        ...["--model", "test", "--json", "-"],
      ];
      const result = await here(args, "What is\nthis?");
      assert.equal(result.status, 0, result.stderr);
      assert.match(JSON.stringify(server.requests[0]?.body.messages), /What is\\nthis\?/);
      assert.equal((await here(args, " \n")).status, 2);
    });

    it("exits with 1 where an edit was refused, and names it", async () => {
      const wrong = [
        steps[0] ?? {},
        { text: `${FENCE}ts:90:92\nx\n${FENCE}\n` },
        { text: "Done." },
      ];
      const result = await run(wrong, "--accept", "all", "Change it");
      assert.equal(result.status, 1);
      assert.match(result.stderr, /src\/app\.ts .*refused/);
    });

    it("writes no block that may stand in thinking, exits with 1 and names it", async () => {
      const before = await app();
      const block = `${FENCE}ts:2:2\n  return 42;\n${FENCE}\n`;
      const doubtful = [steps[0] ?? {}, { text: `${block}Good.</think>Done.` }, { text: "Done." }];
      const result = await run(doubtful, "--accept", "all", "Change it");
      assert.equal(result.status, 1);
      assert.match(result.stderr, /src\/app\.ts/);
      assert.equal(await app(), before);
    });

    it("exits with 1 and an explanation when the model cannot be reached or refuses", async () => {
      const refused = await run([{ status: 401 }], "Hi");
      const url = server?.url ?? "";
      await server?.close();
      const gone = await runAt(url, "Hi");
      for (const result of [refused, gone]) {
        assert.equal(result.status, 1);
        assert.equal(events(result).at(-1)?.type, "turn-end");
        assert.match(result.stderr, /^graft: \S/);
        assert.doesNotMatch(result.stderr, /sk-secret|at .*\.js:\d/);
      }
    });

    it("exits with 1 where the model answers nothing, also when asked again, or its calls are lost", async () => {
      const lost = { text: "I read it.", finish: "tool_calls" };
      for (const step of [{ text: "" }, { reasoning: "Hm.", text: "" }, lost]) {
        const server = await startModelServer(() => step);
        try {
          const url = ["--base-url", server.url, "--model", "m", "--root", folder.root];
          const result = await here(["run", ...url, "Hi"]);
          assert.equal(result.status, 1);
          assert.equal(server.requests.length, 2);
          assert.match(result.stdout, /asks it once more/);
          assert.match(result.stderr, /^graft: \S/);
        } finally {
          await server.close();
        }
      }
    });

    it("runs a call in the form that came before lists of calls", async () => {
      const call = { name: "functions.read_file", arguments: '{"file_path":"src/app.ts"}' };
      const legacy = {
        choices: [
          {
            index: 0,
            message: { role: "assistant", content: null, function_call: call },
            finish_reason: "function_call",
          },
        ],
      };
      const server = await startModelServer((_request, index) =>
        index === 0 ? { body: JSON.stringify(legacy) } : { text: "It has two things." },
      );
      try {
        const url = ["--base-url", server.url, "--model", "m", "--root", folder.root];
        const result = await here(["run", ...url, "What is in it?"]);
        assert.equal(result.status, 0, result.stderr);
        assert.match(JSON.stringify(server.requests[1]?.body.messages), /export function a/);
      } finally {
        await server.close();
      }
    });

    it("allows file changes and commands only with their flags", async () => {
      const step: ModelStep = {
        toolCalls: [
          { name: "create_file", args: { file_path: "made.txt", content: "made" } },
          { name: "run_command", args: { command: "echo ran > ran.txt" } },
        ],
      };
      const exists = (name: string) =>
        readFile(path.join(folder.root, name)).then(
          () => true,
          () => false,
        );
      for (const [flags, made, ran] of [
        [[], false, false],
        [["--accept", "all"], true, false],
        [["--accept", "all", "--allow-commands"], true, true],
      ] as const) {
        const result = await run([step, { text: "Done." }], ...flags, "Do it");
        assert.equal(result.status, 0, result.stderr);
        assert.deepEqual(
          [await exists("made.txt"), await exists("ran.txt")],
          [made, ran],
          flags.join(" "),
        );
        const denied = events(result).flatMap((event) =>
          event.type === "tool-result" && event.error ? [event.error.message] : [],
        );
        // Without flags the file is kept aside, and only the command is denied.
        assert.equal(denied.length, 1);
        for (const sentence of denied)
          assert.match(
            sentence,
            /is only allowed with --(accept all|allow-commands)|exists already/,
          );
      }
    });

    it("uses MCP servers and ends them", async () => {
      const { file, log } = await mcpFile();
      const step: ModelStep = {
        toolCalls: [
          { name: "mcp__t__look", args: {} },
          { name: "mcp__t__add", args: { a: 1, b: 2 } },
        ],
      };
      for (const [flags, outputs] of [
        [[], ["seen", "Error (permission): mcp__t__add is only allowed with --allow-commands."]],
        [["--allow-commands"], ["seen", "3"]],
      ] as const) {
        const result = await run([step, { text: "Done." }], "--mcp", file, ...flags, "Do it");
        assert.equal(result.status, 0, result.stderr);
        const told = events(result).flatMap((event) =>
          event.type === "tool-result" ? [event.output] : [],
        );
        for (const [index, output] of outputs.entries())
          assert.ok(told[index]?.startsWith(output), told[index]);
      }
      const starts = (await readFile(log, "utf8"))
        .split("\n")
        .filter((line) => line.startsWith("start"));
      assert.equal(starts.length, 2);
      await Promise.all(starts.map((line) => processGone(Number(line.slice("start ".length)))));
    });

    it("ends an MCP server with a hanging tool when interrupted", async () => {
      const { file, log } = await mcpFile("--stubborn");
      const hang: ModelStep = { toolCalls: [{ name: "mcp__t__hang", args: {} }] };
      const { lines, closed, interrupt } = await started(
        [hang],
        ["--allow-commands", "--mcp", file, "Hang"],
      );
      for await (const line of lines) if (line.includes('"tool-start"')) interrupt();
      assert.deepEqual(await closed, [130, null]);
      await processGone(Number(/^start (\d+)/.exec(await readFile(log, "utf8"))?.[1]));
    });

    it("kills stubborn commands, both when interrupted and when done", async () => {
      const pidFile = path.join(folder.root, "stubborn.pid");
      const command = `trap "" TERM; echo $$ > ${JSON.stringify(pidFile)}; while :; do sleep 1; done`;
      for (const background of [false, true]) {
        await rm(pidFile, { force: true });
        const call: ModelStep = {
          toolCalls: [{ name: "run_command", args: { command, background } }],
        };
        const { closed, interrupt } = await started(
          [call, { text: "Done." }],
          ["--allow-commands", "Run it"],
        );
        const pid = Number(await fileWithText(pidFile));
        if (!background) interrupt();
        assert.deepEqual(await closed, [background ? 0 : 130, null]);
        await processGone(pid);
      }
    });

    it("kills stubborn git hooks", async () => {
      const root = path.join(folder.root, "repository");
      const pidFile = path.join(root, "hook.pid");
      await promisify(execFile)("git", ["init", "-q", root]);
      await appendFile(
        path.join(root, ".git/config"),
        "[user]\n\tname = Test\n\temail = test@example.com\n",
      );
      const hook = `#!/bin/sh\ntrap "" TERM\necho $$ > ${JSON.stringify(pidFile)}\nwhile :; do sleep 1; done\n`;
      await writeFile(path.join(root, ".git/hooks/pre-commit"), hook, { mode: 0o755 });
      await writeFile(path.join(root, "new.txt"), "new\n");
      const commit: ModelStep = {
        toolCalls: [{ name: "git_commit", args: { message: "New", paths: ["new.txt"] } }],
      };
      const { closed, interrupt } = await started(
        [commit],
        ["--allow-commands", "Commit"],
        {},
        root,
      );
      const pid = Number(await fileWithText(pidFile));
      interrupt();
      assert.deepEqual(await closed, [130, null]);
      await processGone(pid);
    });

    it("rejects an unreadable or invalid MCP file", async () => {
      await writeFile(path.join(folder.root, "broken.json"), "{");
      for (const [file, why] of [
        ["none.json", /--mcp must be a readable file/],
        ["broken.json", /broken\.json is not valid JSON \(line 1/],
      ] as const) {
        const result = await runAt("demo", "--mcp", path.join(folder.root, file), "Hi");
        assert.equal(result.status, 2);
        assert.match(result.stderr, why);
      }
    });

    it("rejects a patch that it could not write, before the turn", async () => {
      await writeFile(path.join(folder.root, "file"), "");
      for (const place of ["none/x.patch", ".", "file/x.patch"]) {
        const result = await runAt("demo", "--patch", path.join(folder.root, place), "Hi");
        assert.deepEqual([result.status, result.stdout], [2, ""], place);
        assert.match(result.stderr, /^graft: --patch must be a file that can be written/);
      }
    });

    it("says when it reached the step limit", async () => {
      const look: ModelStep = { toolCalls: [{ name: "list_directory", args: {} }] };
      const result = await run([look, look, look, look, look], "--max-steps", "2", "Look");
      assert.equal(result.status, 1);
      assert.match(result.stderr, /2 steps/);
    });

    it("ends the turn cleanly when interrupted", async () => {
      const { lines, closed, interrupt } = await started(
        [{ text: "word ".repeat(100), stallAfter: 20 }],
        ["Talk"],
      );
      const seen: string[] = [];
      for await (const line of lines) {
        if (
          line.includes('"text-delta"') &&
          !seen.some((earlier) => earlier.includes('"text-delta"'))
        )
          interrupt();
        seen.push(line);
      }
      assert.deepEqual(await closed, [130, null]);
      const last = turnEventSchema.parse(JSON.parse(seen.at(-1) ?? ""));
      assert.equal(last.type === "turn-end" && last.reason, "cancelled");
      assert.equal(server?.requests[0]?.closedEarly, true);
    });

    it("stops quietly when the reader of the trace is gone", async () => {
      const child = cli.start([
        "run",
        "--root",
        folder.root,
        "--base-url",
        "demo",
        "--json",
        "Hello",
      ]);
      assert.ok(child.stdout && child.stderr);
      let stderr = "";
      child.stderr.setEncoding("utf8").on("data", (part: string) => {
        stderr += part;
      });
      await once(child.stdout, "data");
      child.stdout.destroy();
      await once(child, "close");
      assert.doesNotMatch(stderr, /EPIPE|at .*\.js/);
    });

    it("runs the demo, whose edits reach the disk", async () => {
      await cp("test/fixtures/sample", folder.root, { recursive: true });
      const before = await readFile(path.join(folder.root, "src/shapes.ts"), "utf8");
      const result = await runAt(
        "demo",
        "--accept",
        "all",
        "Rename `describe` to `summarize` in src/shapes.ts",
      );
      assert.equal(result.status, 0, result.stderr);
      const text = events(result)
        .map((event) => (event.type === "text-delta" ? event.text : ""))
        .join("");
      assert.match(text, /no AI/);
      assert.match(text, /--base-url/);
      assert.doesNotMatch(text, /Graft:/);
      assert.match(text, /I proposed 2 edits\. Nothing changes until you accept\.$/);
      assert.equal(
        await readFile(path.join(folder.root, "src/shapes.ts"), "utf8"),
        before.replaceAll(/\bdescribe\b/g, "summarize"),
      );
    });

    it("kills a stubborn ripgrep when interrupted", async () => {
      const pidFile = path.join(folder.root, "rg.pid");
      const script = `#!/bin/sh\ntrap "" TERM\necho $$ > ${JSON.stringify(pidFile)}\nfor i in 1 2 3 4 5 6 7 8 9; do sleep 1; done\n`;
      // A program inside of the workspace is not used.
      const programs = await tempFolder();
      await chmod(await programs.write("rg", script), 0o755);
      const search: ModelStep = {
        toolCalls: [{ name: "search_in_files", args: { pattern: "x" } }],
      };
      const env = { PATH: `${programs.root}${path.delimiter}${process.env.PATH}` };
      const { closed, interrupt } = await started([search], ["Search"], env);
      const pid = Number(await fileWithText(pidFile));
      interrupt();
      assert.deepEqual(await closed, [130, null]);
      await processGone(pid);
      await programs.remove();
    });
  });

  it("explains wrong usage and exits with 2", async () => {
    for (const args of [
      [],
      ["nonsense"],
      ["apply"],
      ["run", "--root", folder.root, "--base-url", "demo"],
      ["outline", "--root", "/nowhere/at/all", "--file", "a.ts"],
    ]) {
      const result = await here(args);
      assert.equal(result.status, 2, args.join(" "));
      assert.match(result.stderr, /^graft: \S/);
      assert.equal(result.stdout, "");
    }
    const help = await cli.run(["--help"]);
    assert.equal(help.status, 0);
    assert.match(help.stdout, /^Usage:/);
  });
});
