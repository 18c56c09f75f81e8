import assert from "node:assert/strict";
import fc from "fast-check";
import { editBlock, statuses } from "../../../fakes/turns/applyTo.ts";
import { EditTurn } from "../../../fakes/turns/editTurn.ts";

const A = "src/a.ts";
const LINES = [
  "function a() {",
  "  one();",
  "  two();",
  "}",
  "",
  "function b() {",
  "  three();",
  "  four();",
  "  five();",
  "}",
  "",
  "end();",
];

describe("lines inside an element mean the text that the model saw", () => {
  it("wherever the user inserts or changes other lines, in any pieces", async () => {
    const typing = fc.array(
      fc.record({
        at: fc.nat({ max: LINES.length }),
        text: fc.constantFrom("typed();", "// note", "let x = 1;"),
      }),
      {
        maxLength: 4,
      },
    );
    const place = fc.constantFrom(
      ["b:7:8", 6, 8],
      ["b:9:9", 8, 9],
      ["a:2:3", 1, 3],
      ["b:7:7", 6, 7],
    ) as fc.Arbitrary<[string, number, number]>;
    await fc.assert(
      fc.asyncProperty(
        typing,
        place,
        fc.boolean(),
        fc.integer({ min: 1, max: 30 }),
        async (typed, [address, start, end], checked, chunk) => {
          // What the user types between the lines themselves is a conflict.
          const edits = typed
            .filter(({ at }) => at <= start || at >= end)
            .sort((a, b) => b.at - a.at);
          const type = (lines: readonly string[]) => {
            const now = [...lines];
            for (const { at, text } of edits) now.splice(at, 0, text);
            return now;
          };
          const turn = new EditTurn({ [A]: `${LINES.join("\n")}\n` });
          try {
            await turn.read(A);
            turn.files.set(A, `${type(LINES).join("\n")}\n`);
            await turn.edit({ file_path: A });
            const check = checked ? ` "${LINES[start]?.trim()}"` : "";
            await turn.say(
              editBlock(`ast-path:${address}${check}`, "  NEW();"),
              { reason: "stop", moreCalls: false },
              chunk,
            );
            const shift = edits.filter(({ at }) => at <= start).length;
            const expected = type(LINES);
            expected.splice(start + shift, end - start, "  NEW();");
            assert.deepEqual(statuses(turn), ["applied"]);
            assert.equal(turn.proposed, `${expected.join("\n")}\n`);
          } finally {
            turn.hub.turnEnd();
          }
        },
      ),
      { numRuns: 60 },
    );
  });

  it("are a conflict where the user changed them", async () => {
    const turn = new EditTurn({ [A]: `${LINES.join("\n")}\n` });
    await turn.read(A);
    turn.files.set(A, `${LINES.join("\n").replace("three", "3")}\n`);
    await turn.edit({ file_path: A });
    await turn.say(editBlock('ast-path:b:7:7 "three"', "  NEW();"));
    assert.deepEqual(
      turn.blocks.map(({ status, reason }) => [status, reason?.code]),
      [["conflict", "lines-changed"]],
    );
    turn.hub.turnEnd();
  });

  it("take numbers counted on after the model's own change where the check fits only there", async () => {
    const turn = new EditTurn({ [A]: `${LINES.join("\n")}\n` });
    await turn.read(A);
    await turn.edit({ file_path: A });
    await turn.say(editBlock("ast-path:a:2:2", "  one();\n  more();"));
    turn.files.set(A, turn.proposed ?? "");
    await turn.edit({ file_path: A });
    await turn.say(editBlock('ast-path:b:8:8 "three"', "  THREE();"));
    assert.equal(turn.proposed?.split("\n")[7], "  THREE();");
    await turn.edit({ file_path: A });
    await turn.say(editBlock("ast-path:b:8:8", "  x();"));
    assert.equal(turn.blocks.at(-1)?.reason?.code, "own-changes-since");
    turn.hub.turnEnd();
  });
});
