import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { resolve } from "node:path";
import { outlineUnavailableMessage, pathErrorMessage } from "../../../src/syntax/messages.ts";
import type { OutlineUnavailable } from "../../../src/syntax/outlineUnavailable.ts";
import type { PathCandidate, PathError } from "../../../src/syntax/syntax.ts";

const golden = resolve(import.meta.dirname, "messages.golden.txt");

const circle: PathCandidate = {
  path: "Circle-area",
  kind: "method",
  startLine: 2,
  endLine: 2,
  signature: "area()",
};
const square: PathCandidate = {
  path: "Square-area",
  kind: "method",
  startLine: 6,
  endLine: 9,
  signature: "area(scale: number): number",
};

const pathErrors: readonly PathError[] = [
  { code: "not-found", path: "Square-aera", candidates: [square, circle] },
  { code: "not-found", path: "area", candidates: [] },
  { code: "ambiguous", path: "area", count: 2, candidates: [circle, square] },
  { code: "ambiguous", path: "area", count: 20, candidates: [circle, square] },
  { code: "syntax-error", element: square },
  { code: "reassigned", path: "area#2", pinnedPath: "area#3", line: 12 },
  { code: "boundary-changed", path: "Square-area" },
  { code: "no-imports" },
  { code: "unparsed" },
];

const unavailable: readonly OutlineUnavailable[] = [
  { code: "too-large", path: "src/big.ts", maxBytes: 5 * 1024 * 1024, maxLines: 100_000 },
  { code: "no-grammar", path: "notes.xyz" },
  { code: "unparsed", path: "src/deep.ts" },
];

describe("what the model reads about paths and outlines", () => {
  it("is as in messages.golden.txt", () => {
    const told = [
      ...pathErrors.map((error) => `path ${JSON.stringify(error)}\n  ${pathErrorMessage(error)}\n`),
      ...unavailable.map(
        (reason) => `outline ${JSON.stringify(reason)}\n  ${outlineUnavailableMessage(reason)}\n`,
      ),
    ].join("\n");
    if (process.env.UPDATE_GOLDEN) writeFileSync(golden, told);
    assert.equal(told, readFileSync(golden, "utf8"));
  });
});
