import assert from "node:assert/strict";
import { editBlock } from "../../../fakes/turns/applyTo.ts";
import { EditTurn } from "../../../fakes/turns/editTurn.ts";

const A = "src/a.ts";
const TEXT = "one();\ntwo();\nthree();\nfour();\nfive();\n";
const CALLS = { reason: "tool-calls", moreCalls: true } as const;

describe("line numbers mean the text that the model saw", () => {
  let turn: EditTurn;

  beforeEach(() => {
    turn = new EditTurn({ [A]: TEXT });
  });

  afterEach(() => turn.hub.turnEnd());

  /** What the user does to the file between two steps of the model. */
  function type(change: (text: string) => string): void {
    turn.files.set(A, change(turn.files.get(A) ?? ""));
  }

  const above = (text: string) => `zero();\nnull();\n${text}`;
  const statuses = () => turn.blocks.map(({ status }) => status);

  it("shift by the lines that the user inserted above after the read", async () => {
    await turn.read(A);
    type(above);
    await turn.edit({ file_path: A });
    await turn.say(editBlock("3:3", "THREE();"));
    assert.equal(turn.proposed, "zero();\nnull();\none();\ntwo();\nTHREE();\nfour();\nfive();\n");
    assert.equal(turn.blocks[0]?.target, "lines 3-3");
  });

  for (const [op, address, expected] of [
    [
      "an insertion before",
      "3:3:before",
      "zero();\nnull();\none();\ntwo();\nnew();\nthree();\nfour();\nfive();\n",
    ],
    [
      "an insertion after",
      "2:3:after",
      "zero();\nnull();\none();\ntwo();\nthree();\nnew();\nfour();\nfive();\n",
    ],
    [
      "an insertion behind the end",
      "6:6",
      "zero();\nnull();\none();\ntwo();\nthree();\nfour();\nfive();\nnew();\n",
    ],
    ["lines to the end", "4:6", "zero();\nnull();\none();\ntwo();\nthree();\nnew();\n"],
  ] as const) {
    it(`shifts ${op}`, async () => {
      await turn.read(A);
      type(above);
      await turn.edit({ file_path: A });
      await turn.say(editBlock(address, "new();"));
      assert.equal(turn.proposed, expected);
    });
  }

  it("come from the edit_mode reply where it showed the lines", async () => {
    await turn.read(A);
    type(above);
    const told = await turn.edit({ file_path: A, use_line_numbers: true });
    assert.match(
      told,
      /The file may have changed since you last saw it\. Line numbers refer to the text below\./,
    );
    await turn.say(editBlock("3:3", "ONE();"));
    assert.equal(turn.proposed, "zero();\nnull();\nONE();\ntwo();\nthree();\nfour();\nfive();\n");
  });

  it("tells the model to read a changed file again where the edit_mode reply shows no lines", async () => {
    await turn.read(A);
    assert.doesNotMatch(await turn.edit({ file_path: A }), /may have changed/);
    type(above);
    assert.match(
      await turn.edit({ file_path: A }),
      /may have changed since you last saw it\. Read it again before you use line numbers\./,
    );
  });

  for (const [what, change] of [
    ["changed the lines", (text: string) => text.replace("three", "THIRD")],
    ["deleted the lines", (text: string) => text.replace("three();\nfour();\n", "")],
    ["put a line between them", (text: string) => text.replace("four", "between();\nfour")],
    [
      "changed them together with lines above",
      (text: string) => text.replace("two();\nthree();", "2();\n3();"),
    ],
  ] as const) {
    it(`is a conflict that shows both texts when the user ${what}`, async () => {
      await turn.read(A);
      type(change);
      await turn.edit({ file_path: A });
      const [report = ""] = await turn.say(editBlock("3:4", "x();"));
      assert.deepEqual(statuses(), ["conflict"]);
      assert.equal(turn.proposed, null);
      const reason = turn.blocks[0]?.reason;
      assert.deepEqual(reason?.code === "lines-changed" && reason.before, {
        lines: ["three();", "four();"],
        more: 0,
      });
      assert.match(
        report,
        /^Nothing was changed in 'src\/a\.ts'\.\n\n- lines 3-4 was not proposed: These lines changed after you read them\./,
      );
      const now = /Now there is:\n((?: {2}.*\n?)*)/.exec(report)?.[1] ?? "";
      const lines = now
        .trimEnd()
        .split("\n")
        .map((line) => line.slice(2));
      assert.ok(lines.includes("(nothing)") || turn.files.get(A)?.includes(lines.join("\n")), now);
    });
  }

  for (const [where, change] of [
    ["above", (text: string) => text.replace("two();", "two();\nthree();\nfour();\ntwo();")],
    ["below", (text: string) => text.replace("four();", "four();\ntwo();\nthree();\nfour();")],
  ] as const) {
    it(`is a conflict where the user put a copy of the lines ${where}, so that none can be told from the other`, async () => {
      await turn.read(A);
      type(change);
      await turn.edit({ file_path: A });
      await turn.say(editBlock("3:3", "x();") + editBlock("5:5", "FIVE();"));
      assert.deepEqual(statuses(), ["conflict", "applied"]);
    });
  }

  it("keeps a conflict apart from blocks that can be applied", async () => {
    await turn.read(A);
    type((text) => above(text).replace("two", "TWO"));
    await turn.edit({ file_path: A });
    await turn.say(editBlock("2:2", "x();") + editBlock("5:5", "FIVE();"));
    assert.deepEqual(statuses(), ["conflict", "applied"]);
    assert.equal(turn.proposed, "zero();\nnull();\none();\nTWO();\nthree();\nfour();\nFIVE();\n");
  });

  it("continues an open session from the text that was read again", async () => {
    await turn.edit({ file_path: A, use_line_numbers: true });
    type((text) => above(text).replace("two", "TWO"));
    await turn.say("Let me look again.", CALLS);
    await turn.read(A);
    await turn.say(editBlock("4:4", "2();"));
    assert.equal(turn.proposed, "zero();\nnull();\none();\n2();\nthree();\nfour();\nfive();\n");
    assert.deepEqual(statuses(), ["applied"]);
  });

  it("finds elements in the text that was read again", async () => {
    type(() => "export function a() {}\nexport function b() {}\n");
    await turn.edit({ file_path: A });
    type((text) => `export function first() {}\n${text}`);
    await turn.read(A);
    await turn.say(
      editBlock("ast-path:b", "export function b(x: number) {}") +
        editBlock("ast-path:first:remove"),
    );
    assert.equal(turn.proposed, "export function a() {}\nexport function b(x: number) {}\n");
  });

  it("uses each line's newest view when the file was read in two parts", async () => {
    await turn.read(A, 1, 2);
    type(above);
    await turn.read(A, 6, 8);
    await turn.edit({ file_path: A });
    await turn.say(editBlock("1:1", "ONE();") + editBlock("6:6", "FOUR();"));
    assert.equal(turn.proposed, "zero();\nnull();\nONE();\ntwo();\nthree();\nFOUR();\nfive();\n");
  });

  it("refuses lines seen in parts of two different texts", async () => {
    await turn.read(A, 1, 2);
    type(above);
    await turn.read(A, 3, 4);
    await turn.edit({ file_path: A });
    const [report = ""] = await turn.say(editBlock("2:3", "x();"));
    assert.deepEqual(statuses(), ["refused"]);
    assert.match(report, /You read lines 2-3 in parts, and the file changed in between/);
  });

  it("refuses old numbers after the model's own change, and takes those before it", async () => {
    turn.files.set("b.txt", TEXT);
    const edit = async (block: string) => {
      await turn.edit({ file_path: A });
      await turn.say(block);
    };
    await turn.read(A);
    await edit(editBlock("3:3", "three();\nmore();"));
    assert.ok(turn.proposed);
    type(() => turn.proposed ?? "");
    await edit(editBlock("5:5", "FIVE();"));
    await edit(editBlock("1:1", "ONE();"));
    assert.deepEqual(statuses(), ["applied", "refused", "applied"]);
    assert.equal(turn.blocks[1]?.reason?.code, "own-changes-since");
  });

  it("applies all blocks of a message to the same text", async () => {
    await turn.edit({ file_path: A, use_line_numbers: true });
    await turn.say(
      editBlock("1:1", "ONE();\nagain();") + editBlock("3:3", "THREE();") + editBlock("2:2:remove"),
    );
    assert.equal(turn.proposed, "ONE();\nagain();\nTHREE();\nfour();\nfive();\n");
  });

  it("forgets views on another branch", async () => {
    await turn.read(A);
    type(above);
    turn.next("turn-2", []);
    await turn.edit({ file_path: A });
    await turn.say(editBlock("3:3", "ONE();"));
    assert.equal(turn.proposed, "zero();\nnull();\nONE();\ntwo();\nthree();\nfour();\nfive();\n");
  });

  it("remembers views of an earlier turn on the same branch", async () => {
    await turn.read(A);
    turn.next("turn-2", ["turn-1"]);
    type(above);
    await turn.edit({ file_path: A });
    await turn.say(editBlock("3:3", "THREE();"));
    assert.equal(turn.proposed, "zero();\nnull();\none();\ntwo();\nTHREE();\nfour();\nfive();\n");
  });

  it("ignores changed line breaks", async () => {
    await turn.read(A);
    type((text) => above(text).replaceAll("\n", "\r\n").replace(/\r\n$/, ""));
    await turn.edit({ file_path: A });
    await turn.say(editBlock("5:5", "FIVE();"));
    assert.equal(
      turn.proposed,
      "zero();\r\nnull();\r\none();\r\ntwo();\r\nthree();\r\nfour();\r\nFIVE();",
    );
  });

  it("falls back to an earlier read for lines clipped from the edit_mode reply", async () => {
    const line = (index: number) => `${index} ${"x".repeat(60)}\n`;
    turn.files.set(
      "long.txt",
      Array.from({ length: 1000 }, (_, index) => line(index + 1)).join(""),
    );
    await turn.read("long.txt", 900, 910);
    turn.files.set("long.txt", `new\n${turn.files.get("long.txt")}`);
    assert.match(
      await turn.edit({ file_path: "long.txt", use_line_numbers: true }),
      /Cut off after line [67]\d\d;/,
    );
    await turn.say(editBlock("905:905", "nine hundred and five") + editBlock("1:1", "NEW"));
    const lines = (turn.proposed ?? "").split("\n");
    assert.equal(lines[905], "nine hundred and five");
    assert.equal(lines[904], line(904).trimEnd());
    assert.equal(lines[0], "NEW");
  });

  it("takes the blocks of a second try after an overlap", async () => {
    await turn.edit({ file_path: A, use_line_numbers: true });
    await turn.say(editBlock("1:2", "x();") + editBlock("2:3", "y();"));
    await turn.say(editBlock("1:3", "z();"));
    assert.deepEqual(statuses(), ["refused", "refused", "applied"]);
  });
});
