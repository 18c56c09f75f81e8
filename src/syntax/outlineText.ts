import type { OutlineEntry } from "./syntaxTypes.ts";

function lineOf({ path, kind, startLine, endLine }: OutlineEntry): string {
  return `${path}  ${kind} ${startLine === endLine ? startLine : `${startLine}-${endLine}`}`;
}

/** How many elements each entry is inside of, by their lines. */
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

/** The greatest depth at which all entries up to it fit the budget; 0 when not even the top level does. */
function fittingDepth(lines: readonly string[], depth: readonly number[], budget: number): number {
  const sizes: number[] = [];
  for (const [index, line] of lines.entries()) {
    const at = depth[index] ?? 0;
    sizes[at] = (sizes[at] ?? 0) + line.length + 1;
  }
  let total = sizes[0] ?? 0;
  let fitting = 0;
  for (let at = 1; at < sizes.length; at++) {
    total += sizes[at] ?? 0;
    if (total > budget) break;
    fitting = at;
  }
  return fitting;
}

/**
 * Draws an outline for the model, one line an element: its path, its kind, its lines (1-based, inclusive). An outline longer than
 * `budget` UTF-16 units loses its statements and comments first, then its deepest elements, then its last ones; the last line then says how many
 * were left out.
 */
export function outlineText(all: readonly OutlineEntry[], budget: number): string {
  const whole = all.map(lineOf).join("\n");
  if (whole.length <= budget) return whole;

  const notice = (count: number) => `(${count} more element${count === 1 ? "" : "s"} left out)`;
  const room = budget - notice(all.length).length;
  const entries = all.filter(({ kind }) => kind !== "statement" && kind !== "comment");
  const lines = entries.map(lineOf);
  const depth = depths(entries);
  const deepest = fittingDepth(lines, depth, room);
  const kept: string[] = [];
  let size = 0;
  for (const [index, line] of lines.entries()) {
    if ((depth[index] ?? 0) > deepest) continue;
    size += line.length + 1;
    if (size > room) break;
    kept.push(line);
  }
  return [...kept, notice(all.length - kept.length)].join("\n");
}
