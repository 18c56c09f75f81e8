import type { SlipOutcome } from "./runSlip.ts";
import { FORMATS, type Format } from "./slipCommit.ts";

/** One damage: its outcomes by format. */
export interface SlipRow {
  readonly name: string;
  readonly outcomes: ReadonlyMap<Format, readonly SlipOutcome[]>;
}

const NAME_WIDTH = 38;
const WIDTH = 18;
const COUNTS_WIDTH = 27;

/** True for a file that is not as meant without a word. */
export function isWrong(outcome: SlipOutcome): boolean {
  return outcome === "wrong" || outcome === "wrong-blanks";
}

/**
 * `wrong of n` by damage and format; in brackets those of them that differ in white space alone.
 */
export function wrongTable(rows: readonly SlipRow[]): string {
  return table(rows, WIDTH, (outcomes) => {
    const wrong = outcomes.filter(isWrong).length;
    const blanks = count(outcomes, "wrong-blanks");
    return `${wrong} of ${outcomes.length}${blanks > 0 ? ` (${blanks})` : ""}`;
  });
}

/** Exact / repaired / exact after a warning / refused / warned, by damage and format. */
export function countsTable(rows: readonly SlipRow[]): string {
  const kinds = ["exact", "repaired", "exact-warned", "refused", "warned"] as const;
  return table(rows, COUNTS_WIDTH, (outcomes) =>
    kinds.map((kind) => count(outcomes, kind)).join(" / "),
  );
}

function table(
  rows: readonly SlipRow[],
  width: number,
  cell: (outcomes: readonly SlipOutcome[]) => string,
): string {
  const line = (name: string, cells: readonly string[]) =>
    name.padEnd(NAME_WIDTH) + cells.map((text) => text.padStart(width)).join("");
  const body = rows.map(({ name, outcomes }) => {
    const cells = FORMATS.map((format) => {
      const of = outcomes.get(format) ?? [];
      return of.length === 0 ? "–" : cell(of);
    });
    return line(name, cells);
  });
  return [line("damage", FORMATS), ...body].join("\n");
}

function count(outcomes: readonly SlipOutcome[], kind: SlipOutcome): number {
  return outcomes.filter((outcome) => outcome === kind).length;
}
