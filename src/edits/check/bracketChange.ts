/** How a body changes the brackets of the lines it replaces. */
export interface BracketChange {
  /** How many more opening than closing ones of each kind the body has than those lines. */
  readonly surplus: Balance;
  /** True where the replaced lines hold only one of a pair. */
  readonly cutsPair: boolean;
}

/** How many more opening than closing brackets of each kind: round, square, curly. */
export type Balance = readonly [number, number, number];

const PROSE = /\.(?:md|mdx|markdown|txt|rst|adoc|csv|tsv|log)$/i;
const STRINGS = /"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'/g;

/** The change of brackets, apart from those in strings on one line; none in prose. */
export function bracketChange(
  body: readonly string[],
  old: readonly string[],
  path: string,
): BracketChange {
  if (PROSE.test(path)) return { surplus: [0, 0, 0], cutsPair: false };
  const [a, b, c] = balance(body);
  const [x, y, z] = balance(old);
  return { surplus: [a - x, b - y, c - z], cutsPair: x !== 0 || y !== 0 || z !== 0 };
}

/** Tells whether a block leaves half a pair that no block restores, unless a grammar is exact. */
export function bracketLeaver(
  changes: readonly BracketChange[],
  sound: boolean,
): (change: BracketChange) => boolean {
  const isLeft = (kind: number) =>
    changes.reduce((sum, { surplus }) => sum + (surplus[kind] ?? 0), 0) !== 0;
  const isBroken = !sound && [0, 1, 2].some(isLeft);
  return ({ surplus, cutsPair }) => isBroken && cutsPair && surplus.some((count) => count !== 0);
}

/** How many more brackets of each kind the lines open than they close: round, square, curly. */
export function balance(lines: readonly string[]): Balance {
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
