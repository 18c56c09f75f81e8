import assert from "node:assert/strict";
import { encode } from "gpt-tokenizer/encoding/o200k_base";
import { noLanguageServices, nonInteractiveQuestion } from "../../../src/cli/nonInteractive.ts";
import { GuardedBlocks } from "../../../src/edits/blocks/guardedBlocks.ts";
import { createEditMode } from "../../../src/edits/editMode.ts";
import { createAutoReviewer } from "../../../src/edits/review/autoReviewer.ts";
import { createNodeWorkspace } from "../../../src/node/files/nodeWorkspace.ts";
import { createNodeWorkspaceFiles } from "../../../src/node/files/nodeWorkspaceFiles.ts";
import { createNodeGit } from "../../../src/node/processes/nodeGit.ts";
import { createNodeShell } from "../../../src/node/processes/nodeShell.ts";
import type { EditorState } from "../../../src/ports/editorState.ts";
import { editorTools } from "../../../src/tools/editorTools.ts";
import { createFileOutline } from "../../../src/tools/files/fileOutline.ts";
import { createListDirectory } from "../../../src/tools/files/listDirectory.ts";
import { createReadFile } from "../../../src/tools/files/readFile.ts";
import { createReadMultipleFiles } from "../../../src/tools/files/readMultipleFiles.ts";
import { ViewedFiles } from "../../../src/tools/files/viewedFiles.ts";
import { fileTools } from "../../../src/tools/fileTools.ts";
import { processTools } from "../../../src/tools/processTools.ts";
import { createSearchInFiles } from "../../../src/tools/search/searchInFiles.ts";
import type { Tool } from "../../../src/tools/tool.ts";
import { createToolRouter } from "../../../src/tools/toolRouter.ts";
import { allowAll } from "../../fakes/allowAll.ts";
import { noSyntax } from "../../fakes/editor/noSyntax.ts";
import { pluck } from "../../fakes/pluck.ts";
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
  "read_command_output",
  "git_status",
  "git_diff",
  "git_log",
  "read_result",
];
const WRITE = ["edit_mode", "patch_source_file", "create_file", "create_directory", "rename_file", "copy_file", "delete_file"];
const EXECUTE = ["run_command", "kill_command", "git_commit", "git_branch"];

describe("the tools as the model sees them", () => {
  let folder: TempFolder;
  let tools: readonly Tool[];

  before(async () => {
    folder = await tempFolder();
    const workspace = await createNodeWorkspace(folder.root);
    const files = await createNodeWorkspaceFiles(folder.root);
    const readFile = createReadFile(workspace, noSyntax, new ViewedFiles());
    const reviewer = createAutoReviewer("none", async () => ({ ok: true, value: null }));
    const editMode = createEditMode({
      chatId: "chat-1",
      workspace,
      syntax: noSyntax,
      reviewer,
      shown: new ViewedFiles(),
      held: new GuardedBlocks(),
    });
    const machine = processTools(
      workspace,
      createNodeShell(),
      createNodeGit(async () => ({ folders: [], opened: null })),
    );
    machine.dispose();
    tools = [
      readFile,
      createReadMultipleFiles(readFile),
      createListDirectory(workspace),
      createSearchInFiles(workspace),
      createFileOutline(workspace, noSyntax),
      editMode.tool,
      editMode.patchTool,
      ...fileTools(workspace, files),
      ...editorTools({ workspace, syntax: noSyntax, services: noLanguageServices, question: nonInteractiveQuestion, editor }),
      ...machine.tools,
    ];
  });
  after(() => folder.remove());

  it("have the expected names and effects", () => {
    const router = createToolRouter(tools, allowAll);
    const effects = Object.fromEntries(router.specs.map(({ name }) => [name, router.effectOf({ callId: "c", name, argsText: "" })]));
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
      ["kill_command"],
    );
    assert.ok(tools.every(({ effect, maxRetries = 0 }) => effect === "read" || maxRetries === 0));
  });

  it("describe every parameter", () => {
    const undescribed = tools.flatMap(({ name, parameters }) => propertiesWithout(parameters).map((property) => `${name}.${property}`));
    assert.deepEqual(undescribed, []);
  });

  it("take less than 3,900 tokens of a request, and name no meaningless bounds", () => {
    const { specs } = createToolRouter(tools, allowAll);
    const sizes = specs.map((spec) => ({ name: spec.name, tokens: encode(JSON.stringify({ type: "function", function: spec })).length }));
    const total = sizes.reduce((sum, { tokens }) => sum + tokens, 0);
    console.log(`    ${specs.length} tools, ${total} o200k tokens; the largest: ${largest(sizes)}`);
    assert.ok(total < 3_900, String(total));
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
    const items: unknown = typeof value === "object" && value !== null && "items" in value ? value.items : null;
    const described = typeof value === "object" && value !== null && "description" in value;
    return [...(described ? [] : [name]), ...propertiesWithout(items).map((inner) => `${name}.${inner}`)];
  });
}
