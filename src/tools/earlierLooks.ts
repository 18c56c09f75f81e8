import type { TurnTree } from "../turns/turn.ts";
import type { Showing } from "./shownTexts.ts";

/** The head of numbered lines; the lines themselves begin with a number and a tab. */
const HEAD = /^(?!\d+\t)(.+) \(lines (\d+)-(\d+) of (\d+)\)$/gm;

/**
 * What the model was shown of files in turns that were read from a log, in their order. The texts are not on record, so that numbers
 * from these looks can be told apart from later ones, but not be trusted.
 */
export function earlierLooks(tree: TurnTree): readonly Showing[] {
  const looks: Showing[] = [];
  for (const turn of tree.turns.values()) {
    if (turn.role !== "agent") continue;
    const outputs = [...turn.toolCalls.values()].flatMap(({ name, status, output }) =>
      (name === "read_file" || name === "edit_mode") && status === "success" && output !== null ? [output] : [],
    );
    const reports = turn.parts.flatMap((part) => (part.type === "edit-report" ? [part.text] : []));
    for (const text of [...outputs, ...reports]) {
      for (const [, path = "", first, last, count] of text.matchAll(HEAD)) {
        const end = last === count ? Number.POSITIVE_INFINITY : Number(last);
        looks.push({ turnId: turn.id, path, text: null, version: 0, first: Number(first), last: end });
      }
    }
  }
  return looks;
}
