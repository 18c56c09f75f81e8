import assert from "node:assert/strict";
import { noLanguageServices, nonInteractiveQuestion } from "../../../../src/cli/nonInteractive.ts";
import { createNodeWorkspace } from "../../../../src/node/files/nodeWorkspace.ts";
import type { EditorContext, EditorState, LineSpan } from "../../../../src/ports/editorState.ts";
import type { LanguageServices } from "../../../../src/ports/languageServices.ts";
import type { Question, QuestionRequest } from "../../../../src/ports/question.ts";
import type { FileRef } from "../../../../src/ports/workspace.ts";
import type { CheckReport, ReportCheck } from "../../../../src/tools/command/proposalCheck.ts";
import { editorTools } from "../../../../src/tools/editorTools.ts";
import { NOTES } from "../../../../src/tools/notes.ts";
import { testSyntax as syntax } from "../../../fakes/editor/testSyntax.ts";
import { type TempFolder, tempFolder } from "../../../fakes/workspace/tempFolder.ts";
import { type ToolHarness, toolHarness } from "../toolHarness.ts";

const nothing: EditorContext = { active: null, tabs: [] };

describe("editor tools", () => {
  let folder: TempFolder;

  before(async () => {
    folder = await tempFolder({
      "src/shape.ts":
        "export class Shape {\n  area() {\n    return 1;\n  }\n}\n\nexport const areaOf = (s: Shape) => s.area();\n",
      "src/style.css": ".main-area {\n  color: red;\n}\n",
      "lib/shape.py": "class Shape:\n    def area(self):\n        return 1\n",
      "notes.txt": "Shape\n",
    });
  });
  after(() => folder.remove());

  async function open(
    parts: {
      services?: LanguageServices;
      question?: Question;
      editor?: EditorState | null;
      reportCheck?: ReportCheck;
      pending?: () => readonly string[];
      root?: string;
    } = {},
  ): Promise<ToolHarness> {
    const workspace = await createNodeWorkspace(parts.root ?? folder.root);
    const {
      services = noLanguageServices,
      question = nonInteractiveQuestion,
      editor = null,
      reportCheck = async () => null,
      pending = () => [],
    } = parts;
    const given = { services, question, editor, reportCheck, pending };
    return toolHarness(editorTools({ workspace, syntax, ...given }));
  }

  it("find_symbol uses outlines when no language extension knows the name", async () => {
    const tools = await open();
    assert.equal(
      await tools.call("find_symbol", { name: "Shape" }),
      "lib/shape.py:1\tclass Shape\nsrc/shape.ts:1\tclass Shape",
    );
    assert.match(
      await tools.call("find_symbol", { name: "area" }),
      /^lib\/shape\.py:2\tmethod area in Shape\nsrc\/shape\.ts:2\tmethod area in Shape$/,
    );
    assert.match(
      await tools.call("find_symbol", { name: "AREAO" }),
      /^src\/shape\.ts:7\t\w+ areaOf$/,
    );
    assert.match(await tools.call("find_symbol", { name: "nowhere" }), /^No symbol of that name/);
    assert.equal(
      await tools.code("find_symbol", { name: "a".repeat(40_000) }),
      "invalid-arguments",
    );
  });

  const many = (count: number, text: (at: number) => string) =>
    Object.fromEntries(Array.from({ length: count }, (_, at) => [`a/use${at}.ts`, text(at)]));

  for (const [what, files, name, symbols, rest] of [
    [
      "a function among files that call it",
      {
        ...many(90, (at) => `import { target } from "../z.ts";\ntarget(${at});\n`),
        "z.ts": "export function target() {}\n",
      },
      "target",
      ["z.ts:1\tfunction target"],
      NOTES.filesUnread(31, false),
    ],
    [
      "a function among callers that keep its result under a longer name",
      {
        ...many(80, (at) => `export const target${at} = target(${at});\n`),
        "z.ts": "export function target() {}\n",
      },
      "target",
      ["z.ts:1\tfunction target"],
      NOTES.filesUnread(21, false),
    ],
    [
      "a method that no keyword declares, behind 70 mentions",
      {
        ...many(70, (at) => `// target ${at}\nexport const a${at} = b.target(${at});\n`),
        "z.ts": "export class Z {\n  target(a: number): number {\n    return a;\n  }\n}\n",
      },
      "target",
      ["z.ts:2\tmethod target in Z"],
      NOTES.filesUnread(11, false),
    ],
    [
      "a definition that no line looks like, behind 100 mentions",
      {
        ...many(100, (at) => `export const a${at} = b.target(${at});\n`),
        "z.py": "class Z:\n    first, target = 1, 2\n    def \\\n  target(self):\n        pass\n",
      },
      "target",
      null,
      null,
    ],
    [
      "a definition in a file of which a search shows no line",
      { "a.ts": "target();\n".repeat(3_000), "b.ts": "export class Target {}\n" },
      "Target",
      ["b.ts:1\tclass Target"],
      NOTES.filesUnread(0, true),
    ],
    [
      "a method in a file of which a search shows no line",
      {
        "a.ts": "target();\n".repeat(3_000),
        "b.ts": "class Z {\n  async target(a: number) {\n    return a;\n  }\n}\n",
      },
      "target",
      ["b.ts:2\tmethod target in Z"],
      NOTES.filesUnread(0, true),
    ],
  ] as const)
    it(`find_symbol finds ${what}, and says what it did not read`, async () => {
      const used = await tempFolder(files);
      const answer = await (await open({ root: used.root })).call("find_symbol", { name });
      await used.remove();
      if (symbols) assert.equal(answer, [...symbols, rest].join("\n"));
      else assert.match(answer, /^z\.py:\d+\t\w+ target/);
    });

  for (const [what, files, first, rest] of [
    ["nowhere", { "a.ts": "one();\n" }, NOTES.noSymbol, null],
    ["only used", { "a.ts": "target();\n" }, NOTES.noDefinition(1), null],
    [
      "only used, also in a file without an outline",
      { "a.ts": "target();\n", "b.txt": "target\n" },
      NOTES.notFoundYet(1),
      NOTES.filesUnread(1, false),
    ],
    [
      "used in more files than are read",
      many(405, (at) => `target(${at});\n`),
      NOTES.notFoundYet(400),
      NOTES.filesUnread(5, false),
    ],
  ] as const)
    it(`find_symbol says that there is none only where it looked at all: a name that is ${what}`, async () => {
      const used = await tempFolder(files);
      const answer = await (await open({ root: used.root })).call("find_symbol", {
        name: "target",
      });
      await used.remove();
      const [line, ...lines] = answer.split("\n");
      assert.equal(line, first);
      if (rest) assert.equal(lines.shift(), rest);
      if (first === NOTES.noSymbol) return assert.deepEqual(lines, []);
      assert.equal(lines.shift(), NOTES.mentions);
      assert.match(lines[0] ?? "", /^\S+:1\ttarget/);
      assert.ok(lines.length <= 21);
    });

  it("find_symbol prefers the symbols of language extensions", async () => {
    const known = {
      name: "Shape",
      kind: "class",
      container: "geometry",
      path: "src/shape.ts",
      line: 1,
    };
    const services = {
      ...noLanguageServices,
      findSymbols: async () => ({ ok: true as const, value: [known] }),
    };
    assert.equal(
      await (await open({ services })).call("find_symbol", { name: "Shape" }),
      "src/shape.ts:1\tclass Shape in geometry",
    );
    assert.equal(
      await (await open({ services, pending: () => ["src/shape.ts", "b.ts"] })).call(
        "find_symbol",
        { name: "Shape" },
      ),
      `src/shape.ts:1\tclass Shape in geometry\n${NOTES.symbolsOfFiles(["src/shape.ts"])}`,
    );
  });

  it("find_references locates the symbol in the line, or says that it is not there", async () => {
    const asked: [string, number, number][] = [];
    const services: LanguageServices = {
      ...noLanguageServices,
      async findReferences(file, line, character) {
        asked.push([file.path, line, character]);
        return {
          ok: true,
          value: [{ path: "src/shape.ts", line: 7, text: "export const areaOf = …" }],
        };
      },
    };
    const tools = await open({ services });
    const place = { file_path: "src/shape.ts", line: 2, symbol: "area" };
    assert.equal(
      await tools.call("find_references", place),
      "src/shape.ts:7\texport const areaOf = …",
    );
    assert.deepEqual(asked, [["src/shape.ts", 1, 2]]);
    assert.equal(await tools.code("find_references", { ...place, line: 3 }), "symbol-not-in-line");
    assert.match(
      await (await open()).call("find_references", place),
      /no language extensions here\. Search for the name/,
    );
  });

  it("get_diagnostics lists errors first, one per line", async () => {
    const at = { path: "a.ts", source: "ts 2304" };
    const services: LanguageServices = {
      ...noLanguageServices,
      diagnostics: async () => ({
        ok: true,
        value: [
          { ...at, line: 9, severity: "warning", message: "Unused." },
          { ...at, line: 5, severity: "error", message: "Cannot find\n  name 'x'." },
          { ...at, line: 2, severity: "error", message: "No.", source: "" },
        ],
      }),
    };
    assert.equal(
      await (await open({ services })).call("get_diagnostics"),
      "a.ts:2\terror: No.\na.ts:5\terror: Cannot find name 'x'. (ts 2304)\na.ts:9\twarning: Unused. (ts 2304)",
    );
    assert.match(
      await (await open()).call("get_diagnostics", { file_path: "notes.txt" }),
      /^Error \(execution\): There are no language extensions/,
    );
  });

  it("get_diagnostics ends with the user's check of what is proposed", async () => {
    const services: LanguageServices = {
      ...noLanguageServices,
      diagnostics: async () => ({ ok: true, value: [] }),
    };
    const reportCheck = async () => ({
      command: "npx tsc",
      passed: false,
      output: "a.ts(1): no\n",
    });
    const said = await (await open({ services, reportCheck })).call("get_diagnostics");
    assert.ok(said.includes("`npx tsc` fails"), said);
    assert.ok(said.endsWith("\na.ts(1): no"), said);
  });

  it("get_diagnostics says where no check has seen what is proposed", async () => {
    const services: LanguageServices = {
      ...noLanguageServices,
      diagnostics: async () => ({ ok: true, value: [] }),
    };
    const look = async (pending: readonly string[], report: CheckReport | null) => {
      const options = { services, pending: () => pending, reportCheck: async () => report };
      return (await open(options)).call("get_diagnostics");
    };
    const report = { command: "npx tsc", passed: true, output: "" };
    assert.ok((await look(["a.ts"], null)).endsWith(`\n\n${NOTES.unchecked}`));
    assert.ok(!(await look(["a.ts"], report)).includes(NOTES.unchecked));
    assert.ok(!(await look([], null)).includes(NOTES.unchecked));
  });

  it("get_editor_context returns the file, the selection and the tabs", async () => {
    const context: EditorContext = {
      active: {
        path: "src/shape.ts",
        languageId: "typescript",
        unsaved: true,
        lineCount: 8,
        selection: { first: 2, last: 3, text: "area() {\n    return 1;" },
        cursorLine: 3,
        visible: { first: 1, last: 8 },
      },
      tabs: [
        { path: "src/shape.ts", unsaved: true },
        { path: "notes.txt", unsaved: false },
      ],
    };
    const editor = (current: EditorContext): EditorState => ({
      context: () => current,
      open: async () => ({ ok: true, value: null }),
      reveal: async () => ({ ok: true, value: null }),
    });
    assert.equal(
      await (await open({ editor: editor(context) })).call("get_editor_context"),
      [
        "Active file: src/shape.ts (typescript, 8 lines, unsaved changes)",
        "Cursor: line 3; visible: lines 1-8",
        "Selected, lines 2-3:\narea() {\n    return 1;",
        "Open tabs:\nsrc/shape.ts (unsaved)\nnotes.txt",
      ].join("\n"),
    );
    assert.equal(
      await (await open({ editor: editor(nothing) })).call("get_editor_context"),
      "No file of the workspace is active.",
    );
  });

  it("open_file and reveal show only what is in the workspace", async () => {
    const shown: (readonly [string, LineSpan | null])[] = [];
    const note = async (file: FileRef, lines: LineSpan | null) => {
      shown.push([file.path, lines]);
      return { ok: true as const, value: null };
    };
    const tools = await open({
      editor: { context: () => nothing, open: note, reveal: (file) => note(file, null) },
    });
    assert.equal(
      await tools.call("open_file", { file_path: "notes.txt" }),
      "notes.txt is open in the editor.",
    );
    await tools.call("open_file", { file_path: "src/shape.ts", start_line: 4, end_line: 2 });
    await tools.call("reveal", { path: "src" });
    assert.deepEqual(shown, [
      ["notes.txt", null],
      ["src/shape.ts", { first: 4, last: 4 }],
      ["src", null],
    ]);
    assert.match(await tools.call("open_file", { file_path: "../x" }), /^Error \(permission\)/);
  });

  it("are omitted without an editor", async () => {
    assert.equal(
      await (await open()).code("open_file", { file_path: "notes.txt" }),
      "unknown-tool",
    );
  });

  it("ask_user asks the user and returns the answer", async () => {
    const requests: QuestionRequest[] = [];
    const question: Question = {
      async ask(request) {
        requests.push(request);
        return { answered: true, values: request.options.slice(0, 2) };
      },
    };
    const tools = await open({ question });
    const options = ["red", "green", "red"];
    assert.equal(
      await tools.call("ask_user", { question: "Which?", kind: "multi-choice", options }),
      "red\ngreen",
    );
    assert.deepEqual(requests, [
      {
        turnId: "t",
        callId: "c",
        kind: "multi-choice",
        question: "Which?",
        options: ["red", "green"],
      },
    ]);
    assert.deepEqual(
      tools.events.find(({ type }) => type === "question"),
      {
        ...{
          type: "question",
          callId: "c",
          kind: "multi-choice",
          question: "Which?",
          options: ["red", "green"],
        },
      },
    );
    for (const wrong of [
      { kind: "choice" },
      { kind: "choice", options: ["a", "a"] },
      { kind: "sometimes" },
    ]) {
      assert.match(
        await tools.call("ask_user", { question: "Which?", ...wrong }),
        /^Error \(validation\)/,
        JSON.stringify(wrong),
      );
    }
    assert.equal(
      await (await open()).code("ask_user", { question: "Sure?", kind: "confirm" }),
      "no-answer",
    );
  });
});
