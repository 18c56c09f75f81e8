import type { BlockWarning } from "../../ports/review.ts";

/** A block that names lines, and what stands there. */
export interface LineBlock {
  readonly body: readonly string[];
  readonly old: readonly string[];
  readonly above: string | null;
  readonly below: string | null;
  /** Without a check of the first, or the last, line its place is only a number. */
  readonly checks: number;
}

/** The warning for a body that repeats the line just outside its range, where no check pins that end. */
export function lineWarnings({ body, old, above, below, checks }: LineBlock): readonly BlockWarning[] {
  const repeats = (line: string | undefined, outside: string | null, replaced: string | undefined) =>
    line !== undefined && outside !== null && line.trim() !== "" && same(line, outside) && !same(line, replaced ?? "");
  const [first, last] = [body[0], body.at(-1)];
  if (checks === 0 && repeats(first, above, old[0])) return [{ code: "repeats-line", line: first?.trim() ?? "" }];
  if (checks < 2 && repeats(last, below, old.at(-1))) return [{ code: "repeats-line", line: last?.trim() ?? "" }];
  return [];
}

/** How a body changes the brackets of the lines it replaces. */
export interface BracketChange {
  /** How many more opening than closing brackets of each kind the body has than those lines: round, square, curly. */
  readonly surplus: readonly [number, number, number];
  /** True where the replaced lines hold only one of a pair. */
  readonly cutsPair: boolean;
}

const PROSE = /\.(?:md|mdx|markdown|txt|rst|adoc|csv|tsv|log)$/i;
const STRINGS = /"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'/g;

/** The change of brackets, apart from those in strings on one line; none in prose. */
export function bracketChange(body: readonly string[], old: readonly string[], path: string): BracketChange {
  if (PROSE.test(path)) return { surplus: [0, 0, 0], cutsPair: false };
  const [a, b, c] = balance(body);
  const [x, y, z] = balance(old);
  return { surplus: [a - x, b - y, c - z], cutsPair: x !== 0 || y !== 0 || z !== 0 };
}

/** The blocks whose lines cut a pair that neither their body nor another block restores. */
export function leavesBracket(changes: readonly BracketChange[]): (change: BracketChange) => boolean {
  const restored = [0, 1, 2].every((kind) => changes.reduce((sum, { surplus }) => sum + (surplus[kind] ?? 0), 0) === 0);
  return ({ surplus, cutsPair }) => !restored && cutsPair && surplus.some((count) => count !== 0);
}

function balance(lines: readonly string[]): readonly [number, number, number] {
  let [round, square, curly] = [0, 0, 0];
  for (const line of lines) {
    for (const character of line.replace(STRINGS, "")) {
      if (character === "(") round++;
      else if (character === ")") round--;
      else if (character === "[") square++;
      else if (character === "]") square--;
      else if (character === "{") curly++;
      else if (character === "}") curly--;
    }
  }
  return [round, square, curly];
}

function same(a: string, b: string): boolean {
  return a.trimEnd() === b.trimEnd();
}
