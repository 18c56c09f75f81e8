import assert from "node:assert/strict";
import { draftWithExample, EXAMPLES } from "../../../webview/context/examples.ts";

const [first = "", second = ""] = EXAMPLES;

describe("an example of the empty chat", () => {
  const rows: readonly (readonly [string, string, string, string])[] = [
    ["fills an empty draft", "  ", first, first],
    ["replaces another one", first, second, second],
    ["replaces itself", first, first, first],
    ["follows what the user wrote", "Fix it", first, `Fix it\n\n${first}`],
    ["keeps one that the user changed", `${first}.`, second, `${first}.\n\n${second}`],
    [
      "keeps one with more below it",
      `${first}\n\nFix it`,
      second,
      `${first}\n\nFix it\n\n${second}`,
    ],
  ];
  for (const [what, draft, chosen, wanted] of rows)
    it(what, () => assert.equal(draftWithExample(draft, chosen), wanted));
});
