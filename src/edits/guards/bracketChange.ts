/** How a body changes the brackets and comments of the lines it replaces. */
export interface BracketChange {
  /**
   * How many more opening than closing ones of each kind the body has than those lines: round,
   * square, curly, `/*`.
   */
  readonly surplus: Balance;
  /** True where the replaced lines hold only one of a pair of brackets. */
  readonly cutsPair: boolean;
}

/**
 * How many more opening than closing ones of each kind: round, square, curly, and block comments.
 */
export type Balance = readonly [number, number, number, number];

const PROSE = /\.(?:md|mdx|markdown|txt|rst|adoc|csv|tsv|log)$/i;
const STRINGS = /"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'/g;
/** Files with comments between slash and star. */
const STAR_COMMENTS =
  /\.(?:[cm]?[jt]sx?|java|kts?|scala|c|h|cc|cpp|cxx|hpp|hh|mm?|cs|go|rs|swift|dart|php|css|scss|less|proto)$/i;

/** The change of brackets and comments, apart from those in strings on one line; none in prose. */
export function bracketChange(
  body: readonly string[],
  old: readonly string[],
  path: string,
): BracketChange {
  if (PROSE.test(path)) return { surplus: [0, 0, 0, 0], cutsPair: false };
  const [a, b, c] = balance(body);
  const [x, y, z] = balance(old);
  const comments = STAR_COMMENTS.test(path) ? openComments(body) - openComments(old) : 0;
  return { surplus: [a - x, b - y, c - z, comments], cutsPair: x !== 0 || y !== 0 || z !== 0 };
}

/**
 * Tells of which pair a block leaves one that neither its body nor another block restores. Brackets
 * count only where no grammar finds the syntax `sound`, which is exact, and where the lines cut a
 * pair; a comment swallows code without an error.
 */
export function leavesPair(
  changes: readonly BracketChange[],
  sound: boolean,
): (change: BracketChange) => "bracket" | "comment" | null {
  const isLeft = (kind: number) =>
    changes.reduce((sum, { surplus }) => sum + (surplus[kind] ?? 0), 0) !== 0;
  const [brackets, comments] = [!sound && [0, 1, 2].some(isLeft), isLeft(3)];
  return ({ surplus, cutsPair }) => {
    if (brackets && cutsPair && surplus.slice(0, 3).some((count) => count !== 0)) return "bracket";
    return comments && surplus[3] !== 0 ? "comment" : null;
  };
}

/** How many more brackets of each kind the lines open than they close: round, square, curly. */
export function balance(lines: readonly string[]): readonly [number, number, number] {
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

/**
 * 1 for lines that leave a comment open, -1 for those that end one they do not begin, 0 for both or
 * neither.
 */
function openComments(lines: readonly string[]): number {
  let isOpen = false;
  let ended = 0;
  for (const line of lines) {
    // A line of a comment may hold an address with two slashes.
    const isInside = isOpen || line.trimStart().startsWith("*");
    for (const [mark] of line.replace(isInside ? /$^/ : STRINGS, "").matchAll(/\/\*|\*\/|\/\//g)) {
      if (mark === "/*") isOpen = true;
      else if (mark === "*/" && isOpen) isOpen = false;
      else if (mark === "*/") ended++;
      else if (!isOpen && !isInside) break;
    }
  }
  return (isOpen ? 1 : 0) - ended;
}
