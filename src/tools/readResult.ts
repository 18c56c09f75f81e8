import * as z from "zod/mini";
import type { KeptResults } from "./keptResults.ts";
import { defineTool, type Tool } from "./tool.ts";

/** How much one answer holds, in UTF-16 units: less than what the router clips at. */
const PART_LENGTH = 48_000;

const schema = z.object({
  result_id: z.string().check(z.describe("The id that the cut-off result names.")),
  offset: z.int().check(z.minimum(0), z.describe("Where to read on, as the cut-off result says.")),
});

/** `read_result`: the next part of a result that was too long for one answer. */
export function createReadResult(kept: KeptResults): Tool {
  return defineTool({
    name: "read_result",
    description: "Reads on in a tool result of this turn that was cut off. Only with the id and offset that its last line names.",
    category: "file",
    effect: "read",
    schema,
    async execute({ result_id, offset }, { turnId }) {
      const part = kept.read(turnId, result_id, offset, PART_LENGTH);
      if (part && offset < part.length) return { ok: true, output: part.text + readOnNote(result_id, part.end, part.length) };
      const message = part
        ? `The result ${result_id} ends at ${part.length}.`
        : `There is no result ${JSON.stringify(result_id)} in this turn. Results are kept for the turn they belong to.`;
      const recovery = part ? "There is nothing left to read." : "Call the tool again.";
      return { ok: false, error: { category: part ? "validation" : "not-found", message, recovery } };
    },
  });
}

/** The last line of a part of a kept result: how to read on, or nothing at its end. */
export function readOnNote(resultId: string, end: number, length: number): string {
  if (end >= length) return "";
  const arguments_ = JSON.stringify({ result_id: resultId, offset: end });
  return `\n[Cut off: ${end} of ${length} characters shown so far. Read on with read_result ${arguments_}, or ask for less.]`;
}
