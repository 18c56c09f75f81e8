import assert from "node:assert/strict";
import { encode } from "gpt-tokenizer/encoding/o200k_base";
import { createChatTools } from "../../../src/agent/chat/chatTools.ts";
import { noLanguageServices, nonInteractiveQuestion } from "../../../src/cli/nonInteractive.ts";
import { createAutoReviewer } from "../../../src/edits/review/autoReviewer.ts";
import { createNodeWorkspace } from "../../../src/node/files/nodeWorkspace.ts";
import { createNodeWorkspaceFiles } from "../../../src/node/files/nodeWorkspaceFiles.ts";
import { createNodeGit } from "../../../src/node/processes/nodeGit.ts";
import { createNodeShell } from "../../../src/node/processes/nodeShell.ts";
import type { EditorState } from "../../../src/ports/editorState.ts";
import { noProposals } from "../../../src/tools/command/chatProposals.ts";
import { editorTools } from "../../../src/tools/editorTools.ts";
import { processTools } from "../../../src/tools/processTools.ts";
import type { Tool } from "../../../src/tools/tool.ts";
import { readCall } from "../../../src/tools/toolArguments.ts";
import { createToolRouter } from "../../../src/tools/toolRouter.ts";
import { TOOL_NAMES } from "../../../src/turns/toolNames.ts";
import { emptyTree } from "../../../src/turns/turnReducer.ts";
import { allowAll } from "../../fakes/allowAll.ts";
import { noSyntax } from "../../fakes/editor/noSyntax.ts";
import { pluck } from "../../fakes/pluck.ts";
import { RecordingLogger } from "../../fakes/recordingLogger.ts";
import { type TempFolder, tempFolder } from "../../fakes/workspace/tempFolder.ts";

const editor: EditorState = {
  context: () => ({ active: null, tabs: [] }),
  open: async () => ({ ok: true, value: null }),
  reveal: async () => ({ ok: true, value: null }),
};

const READ = [
  "read_file",
  "read_multiple_files",
  "list_directory",
  "search_in_files",
  "file_outline",
  "get_file_tree",
  "find_files",
  "file_stat",
  "find_symbol",
  "find_references",
  "get_diagnostics",
  "get_editor_context",
  "open_file",
  "reveal",
  "ask_user",
  "write_todos",
  "fetch_url",
  "read_command_output",
  "git_status",
  "git_diff",
  "git_log",
  "read_result",
];
const WRITE = [
  "edit_mode",
  "patch_source_file",
  "create_file",
  "create_directory",
  "rename_file",
  "copy_file",
  "delete_file",
];
const EXECUTE = ["run_agent", "run_command", "kill_command", "git_commit", "git_branch"];

describe("the tools as the model sees them", () => {
  let folder: TempFolder;
  let tools: readonly Tool[];

  before(async () => {
    folder = await tempFolder();
    const workspace = await createNodeWorkspace(folder.root);
    const files = await createNodeWorkspaceFiles(folder.root);
    const machine = processTools({
      workspace,
      shell: createNodeShell(),
      git: createNodeGit(async () => ({ folders: [], opened: null })),
    });
    machine.dispose();
    const own = [
      ...editorTools({
        workspace,
        syntax: noSyntax,
        services: noLanguageServices,
        question: nonInteractiveQuestion,
        editor,
        web: { read: async () => ({ ok: false, error: { code: "no-text" } }) },
      }),
      ...machine.of(noProposals),
    ];
    tools = createChatTools(
      {
        chatId: "chat-1",
        workspace,
        syntax: noSyntax,
        reviewer: createAutoReviewer("none", async () => ({ ok: true, value: null })),
        approval: allowAll,
        files,
        tools: own,
        logger: new RecordingLogger(),
      },
      emptyTree(),
      () => "ast",
    ).all;
  });
  after(() => folder.remove());

  it("are all offered, and no others", () => {
    const offered = pluck(createToolRouter(tools, allowAll).specs, "name");
    assert.deepEqual([...offered].sort(), [...TOOL_NAMES].sort());
  });

  it("have the expected effects", () => {
    const router = createToolRouter(tools, allowAll);
    const effects = Object.fromEntries(
      router.specs.map(({ name }) => {
        const { effect } = router.prepare(readCall({ callId: "c", name, argsText: "" }));
        return [name, effect];
      }),
    );
    const expected = [
      ...READ.map((name) => [name, "read"]),
      ...WRITE.map((name) => [name, "write"]),
      ...EXECUTE.map((name) => [name, "execute"]),
    ];
    assert.deepEqual(effects, Object.fromEntries(expected));
    assert.deepEqual(
      pluck(
        tools.filter(({ reviewed }) => reviewed),
        "name",
      ),
      ["edit_mode", "patch_source_file"],
    );
    assert.deepEqual(
      pluck(
        tools.filter(({ unasked }) => unasked),
        "name",
      ),
      ["kill_command", "run_agent"],
    );
  });

  it("describe every parameter", () => {
    const undescribed = tools.flatMap(({ name, parameters }) =>
      propertiesWithout(parameters).map((property) => `${name}.${property}`),
    );
    assert.deepEqual(undescribed, []);
  });

  it("take less than 4,400 tokens of a request, and name no meaningless bounds", () => {
    const { specs } = createToolRouter(tools, allowAll);
    const sizes = specs.map((spec) => ({
      name: spec.name,
      tokens: encode(JSON.stringify({ type: "function", function: spec })).length,
    }));
    const total = sizes.reduce((sum, { tokens }) => sum + tokens, 0);
    console.log(`    ${specs.length} tools, ${total} o200k tokens; the largest: ${largest(sizes)}`);
    assert.ok(total < 4_400, String(total));
    assert.doesNotMatch(JSON.stringify(specs), /9007199254740991/);
  });
});

function largest(sizes: readonly { readonly name: string; readonly tokens: number }[]): string {
  return [...sizes]
    .sort((a, b) => b.tokens - a.tokens)
    .slice(0, 4)
    .map(({ name, tokens }) => `${name} ${tokens}`)
    .join(", ");
}

function propertiesWithout(schema: unknown): string[] {
  if (typeof schema !== "object" || schema === null || !("properties" in schema)) return [];
  const { properties } = schema;
  if (typeof properties !== "object" || properties === null) return [];
  return Object.entries(properties).flatMap(([name, value]: [string, unknown]) => {
    const items: unknown =
      typeof value === "object" && value !== null && "items" in value ? value.items : null;
    const described = typeof value === "object" && value !== null && "description" in value;
    return [
      ...(described ? [] : [name]),
      ...propertiesWithout(items).map((inner) => `${name}.${inner}`),
    ];
  });
}
