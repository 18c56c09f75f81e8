import { pluralize } from "../../base/text/sentence.ts";
import type { LineSpan } from "../../ports/editorState.ts";
import type { OutlineEntry } from "../syntax.ts";

function lineOf({ path, kind, startLine, endLine }: OutlineEntry): string {
  return `${path}  ${kind} ${startLine === endLine ? startLine : `${startLine}-${endLine}`}`;
}

/** How many elements are around each entry, by their lines. */
function depths(entries: readonly OutlineEntry[]): number[] {
  const around: OutlineEntry[] = [];
  return entries.map((entry) => {
    for (
      let last = around.at(-1);
      last && !(last.endLine >= entry.endLine && entry.path.startsWith(`${last.path}-`));
      last = around.at(-1)
    ) {
      around.pop();
    }
    around.push(entry);
    return around.length - 1;
  });
}

/** The lines between an entry and the shown lines; 0 where they meet. */
function distance({ startLine, endLine }: OutlineEntry, { first, last }: LineSpan): number {
  return Math.max(0, startLine - last, first - endLine);
}

/** The indexes of the entries, most important first. */
function byImportance(entries: readonly OutlineEntry[], near: LineSpan | null): number[] {
  const depth = depths(entries);
  const far = entries.map((entry) => (near ? distance(entry, near) : 0));
  const at = (list: readonly number[], index: number) => list[index] ?? 0;
  return [...entries.keys()].sort(
    (a, b) => at(far, a) - at(far, b) || at(depth, a) - at(depth, b) || a - b,
  );
}

/**
 * An outline for the model, one line an element: path, kind, lines (1-based, inclusive). Beyond
 * `budget` UTF-16 units it first drops statements and comments, then the elements farthest from the
 * lines `near`, then the deepest, then the last. Its last line counts what is left out.
 */
export function outlineText(
  all: readonly OutlineEntry[],
  budget: number,
  near: LineSpan | null = null,
): string {
  const whole = all.map(lineOf).join("\n");
  if (whole.length <= budget) return whole;

  const notice = (count: number) => `(${pluralize(count, "more element")} left out)`;
  let room = budget - notice(all.length).length;
  const entries = all.filter(({ kind }) => kind !== "statement" && kind !== "comment");
  const lines = entries.map(lineOf);
  const kept = new Set<number>();
  for (const index of byImportance(entries, near)) {
    room -= (lines[index]?.length ?? 0) + 1;
    if (room < 0) break;
    kept.add(index);
  }
  return [...lines.filter((_, index) => kept.has(index)), notice(all.length - kept.size)].join(
    "\n",
  );
}
