import assert from "node:assert/strict";
import fc from "fast-check";
import { createAutoReviewer } from "../../../../src/edits/review/autoReviewer.ts";
import { campaignRuns } from "../../../fakes/campaignRuns.ts";
import { pluck } from "../../../fakes/pluck.ts";
import { editBlock, statuses } from "../../../fakes/turns/applyTo.ts";
import { EditTurn } from "../../../fakes/turns/editTurn.ts";
import { answerAll, RecordingReviewer } from "../../../fakes/turns/recordingReviewer.ts";
import { fileSnapshot } from "../../../fakes/workspace/fileSnapshot.ts";

const A = "src/a.ts";
const ONE = "export function one(a: number) {\n  const b = a + 1;\n  return b;\n}\n";
const TWO = "/** Two. */\nexport function two() {\n  return 2;\n}\n";
const SHAPE =
  "class Shape {\n  width = 1;\n  height = 2;\n\n  area() {\n    return this.width;\n  }\n}\n";
const TEXT = `${ONE}\n${TWO}\n${SHAPE}`;
const ORIGIN = { chatId: "chat", turnId: "turn", callId: "call" };
const CALLS = { reason: "tool-calls", moreCalls: true } as const;

describe("an element that the model has not seen as it is now", () => {
  let turn: EditTurn;

  beforeEach(() => {
    turn = new EditTurn({ [A]: TEXT });
  });

  afterEach(() => turn.hub.turnEnd());

  const type = (change: (text: string) => string) =>
    turn.files.set(A, change(turn.files.get(A) ?? ""));
  /** Each block's status, with its reason and its warnings. */
  const states = () =>
    turn.blocks.map(({ status, reason, warnings }) =>
      [status, ...(reason ? [reason.code] : []), ...pluck(warnings, "code")].join(" "),
    );
  const newest = () => states().at(-1);
  const replaceTwo = editBlock("ast-path:two", "export function two() {\n  return 22;\n}");

  /** The model edits and the user accepts, as it is. */
  async function applied(...blocks: readonly string[]): Promise<readonly string[]> {
    await turn.edit({ file_path: A });
    const reports = await turn.say(blocks.join(""));
    type((text) => turn.proposed ?? text);
    return reports;
  }

  describe("that the model only saw named", () => {
    for (const [what, address, body] of [
      ["a replacement", "ast-path:two", "export function two() {}"],
      [
        "a replacement with the comment",
        "ast-path:two:with-comment",
        "/** 2 */\nexport function two() {}",
      ],
      ["a deletion", "ast-path:two:remove", ""],
      ["an empty body", "ast-path:two", ""],
    ] as const) {
      it(`carries a warning in ${what}, and the model is told to read it`, async () => {
        await turn.edit({ file_path: A });
        const [report = ""] = await turn.say(editBlock(address, body));
        assert.deepEqual(states(), ["applied never-read"]);
        assert.match(report, /You did not read the text that this replaces/);
        assert.deepEqual(turn.reviewer.reviews[0]?.proposed?.blocks[0]?.warnings, [
          { code: "never-read", forgotten: false },
        ]);
      });
    }

    it("keeps the lines below it too, where the warned replacement is shorter", async () => {
      const text = "def f():\n    a = 1\n    b = 2\n\n\ndef g():\n    pass\n";
      const file = "src/a.py";
      const automatic = createAutoReviewer("all", () => assert.fail("nothing may be accepted"));
      const reviewer = new RecordingReviewer((...proposal) =>
        automatic.open(fileSnapshot(file, text), ORIGIN).propose(...proposal),
      );
      const other = new EditTurn({ [file]: text }, reviewer);
      await other.edit({ file_path: file });
      await other.say(editBlock("ast-path:f", "def f():\n    a = 1"));
      other.hub.turnEnd();
      assert.deepEqual(statuses(other), ["rejected"]);
    });

    for (const op of ["before", "after", "append", "prepend"]) {
      it(`needs no view to insert: ${op}`, async () => {
        await turn.edit({ file_path: A });
        await turn.say(editBlock(`ast-path:Shape:${op}`, "x = 1;"));
        assert.deepEqual(states(), ["applied"]);
      });
    }

    it("carries a warning where only a part of it was read", async () => {
      await turn.read(A, 1, 2);
      await applied(editBlock("ast-path:one", "function one() {}"), replaceTwo);
      assert.deepEqual(states(), ["applied never-read", "applied never-read"]);
    });

    it("carries a warning with the user's door where the text was shown in part only", async () => {
      turn.files.set(
        A,
        `${"// filler, filler, filler, filler, filler, filler\n".repeat(1200)}${TEXT}`,
      );
      await turn.editForUser({ file_path: A });
      await turn.say(replaceTwo);
      assert.deepEqual(states(), ["applied never-read"]);
    });
  });

  describe("that the model read", () => {
    for (const [what, read] of [
      ["with the whole file", () => turn.read(A)],
      ["in two parts", async () => [await turn.read(A, 5, 8), await turn.read(A, 9, 9)]],
      ["by the user's door", () => turn.editForUser({ file_path: A })],
      [
        "by an earlier request of the branch",
        async () => [await turn.read(A), turn.next("turn-2", ["turn-1"])],
      ],
    ] as const) {
      it(`is replaced without a warning: ${what}`, async () => {
        await read();
        await applied(replaceTwo);
        assert.deepEqual(states(), ["applied"]);
      });
    }

    it("carries a warning where it was read on another branch", async () => {
      await turn.read(A);
      turn.next("turn-2", []);
      await applied(replaceTwo);
      assert.deepEqual(states(), ["applied never-read"]);
    });

    for (const [what, change] of [
      ["wrote above it", (text: string) => `// new\nimport "x";\n${text}`],
      [
        "changed other elements",
        (text: string) => text.replace("a + 1", "a + 2").replace("height = 2", "height = 3"),
      ],
      ["removed the element above it", (text: string) => text.replace(`${ONE}\n`, "")],
      ["removed the element below it", (text: string) => text.replace(`\n${SHAPE}`, "")],
      ["changed the line breaks", (text: string) => text.replaceAll("\n", "\r\n")],
      ["changed the comment above it", (text: string) => text.replace("Two.", "The second.")],
      ["put code beside it", (text: string) => text.replace("  return 2;\n}", "  return 2;\n};")],
    ] as const) {
      it(`is replaced without a warning after the user ${what}`, async () => {
        await turn.read(A);
        type(change);
        await applied(replaceTwo);
        assert.deepEqual(states(), ["applied"]);
      });
    }

    for (const [what, change, before, now] of [
      [
        "changed a line",
        (text: string) => text.replace("return 2", "return 3"),
        "  return 2;",
        "  return 3;",
      ],
      [
        "put a line into it",
        (text: string) => text.replace("  return 2", "  log();\n  return 2"),
        undefined,
        "  log();",
      ],
      [
        "took a line out of it",
        (text: string) => text.replace("  return 2;\n", ""),
        "  return 2;",
        undefined,
      ],
      [
        "decorated it",
        (text: string) =>
          text.replace("export function two", "/** 2 */\nexport async function two"),
        undefined,
        undefined,
      ],
    ] as const) {
      it(`is a conflict that shows both texts after the user ${what}`, async () => {
        await turn.read(A);
        type(change);
        const [report = ""] = await applied(replaceTwo);
        assert.deepEqual(states(), ["conflict element-changed"]);
        assert.equal(turn.proposed, null);
        assert.match(
          report,
          /^Nothing was changed in 'src\/a\.ts'\.\n\n- ast-path:two was not proposed: It changed after you saw it\./,
        );
        const reason = turn.blocks[0]?.reason;
        assert.ok(reason?.code === "element-changed");
        assert.notDeepEqual(reason.before, reason.now);
        if (before !== undefined)
          assert.ok(reason.before.lines.includes(before), reason.before.lines.join("\n"));
        if (now !== undefined)
          assert.ok(reason.now.lines.includes(now), reason.now.lines.join("\n"));
      });
    }

    it("is not replaced with the rest where the user put a copy beside it, whatever its number", async () => {
      await turn.read(A);
      type((text) => text.replace(TWO, `${TWO}${TWO}`));
      const body = "export function two() {\n  return 22;\n}";
      await applied(editBlock("ast-path:two#1", body), editBlock("ast-path:two#2", body));
      assert.deepEqual(states(), ["applied never-read", "conflict element-changed"]);
    });

    it("is a conflict where an import was changed into something else", async () => {
      turn.files.set("src/a.lua", "require 'a'\nrequire 'b'\n\nlocal c = 1\n");
      await turn.read("src/a.lua");
      turn.files.set("src/a.lua", "require 'a'\nrequired 'b'\n\nlocal c = 1\n");
      await turn.edit({ file_path: "src/a.lua" });
      await turn.say(editBlock("ast-path:@imports", "require 'a'\nlocal b = require 'b'"));
      assert.deepEqual(states(), ["conflict element-changed"]);
    });

    it("is a conflict in a deletion too, and when only its comment changed that would go with it", async () => {
      await turn.read(A);
      type((text) => text.replace("Two.", "Keep this: it explains why."));
      await applied(editBlock("ast-path:two:remove"));
      assert.deepEqual(states(), ["conflict element-changed"]);
    });

    it("is replaced once the model has read it again", async () => {
      await turn.read(A);
      type((text) => text.replace("return 2", "return 3"));
      await applied(replaceTwo);
      await turn.read(A, 6, 9);
      await applied(replaceTwo);
      assert.deepEqual(states(), ["conflict element-changed", "applied"]);
    });

    it("is replaced once the model has read it again without its attribute", async () => {
      const attribute = "@sealed\n";
      turn.files.set(A, TEXT.replace("class Shape", `${attribute}class Shape`));
      await turn.read(A);
      type((text) => text.replace(attribute, ""));
      await applied(editBlock("ast-path:Shape", "@sealed\nclass Shape {}"));
      await turn.read(A, 11, 18);
      await applied(editBlock("ast-path:Shape", "class Shape {}"));
      assert.deepEqual(states(), ["conflict element-changed", "applied loses-members"]);
    });

    it("is replaced when the user took the change back", async () => {
      await turn.read(A);
      type((text) => text.replace("return 2", "return 3"));
      type((text) => text.replace("return 3", "return 2"));
      await applied(replaceTwo);
      assert.deepEqual(states(), ["applied"]);
    });

    it("is a conflict after a change that came once edit mode was on, when the model has read on since", async () => {
      await turn.read(A);
      await turn.edit({ file_path: A });
      type((text) => text.replace("return 2", "return 3"));
      await turn.say("Let me look at the rest.", CALLS);
      await turn.read(A, 11, 13);
      await turn.say(replaceTwo);
      assert.deepEqual(states(), ["conflict element-changed"]);
    });

    it("carries a warning where the user edits it while the model writes, or before", async () => {
      await turn.read(A);
      await turn.edit({ file_path: A });
      type((text) => text.replace("return b", "return 0"));
      await turn.say(
        `${replaceTwo}${editBlock("ast-path:one", "export function one(a: number) {\n  const b = a;\n  return b;\n}")}`,
      );
      assert.deepEqual(states(), ["applied", "applied edited-meanwhile"]);
      assert.deepEqual(pluck(turn.reviewer.reviews.at(-1)?.proposed?.blocks ?? [], "warnings"), [
        [],
        [{ code: "edited-meanwhile" }],
      ]);
    });

    it("leaves the other blocks of the message alone", async () => {
      await turn.read(A);
      type((text) => text.replace("return 2", "return 3"));
      await applied(replaceTwo, editBlock("ast-path:Shape-area", "area() {}"));
      assert.deepEqual(states(), ["conflict element-changed", "applied"]);
      assert.match(turn.proposed ?? "", /return 3;[\s\S]*area\(\) \{\}/);
    });

    it("is a conflict where the user broke the modifier in front of it", async () => {
      const file = "src/b.php";
      const text =
        "<?php\nclass A\n{\n    const B = 1;\n\n    private static $names = array(1);\n}\n";
      turn.files.set(file, text);
      await turn.read(file);
      turn.files.set(file, text.replace("private", "privateQ"));
      await turn.edit({ file_path: file });
      await turn.say(editBlock("ast-path:A-$names", "    private static $names = array(1, 2);"));
      assert.deepEqual(newest(), "conflict element-changed");
    });

    it("is a conflict after a change beside it in its line", async () => {
      turn.files.set(A, "class Pair { b = 1; c = 2; }\n");
      await turn.read(A);
      type(() => "class Pair { b = 1; c = 3; }\n");
      await applied(editBlock("ast-path:Pair-b", "b = 11;"));
      assert.deepEqual(states(), ["conflict element-changed"]);
    });
  });

  describe("that the model wrote", () => {
    it("is known to it, in the same message and later", async () => {
      await turn.read(A);
      const area = editBlock(
        "ast-path:Shape-area",
        "area() {\n    return this.width * this.height;\n  }",
      );
      await applied(
        editBlock("ast-path:@file:append", "export class Late {\n  f() {}\n}"),
        editBlock("ast-path:Late-f", "f() {\n    g();\n  }"),
        area,
      );
      await applied(
        editBlock("ast-path:Late-f", "f() {}"),
        editBlock("ast-path:Shape-area", "area() {}"),
        editBlock("ast-path:Late:remove"),
      );
      assert.deepEqual(new Set(states()), new Set(["applied"]));
    });

    it("is known where a block took a part of it out", async () => {
      await turn.read(A);
      await applied(editBlock("ast-path:Shape-height:remove"));
      await applied(editBlock("ast-path:Shape:remove"));
      assert.deepEqual(newest(), "applied");
    });

    it("does not make the rest of the element around it known", async () => {
      await turn.edit({ file_path: A });
      await turn.say(
        editBlock("ast-path:Shape:append", "f() {}") + editBlock("ast-path:Shape:remove"),
      );
      assert.deepEqual(newest(), "applied never-read");
    });

    it("is a conflict where the user then changed it", async () => {
      await turn.read(A);
      await applied(replaceTwo);
      type((text) => text.replace("return 22", "return 23"));
      await applied(replaceTwo);
      assert.deepEqual(newest(), "conflict element-changed");
    });

    it("is as it was where the user rejected the block", async () => {
      turn = new EditTurn(
        { [A]: TEXT },
        new RecordingReviewer(async (proposal, stopped) => ({
          ...(await answerAll("rejected")(proposal, stopped)),
          text: TEXT,
        })),
      );
      await turn.read(A);
      await turn.edit({ file_path: A });
      await turn.say(replaceTwo);
      await turn.edit({ file_path: A });
      await turn.say(replaceTwo);
      assert.deepEqual(newest(), "rejected");
      assert.deepEqual(turn.blocks.at(-1)?.warnings, []);
    });
  });

  it("is found by comparing texts: whatever the user changes, wherever", async () => {
    const name = (index: number) => `m${"abcdef"[index]}`;
    const field = (of: string) => `  ${of} = 1;\n`;
    const method = (of: string) => `  ${of}() {\n    one();\n    two();\n  }\n`;
    const member = (index: number) => (index % 2 === 0 ? field(name(index)) : method(name(index)));
    const before = `class Shape {\n${[0, 1, 2, 3, 4, 5].map(member).join("")}}\n`;
    const lines = before.split("\n");
    const change = fc.record({
      line: fc.integer({ min: 1, max: lines.length - 3 }),
      how: fc.constantFrom("edit", "above", "below", "twice"),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(change, { maxLength: 4 }), fc.nat(5), async (changes, index) => {
        const now = [...lines];
        for (const { line, how } of changes) {
          if (how === "edit") now[line] = `${lines[line]?.replace(/one|two|1/, "9")}`;
          if (how === "above") now[line] = `  // x\n${now[line]}`;
          if (how === "below") now[line] = `${now[line]}\n`;
          if (how === "twice")
            now[line] = lines[line]?.replace(/(one|two)\(\);/, "$1();\n    $1();") ?? "";
        }
        const text = now.join("\n");
        const own = new EditTurn({ [A]: before });
        try {
          await own.read(A);
          own.files.set(A, text);
          await own.edit({ file_path: A });
          await own.say(editBlock(`ast-path:Shape-${name(index)}`, `${name(index)} = 2;`));
          const whole = new RegExp(`  ${name(index)}(?: = \\d;|\\(\\) \\{[^}]*\\})`);
          const same = whole.exec(before)?.[0] === whole.exec(text)?.[0];
          assert.deepEqual(
            [own.blocks[0]?.status, own.blocks[0]?.warnings],
            [same ? "applied" : "conflict", []],
          );
        } finally {
          own.hub.turnEnd();
        }
      }),
      { numRuns: campaignRuns(100, 300) },
    );
  });
});
