import assert from "node:assert/strict";
import { encode } from "gpt-tokenizer/encoding/o200k_base";
import { createAutoReviewer } from "../../../src/edits/autoReviewer.ts";
import { createEditMode } from "../../../src/edits/editMode.ts";
import { HeldBlocks } from "../../../src/edits/heldBlocks.ts";
import { createNodeGit } from "../../../src/headless/nodeGit.ts";
import { createNodeShell } from "../../../src/headless/nodeShell.ts";
import { createNodeWorkspace } from "../../../src/headless/nodeWorkspace.ts";
import { createNodeWorkspaceFiles } from "../../../src/headless/nodeWorkspaceFiles.ts";
import { nobodyToAsk, noLanguageServices } from "../../../src/headless/noEditor.ts";
import type { EditorState } from "../../../src/ports/editorState.ts";
import { editorTools } from "../../../src/tools/editorTools.ts";
import { createFileOutline } from "../../../src/tools/fileOutline.ts";
import { fileTools } from "../../../src/tools/fileTools.ts";
import { createListDirectory } from "../../../src/tools/listDirectory.ts";
import { machineTools } from "../../../src/tools/machineTools.ts";
import { createReadFile } from "../../../src/tools/readFile.ts";
import { createReadMultipleFiles } from "../../../src/tools/readMultipleFiles.ts";
import { createSearchInFiles } from "../../../src/tools/searchInFiles.ts";
import { ShownTexts } from "../../../src/tools/shownTexts.ts";
import type { Tool } from "../../../src/tools/tool.ts";
import { createToolRouter } from "../../../src/tools/toolRouter.ts";
import { allowAll } from "../../fakes/allowAll.ts";
import { noSyntax } from "../../fakes/noSyntax.ts";
import { type TempFolder, tempFolder } from "../../fakes/tempFolder.ts";

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
    const readFile = createReadFile(workspace, noSyntax, new ShownTexts());
    const reviewer = createAutoReviewer("none", async () => ({ ok: true, value: null }));
    const editMode = createEditMode({ workspace, syntax: noSyntax, reviewer, shown: new ShownTexts(), held: new HeldBlocks() });
    const machine = machineTools(workspace, createNodeShell(), createNodeGit());
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
      ...editorTools({ workspace, syntax: noSyntax, services: noLanguageServices, question: nobodyToAsk, editor }),
      ...machine.tools,
    ];
  });
  after(() => folder.remove());

  it("have the expected names and effects", () => {
    const router = createToolRouter(tools, allowAll);
    const effects = Object.fromEntries(router.specs.map(({ name }) => [name, router.effectOf(name)]));
    const expected = [
      ...READ.map((name) => [name, "read"]),
      ...WRITE.map((name) => [name, "write"]),
      ...EXECUTE.map((name) => [name, "execute"]),
    ];
    assert.deepEqual(effects, Object.fromEntries(expected));
    assert.deepEqual(
      tools.filter(({ reviewed }) => reviewed).map(({ name }) => name),
      ["edit_mode", "patch_source_file"],
    );
    assert.deepEqual(
      tools.filter(({ unasked }) => unasked).map(({ name }) => name),
      ["kill_command"],
    );
    assert.ok(tools.every(({ effect, maxRetries }) => effect === "read" || maxRetries === 0));
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
