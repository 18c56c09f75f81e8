import { strict as assert } from "node:assert";
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import grammars from "../../../grammars/grammars.json" with { type: "json" };
import type { SyntaxDocument } from "../../../src/syntax/syntax.ts";
import { openDocument } from "./openDocument.ts";

const FOLDER = new URL("../../fixtures/outline/", import.meta.url);

/**
 * Draws each element as `path kind start-end`, and below it the first and last line of its range,
 * comment and body.
 */
function drawOutline(document: SyntaxDocument): string {
  const { text } = document;
  const edges = (start: number, end: number): string => {
    const lines = text.slice(start, end).split("\n");
    return lines.length > 1 ? `${lines[0]} ⋯ ${lines.at(-1)?.trim()}` : `${lines[0]}`;
  };
  const drawn = document.outline().map(({ path, kind, startLine, endLine }) => {
    const found = document.resolve(path);
    assert.ok(found.ok, `${path} resolves`);
    const { range, commentStart, separatorStart, body } = found.value;
    const parts = [
      `${path}  ${kind} ${startLine}-${endLine}`,
      `    | ${edges(range.start, range.end)}`,
    ];
    if (separatorStart < range.end)
      parts.push(`    , ${text.slice(separatorStart, range.end).trim()}`);
    if (commentStart < range.start)
      parts.push(`    # ${edges(commentStart, range.start).trimEnd()}`);
    if (body)
      parts.push(
        `    > ${body.style} ${JSON.stringify(body.memberIndent)} ${edges(body.inner.start, body.inner.end).trim()}`,
      );
    return parts.join("\n");
  });
  const imports = document.resolve("@imports");
  const at = imports.ok
    ? `${imports.value.range.start}-${imports.value.range.end}`
    : imports.error.code;
  return `${[...drawn, `@imports at ${at}`].join("\n")}\n`;
}

describe("the outline of each language", () => {
  for (const { id } of grammars.languages) {
    it(`${id}: lists every element with its kind, lines and range`, async () => {
      const source = new URL(`${id}/source.txt`, FOLDER);
      const golden = new URL(`${id}/outline.txt`, FOLDER);
      assert.ok(
        existsSync(source),
        `test/fixtures/outline/${id}/source.txt is missing: a language needs a golden file`,
      );
      const document = await openDocument(id, readFileSync(source, "utf8"));
      const actual = drawOutline(document);
      document.dispose();
      if (process.env.UPDATE_GOLDEN === "1") writeFileSync(golden, actual);
      assert.equal(
        actual,
        readFileSync(golden, "utf8"),
        "run with UPDATE_GOLDEN=1 after looking at the difference",
      );
    });
  }

  it("has a language for each golden file", () => {
    const known = new Set(grammars.languages.map(({ id }) => id));
    for (const name of readdirSync(FOLDER)) assert.ok(known.has(name), name);
  });
});
