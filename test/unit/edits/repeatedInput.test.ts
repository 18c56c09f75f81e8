import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { encode } from "gpt-tokenizer/encoding/o200k_base";
import { EditTurn } from "../../fakes/turns/editTurn.ts";

const A = "src/a.ts";
const TEXT = "export function one() {\n  return 1;\n}\n\nexport function two() {\n  return 2;\n}\n";
const LONG = readFileSync("src/edits/propose/blockCapture.ts", "utf8");

describe("what the model has just read", () => {
  let turn: EditTurn;

  beforeEach(() => {
    turn = new EditTurn({ [A]: TEXT });
  });

  afterEach(() => turn.hub.turnEnd());

  const lines = () => turn.edit({ file_path: A, use_line_numbers: true });
  const elements = () => turn.edit({ file_path: A });
  const type = () => turn.files.set(A, `// new\n${turn.files.get(A)}`);

  it("is not repeated when edit mode is turned on: the lines", async () => {
    await turn.read(A);
    const reply = await lines();
    assert.doesNotMatch(reply, /\treturn 1|^1\t/m);
    assert.match(reply, /Line numbers refer to the lines as you read them/);
  });

  it("is not repeated when edit mode is turned on: the outline", async () => {
    await turn.read(A);
    const reply = await elements();
    assert.doesNotMatch(reply, /^two {2}function/m);
    assert.match(reply, /Outline \(AST paths\): as you read it/);
  });

  it("is not repeated when it is read again in parts, or edit mode is turned on twice", async () => {
    await elements();
    assert.match(
      await turn.read(A, 1, 2),
      /1\texport function one[\s\S]*\n\nOutline \(AST paths\): unchanged\.$/,
    );
    await lines();
    assert.doesNotMatch(await lines(), /^1\t/m);
  });

  for (const [what, before] of [
    ["the model has read nothing", async () => {}],
    ["it has read only a part", () => turn.read(A, 1, 3)],
    ["the file has changed", async () => [await turn.read(A), type()]],
    [
      "it has read it for an earlier request",
      async () => [await turn.read(A), turn.next("turn-2", ["turn-1", "request-2"])],
    ],
    ["a summary has replaced what it read", async () => [await turn.read(A), turn.shown.forget()]],
  ] as const) {
    it(`is shown in full where ${what}`, async () => {
      await before();
      assert.match(await lines(), /^1\t/m);
    });
  }

  it("is shown in full again after a change: the outline", async () => {
    await turn.read(A);
    type();
    assert.match(await elements(), /^two {2}function 6-8/m);
  });

  it("costs few tokens", async () => {
    turn.files.set(A, LONG);
    const [read, byLines, byElements, part] = [
      await turn.read(A),
      await lines(),
      await elements(),
      await turn.read(A, 10, 20),
    ].map((text) => encode(text).length);
    console.log(
      `    o200k tokens of ${LONG.split("\n").length} lines: read ${read}, line mode ${byLines}, AST mode ${byElements}, 11 lines ${part}`,
    );
    assert.ok(
      byLines !== undefined && byElements !== undefined && read !== undefined && part !== undefined,
    );
    assert.ok(
      byLines < read / 10 && byElements < read / 5 && part < 300,
      "the replies repeat the file",
    );
  });
});
