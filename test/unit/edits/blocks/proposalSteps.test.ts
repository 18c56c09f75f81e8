import assert from "node:assert/strict";
import fc from "fast-check";
import { BlockCapture } from "../../../../src/edits/blocks/blockCapture.ts";
import { claimsOfOne } from "../../../../src/edits/openSessions.ts";
import type { Proposal } from "../../../../src/ports/review.ts";
import { editBlock } from "../../../fakes/turns/applyTo.ts";
import { openFile } from "../../../fakes/turns/openFile.ts";
import { openDocument } from "../../syntax/openDocument.ts";

const TEXT = "class Shape {\n  width = 1;\n\n  area() {\n    return 1;\n  }\n\n  name() {\n    return 'shape';\n  }\n}\n";

/** The proposals of a message, as a preview asks for them. */
async function proposalsOf(text: string, message: string, chunk: number): Promise<Proposal[]> {
  const capture = new BlockCapture({
    callId: "call",
    path: "a.ts",
    text,
    document: await openDocument("typescript", text.replace("\uFEFF", "")),
    useLineNumbers: undefined,
    completeFile: false,
    claims: claimsOfOne(openFile("a.ts", text)),
    onBlock() {},
  });
  const proposals: Proposal[] = [];
  capture.startMessage(1);
  for (let at = 0; at < message.length; at += chunk) if (capture.push(message.slice(at, at + chunk))) proposals.push(capture.proposal());
  return proposals;
}

describe("a growing proposal", () => {
  it("says how its text came from the one before, whenever it is asked", async () => {
    const line = fc.constantFrom("  width = 1;", "", "  area() {", "    return 2;", "  }", "  name() {}", "// a", "\treturn 1;");
    const body = fc.array(line, { maxLength: 8 }).map((lines) => lines.join("\n"));
    const lines = fc.constantFrom("2:2", "4:6", "4:6:before", "8:9:after", "1:11", "11:11:after", "12:12", "4:4");
    const elements = fc.constantFrom("ast-path:Shape-area", "ast-path:Shape:append", "ast-path:Shape-name:before", "ast-path:@file:append");
    const addresses = fc.constantFrom(lines, elements).chain((address) => fc.array(fc.tuple(address, body), { maxLength: 3 }));
    const eol = fc.constantFrom("\n", "\r\n");
    let steps = 0;
    await fc.assert(
      fc.asyncProperty(
        addresses,
        eol,
        fc.integer({ min: 1, max: 40 }),
        fc.boolean(),
        fc.boolean(),
        async (blocks, lineEnd, chunk, marked, ended) => {
          const text = (marked ? "\uFEFF" : "") + (ended ? TEXT : TEXT.trimEnd()).replaceAll("\n", lineEnd);
          const message = blocks.map(([address, lines]) => editBlock(address, lines)).join("\n");
          const proposals = await proposalsOf(text, message, chunk);
          for (const { blocks: placed, change, text: after } of proposals) {
            assert.ok(
              placed.every(({ start, end }) => start <= end && end <= after.length),
              "a block lies beyond the text",
            );
            if (!change) continue;
            const { before, start, oldText, newText } = change;
            if (proposals.some(({ text }) => text === before)) steps += 1;
            assert.equal(before.slice(start, start + oldText.length), oldText);
            assert.equal(before.slice(0, start) + newText + before.slice(start + oldText.length), after);
          }
        },
      ),
      { numRuns: 300 },
    );
    assert.ok(steps > 100, `${steps} steps are known`);
  });
});
