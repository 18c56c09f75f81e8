import assert from "node:assert/strict";
import { chmod, readFile, symlink, writeFile } from "node:fs/promises";
import * as path from "node:path";
import { createChatTools } from "../../../src/agent/chat/chatTools.ts";
import { noLanguageServices, nonInteractiveQuestion } from "../../../src/cli/nonInteractive.ts";
import { createAutoReviewer } from "../../../src/edits/review/autoReviewer.ts";
import { createNodeWorkspace } from "../../../src/node/files/nodeWorkspace.ts";
import { createNodeWorkspaceFiles } from "../../../src/node/files/nodeWorkspaceFiles.ts";
import { createNodeGit } from "../../../src/node/processes/nodeGit.ts";
import { createNodeShell } from "../../../src/node/processes/nodeShell.ts";
import { noProposals } from "../../../src/tools/command/chatProposals.ts";
import { editorTools } from "../../../src/tools/editorTools.ts";
import { processTools } from "../../../src/tools/processTools.ts";
import { TOOL_NAMES, type ToolName } from "../../../src/turns/toolNames.ts";
import { emptyTree } from "../../../src/turns/turnReducer.ts";
import { allowAll } from "../../fakes/allowAll.ts";
import { testSyntax as syntax } from "../../fakes/editor/testSyntax.ts";
import { RecordingLogger } from "../../fakes/recordingLogger.ts";
import { gitRepository } from "../../fakes/workspace/gitRepository.ts";
import { type TempFolder, tempFolder } from "../../fakes/workspace/tempFolder.ts";
import { type ToolHarness, toolHarness } from "./toolHarness.ts";

const GOLDEN = path.join(import.meta.dirname, "../../fixtures/badInput.txt");

/** Names that a tool for files may be given, and what they stand for. */
const NAMES = {
  "nothing there": "gone.ts",
  "nothing there, in a folder that is not there": "no/gone.ts",
  absolute: "/etc/hostname",
  "out of the workspace": "../outside.txt",
  "a link that leads out": "link-out.txt",
  "a link to nothing": "link-gone.txt",
  "a link to itself": "link-loop",
  "a NUL": "a\0b.ts",
  "an endless name": "n".repeat(5_000),
  "a folder": "src",
  "below a file": "a.ts/b.ts",
  "not text": "data.bin",
  "not UTF-8": "latin1.txt",
  "too large": "big.txt",
  "belongs to git": ".git/config",
  "read-only": "locked.txt",
} as const;

type Kind = keyof typeof NAMES;

/** What a tool reads, what it looks at, where it writes. */
const READ: readonly Kind[] = [
  "nothing there",
  "absolute",
  "out of the workspace",
  "a link that leads out",
  "a link to nothing",
  "a link to itself",
  "a NUL",
  "an endless name",
  "a folder",
  "below a file",
  "not text",
  "not UTF-8",
  "too large",
];
const LOOK = READ.slice(0, 8);
const WRITE: readonly Kind[] = [...LOOK.slice(1), "below a file", "belongs to git", "read-only"];
const CHANGE: readonly Kind[] = [...READ, "belongs to git", "read-only"];

interface Case {
  readonly tool: ToolName;
  /** Arguments that are in order; `paths` and `wrong` replace some of them. */
  readonly args: object;
  /** The parameters that take a path, with the names to try. */
  readonly paths?: Readonly<Record<string, readonly Kind[]>>;
  /** Arguments that no schema or tool takes. */
  readonly wrong?: readonly object[];
}

