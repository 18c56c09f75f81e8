import * as z from "zod/mini";
import { defineTool } from "../defineTool.ts";
import { failed } from "../messages.ts";
import { NOTES } from "../notes.ts";
import type { Tool } from "../tool.ts";
import type { ClippedResults } from "./clippedResults.ts";

/** The longest part in UTF-16 units, below the length at which the router clips. */
const PART_LENGTH = 48_000;

const schema = z.object({
  result_id: z.string().check(z.describe("The id in the clipped result.")),
  offset: z
    .int()
    .check(z.minimum(0), z.describe("Where to read on, as given in the clipped result.")),
});

/** `read_result`: the next part of a clipped result. */
export function createReadResult(kept: ClippedResults): Tool {
  return defineTool({
    name: "read_result",
    description:
      "Reads on in a tool result of this turn that was clipped. Only with the id and offset in its last line.",
    category: "file",
    effect: "read",
    schema,
    async execute({ result_id, offset }, { turnId }) {
      const part = kept.read(turnId, result_id, offset, PART_LENGTH);
      if (part && offset < part.length)
        return { ok: true, output: part.text + readOnNote(result_id, part.end, part.length) };
      return failed("unknown-result", { id: result_id, offset });
    },
  });
}

/** The last line of a clipped result: how to read on, or "" at its end. */
export function readOnNote(resultId: string, end: number, length: number): string {
  if (end >= length) return "";
  const arguments_ = JSON.stringify({ result_id: resultId, offset: end });
  return `\n${NOTES.resultClipped(end, length, arguments_)}`;
}
