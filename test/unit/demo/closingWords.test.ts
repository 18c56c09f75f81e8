import assert from "node:assert/strict";
import { closingWords } from "../../../src/demo/closingWords.ts";

describe("closing words", () => {
  const updated = "File 'a.ts' has been updated. It now has 9 lines.";
  const cases: readonly (readonly [string, number, string, string])[] = [
    ["all applied", 3, updated, "Done: 3 changes made in `a.ts`."],
    [
      "one rejected",
      2,
      `${updated}\n\n- lines 1-1 applied\n- lines 2-2 rejected by the user`,
      "Done: 1 change made in `a.ts`. You rejected one, which I leave out.",
    ],
    [
      "all rejected",
      2,
      "Nothing was changed in 'a.ts'.\n\n- lines 1-1 rejected by the user\n- lines 2-2 rejected by the user",
      "You rejected all 2 changes, so `a.ts` is as it was.",
    ],
    [
      "the only one rejected",
      1,
      "Nothing was changed in 'a.ts'.\n\n- ast-path:f rejected by the user",
      "You rejected the change, so `a.ts` is as it was.",
    ],
    [
      "one refused",
      2,
      `${updated}\n\n- ast-path:a applied\n- ast-path:b was not applied: not found`,
      "Done: 1 change made in `a.ts`. 1 change could not be applied: ast-path:b was not applied: not found.",
    ],
    [
      "the user's own words",
      1,
      `${updated}\n\nThe user changed the proposal before accepting it:\n-x\n+- y rejected by the user`,
      "Done: 1 change made in `a.ts`, with your own words in them.",
    ],
    ["in part", 1, `${updated}\n\n- lines 1-4 applied in part: the user rejected the rest`, "You took 1 change in part."],
    ["nothing captured", 0, "There was a problem applying the changes.", "Nothing was changed in `a.ts`."],
  ];
  for (const [what, written, report, words] of cases) it(what, () => assert.equal(closingWords(report, "a.ts", written), words));
});