const edits = [{ search: "one", replace: "two" }];
const CASES: readonly Case[] = [
  {
    tool: "read_file",
    args: {},
    paths: { file_path: READ },
    wrong: [
      { file_path: "a.ts", start_line: 0 },
      { file_path: "a.ts", start_line: 9 },
      { file_path: "a.ts", start_line: 2, end_line: 1 },
      { file_path: "a.ts", start_line: "1" },
      { file_path: "a.ts", ast_path: "gone" },
      { file_path: "a.ts", ast_path: "one", end_line: 1 },
      { file_path: "plain.txt", ast_path: "one" },
    ],
  },
  {
    tool: "read_multiple_files",
    args: {},
    wrong: [
      {},
      { file_paths: "a.ts" },
      { file_paths: [] },
      { file_paths: [""] },
      { file_paths: ["gone.ts", "../outside.txt"] },
      { file_paths: Array.from({ length: 21 }, () => "a.ts") },
    ],
  },
  {
    tool: "list_directory",
    args: {},
    paths: {
      path: [
        "nothing there",
        "absolute",
        "out of the workspace",
        "a NUL",
        "an endless name",
        "not text",
        "below a file",
      ],
    },
  },
  {
    tool: "search_in_files",
    args: {},
    wrong: [
      {},
      { pattern: "" },
      { pattern: "(", is_regexp: true },
      { pattern: "one", is_regexp: "yes" },
      { pattern: "one", include: "{" },
      { pattern: "one", include: "../**" },
      { pattern: "a\0b" },
      { pattern: "x".repeat(100_000) },
    ],
  },
  {
    tool: "file_outline",
    args: {},
    paths: { file_path: READ },
    wrong: [{ file_path: "plain.txt" }],
  },
  {
    tool: "edit_mode",
    args: {},
    paths: { file_path: CHANGE.slice(1) },
    wrong: [
      { file_path: "a.ts", use_line_numbers: true, complete_file: true },
      { file_path: "a.ts", use_line_numbers: "true" },
    ],
  },
  {
    tool: "patch_source_file",
    args: { edits },
    paths: { file_path: CHANGE },
    wrong: [
      { file_path: "a.ts" },
      { file_path: "a.ts", edits: [] },
      { file_path: "a.ts", edits: [{ search: "one" }] },
      { file_path: "a.ts", edits: [{ search: "", replace: "x" }] },
      { file_path: "a.ts", edits: edits[0] },
    ],
  },
  {
    tool: "get_file_tree",
    args: {},
    paths: {
      path: [
        "nothing there",
        "absolute",
        "out of the workspace",
        "a NUL",
        "an endless name",
        "not text",
      ],
    },
    wrong: [{ depth: 0 }, { depth: 1.5 }],
  },
  {
    tool: "find_files",
    args: {},
    wrong: [
      {},
      { glob: "" },
      { glob: "{" },
      { glob: "../*" },
      { glob: "/etc/*" },
      { glob: "a\0b" },
      { glob: "x".repeat(100_000) },
    ],
  },
  { tool: "file_stat", args: {}, paths: { path: [...LOOK, "below a file"] } },
  {
    tool: "create_file",
    args: { content: "x" },
    paths: { file_path: [...WRITE, "a folder"] },
    wrong: [
      { file_path: "new.ts" },
      { file_path: "a.ts", content: "x" },
      { file_path: "a.ts", content: 1 },
      { file_path: ".", content: "x" },
    ],
  },
  {
    tool: "create_directory",
    args: {},
    paths: { path: [...WRITE.filter((kind) => kind !== "read-only"), "a folder", "not text"] },
  },
  {
    tool: "rename_file",
    args: { to: "new.ts" },
    paths: { from: [...LOOK, "belongs to git"] },
    wrong: [
      { from: "src" },
      { from: ".", to: "x" },
      { from: "src", to: "src/sub" },
      { from: "a.ts", to: "data.bin" },
      { from: "a.ts", to: "../x.ts" },
      { from: "a.ts", to: ".git/hooks/x" },
    ],
  },
  {
    tool: "copy_file",
    args: { to: "new.ts" },
    paths: { from: LOOK },
    wrong: [
      { from: "src", to: "src/sub" },
      { from: "a.ts", to: "src" },
      { from: "a.ts", to: "" },
      { from: "a.ts", to: ".git/hooks/x" },
    ],
  },
  {
    tool: "delete_file",
    args: {},
    paths: {
      path: [
        "nothing there",
        "absolute",
        "out of the workspace",
        "a NUL",
        "an endless name",
        "a folder",
        "below a file",
        "belongs to git",
      ],
    },
    wrong: [{ path: "." }],
  },
  { tool: "find_symbol", args: {}, wrong: [{}, { name: "" }, { name: 1 }, { name: "gone" }] },
  {
    tool: "find_references",
    args: { line: 1, symbol: "one" },
    paths: { file_path: ["nothing there", "out of the workspace", "not text", "a folder"] },
    wrong: [
      { file_path: "a.ts", line: 0, symbol: "one" },
      { file_path: "a.ts", line: 99, symbol: "one" },
      { file_path: "a.ts", line: 1, symbol: "" },
      { file_path: "a.ts", line: 1, symbol: "one" },
    ],
  },
  {
    tool: "get_diagnostics",
    args: {},
    paths: { file_path: ["absolute", "out of the workspace", "a NUL"] },
  },
  {
    tool: "open_file",
    args: {},
    paths: { file_path: ["absolute", "out of the workspace", "a link that leads out", "a NUL"] },
    wrong: [{ file_path: "a.ts", start_line: 0 }],
  },
  {
    tool: "reveal",
    args: {},
    paths: { path: ["absolute", "out of the workspace", "a link that leads out"] },
  },
  {
    tool: "ask_user",
    args: {},
    wrong: [
      {},
      { question: "", kind: "text" },
      { question: "Which?", kind: "which" },
      { question: "Which?", kind: "choice" },
      { question: "Which?", kind: "choice", options: ["a", "a"] },
      { question: "Which?", kind: "confirm", options: ["a", "b"] },
      { question: "x".repeat(5_000), kind: "text" },
      { question: "Which?", kind: "text" },
    ],
  },
  {
    tool: "run_command",
    args: { command: "true" },
    paths: {
      working_directory: ["nothing there", "absolute", "out of the workspace", "not text", "a NUL"],
    },
    wrong: [
      {},
      { command: "" },
      { command: ["ls"] },
      { command: "true", timeout_seconds: 0 },
      { command: "true", timeout_seconds: 9_999 },
      { command: "a\0b" },
    ],
  },
  {
    tool: "read_command_output",
    args: {},
    wrong: [
      {},
      { command_id: "c9" },
      { command_id: "c9", offset: -1 },
      { command_id: "c9", wait_seconds: 60 },
    ],
  },
  { tool: "kill_command", args: {}, wrong: [{}, { command_id: "c9" }] },
  {
    tool: "git_status",
    args: {},
    paths: { folder: ["nothing there", "absolute", "out of the workspace", "not text"] },
  },
  {
    tool: "git_diff",
    args: {},
    wrong: [
      { paths: "a.ts" },
      { paths: ["../outside.txt"] },
      { revision: "--output=x" },
      { revision: "no-such-branch" },
      { paths: ["a\0b"] },
    ],
  },
  {
    tool: "git_log",
    args: {},
    wrong: [{ count: 0 }, { count: 1_000 }, { revision: "-x" }, { revision: "no-such-branch" }],
  },
  {
    tool: "git_commit",
    args: {},
    wrong: [
      {},
      { message: "" },
      { message: "x", paths: ["gone.ts"] },
      { message: "x", paths: ["../outside.txt"] },
      { message: "x" },
    ],
  },
  {
    tool: "git_branch",
    args: {},
    wrong: [
      {},
      { action: "delete" },
      { action: "create" },
      { action: "create", name: "-x" },
      { action: "create", name: "a..b" },
      { action: "switch", name: "no-such-branch" },
    ],
  },
  {
    tool: "read_result",
    args: {},
    wrong: [{}, { result_id: "r9", offset: 0 }, { result_id: "r9", offset: -1 }],
  },
  { tool: "get_editor_context", args: {}, wrong: [{ file_path: "a.ts" }] },
  {
    tool: "write_todos",
    args: {},
    wrong: [
      {},
      { todos: [{ text: "", status: "pending" }] },
      { todos: [{ text: "x", status: "later" }] },
      { todos: [{ text: "x".repeat(5_000), status: "pending" }] },
      { todos: Array.from({ length: 51 }, () => ({ text: "x", status: "pending" })) },
    ],
  },
  {
    tool: "run_agent",
    args: {},
    wrong: [{}, { task: "" }, { task: "x".repeat(20_001) }, { task: "x", agent: "no-such-agent" }],
  },
  {
    tool: "fetch_url",
    args: {},
    wrong: [{}, { url: "" }, { url: "no address" }, { url: "file:///etc/hostname" }],
  },
];

