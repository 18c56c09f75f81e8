import { outlineUnavailableMessage, pathErrorMessage } from "../../../src/syntax/messages.ts";
import type { OutlineEntry } from "../../../src/syntax/syntax.ts";
import { assertDistinct, assertSentence, type Message } from "../../fakes/assertMessages.ts";

const [kind, signature] = ["method", "area(scale: number): number"];
const circle = { path: "Circle-area", kind, startLine: 2, endLine: 2, signature: "area()" };
const square: OutlineEntry = { path: "Square-area", kind, startLine: 6, endLine: 9, signature };
const candidates = [circle, square];
const limits = { maxBytes: 5_242_880, maxLines: 100_000 };
const named = ["`Square-area`", "lines 6-9:", signature];

const rows: readonly Message[] = [
  [pathErrorMessage({ code: "not-found", path: "aera", candidates }), "`aera`", ...named],
  [pathErrorMessage({ code: "not-found", path: "b", candidates: [] }), "`@file`", "`@imports`"],
  [
    pathErrorMessage({ code: "ambiguous", path: "area", count: 2, candidates }),
    "line 2:",
    ...named,
  ],
  [pathErrorMessage({ code: "ambiguous", path: "area", count: 20, candidates }), 20, "18 more"],
  [pathErrorMessage({ code: "syntax-error", element: square }), ...named],
  [
    pathErrorMessage({ code: "reassigned", path: "area#2", pinnedPath: "area#3", line: 12 }),
    ...["`area#2`", "`area#3`", "line 12"],
  ],
  [pathErrorMessage({ code: "boundary-changed", path: "Square-area" }), "`Square-area`"],
  [pathErrorMessage({ code: "no-imports" }), "`@imports`"],
  [pathErrorMessage({ code: "unparsed" })],
  [
    outlineUnavailableMessage({ code: "too-large", path: "src/big.ts", ...limits }),
    ...["src/big.ts", "5 MB", "100,000"],
  ],
  [outlineUnavailableMessage({ code: "no-grammar", path: "notes.xyz" }), "notes.xyz"],
  [outlineUnavailableMessage({ code: "unparsed", path: "src/deep.ts" }), "src/deep.ts"],
];

describe("what the model reads about paths and outlines", () => {
  it("holds the elements, their lines and the limits, and differs for each cause", () => {
    for (const row of rows) assertSentence(row);
    assertDistinct(rows.map(([text]) => text));
  });
});