/** What a path parameter may not be, whatever the tool. */
const NO_PATHS: readonly unknown[] = [undefined, 42, "", ["a.ts"]];

function argumentsOf({ args, paths = {}, wrong = [] }: Case): object[] {
  const named = Object.entries(paths).flatMap(([parameter, kinds]) => [
    ...NO_PATHS.map((value) => ({ ...args, [parameter]: value })),
    ...kinds.map((kind) => ({ ...args, [parameter]: NAMES[kind] })),
  ]);
  return [...named, ...wrong];
}

describe("bad input", () => {
  let folder: TempFolder;
  let harness: ToolHarness;
  let dispose: () => Promise<void>;

  before(async () => {
    folder = await tempFolder({
      "ws/a.ts": "export const one = 1;\n",
      "ws/plain.txt": "one\n",
      "ws/src/b.ts": "export const two = 2;\n",
      "ws/data.bin": new Uint8Array([0, 1, 2]),
      "ws/latin1.txt": new Uint8Array([0x4d, 0xfc, 0x6c, 0x6c, 0x0a]),
      "ws/big.txt": "x\n".repeat(3 * 1024 * 1024),
      "ws/locked.txt": "one\n",
      "outside.txt": "one\n",
    });
    const root = path.join(folder.root, "ws");
    await chmod(path.join(root, "locked.txt"), 0o444);
    await symlink(path.join(folder.root, "outside.txt"), path.join(root, "link-out.txt"));
    await symlink("nowhere.txt", path.join(root, "link-gone.txt"));
    await symlink("link-loop", path.join(root, "link-loop"));
    await gitRepository(root, "a.ts");
    const workspace = await createNodeWorkspace(root);
    const files = await createNodeWorkspaceFiles(root);
    const machine = processTools({
      workspace,
      shell: createNodeShell(),
      git: createNodeGit(async () => ({ folders: [root], opened: null })),
    });
    dispose = () => machine.dispose();
    const editor = {
      context: () => ({ active: null, tabs: [] }),
      open: async () => ({ ok: true as const, value: null }),
      reveal: async () => ({ ok: true as const, value: null }),
    };
    const own = [
      ...editorTools({
        workspace,
        syntax,
        services: noLanguageServices,
        question: nonInteractiveQuestion,
        editor,
        web: { read: async () => ({ ok: false, error: { code: "no-text" } }) },
      }),
      ...machine.of(noProposals),
    ];
    const chat = createChatTools(
      {
        chatId: "chat-1",
        workspace,
        syntax,
        reviewer: createAutoReviewer("none", async () => ({ ok: true, value: null })),
        approval: allowAll,
        files,
        tools: own,
        logger: new RecordingLogger(),
      },
      emptyTree(),
      () => "ast",
    );
    harness = toolHarness(chat.all);
  });
  after(async () => {
    await dispose();
    await folder.remove();
  });

  it("is tried with every tool", () => {
    assert.deepEqual(CASES.map(({ tool }) => tool).sort(), [...TOOL_NAMES].sort());
  });

  it("gets a helpful error from every tool", async () => {
    const answers: string[] = [];
    for (const each of CASES) {
      answers.push(`\n== ${each.tool}`);
      for (const args of argumentsOf(each)) {
        const shown = JSON.stringify(args).replace(
          /(.)\1{99,}/g,
          (run: string) => `${run[0]}×${run.length}`,
        );
        const answer = (await harness.call(each.tool, args))
          .replaceAll(folder.root, "ROOT")
          .replace(/(.)\1{99,}/g, (run: string) => `${run[0]}×${run.length}`);
        answers.push(`${shown}\n    ${answer.replaceAll("\n", "\n    ")}`);
      }
    }
    const text = `${answers.join("\n").trim()}\n`;
    if (process.env.UPDATE_GOLDEN) await writeFile(GOLDEN, text);
    assert.equal(text, await readFile(GOLDEN, "utf8"));
  });
});
