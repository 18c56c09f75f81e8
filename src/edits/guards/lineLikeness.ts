/**
 * How alike a line and one outside the range are, and how much less alike the lines of the range,
 * for a slip to be likely.
 */
const ALIKE = 0.4;
const MARGIN = 0.2;
/** The same for any line of the body and one outside. */
const TAKEN_UP = 0.7;
const TAKEN_UP_MARGIN = 0.3;
/**
 * The same for the end of a body and the line before the last: of the last one it has nothing that
 * is alike.
 */
const END_ALIKE = 0.6;
const END_MARGIN = 0.3;

/** True where a line is like another, and clearly less like each of those it replaces. */
export function isMoreAlike(line: string, other: string, old: readonly string[]): boolean {
  const words = wordsOf(line);
  const likeness = dice(words, wordsOf(other));
  return likeness >= ALIKE && old.every((each) => dice(words, wordsOf(each)) <= likeness - MARGIN);
}

/**
 * True where a line of the body is much like one outside the range, and no line of the range is.
 */
export function takesUp(body: readonly string[], outside: string, old: readonly string[]): boolean {
  const words = wordsOf(outside);
  if (words.length < 2) return false;
  const likeness = (lines: readonly string[]) =>
    Math.max(...lines.map((line) => dice(wordsOf(line), words)));
  const most = likeness(body);
  return most >= TAKEN_UP && likeness(old) < most - TAKEN_UP_MARGIN;
}

/**
 * True where a body of as many lines as it replaces is clearly more like those a line above or
 * below.
 */
export function fitsBeside(
  body: readonly string[],
  old: readonly string[],
  above: string | null,
  below: string | null,
): boolean {
  if (body.length !== old.length) return false;
  const likeness = (lines: readonly (string | null)[]) =>
    lines.reduce(
      (sum, line, at) => sum + (line === null ? 0 : dice(wordsOf(body[at] ?? ""), wordsOf(line))),
      0,
    ) / body.length;
  const own = likeness(old);
  const isBetter = (other: number) => other >= ALIKE && other - own >= MARGIN;
  return (
    isBetter(likeness([above, ...old.slice(0, -1)])) || isBetter(likeness([...old.slice(1), below]))
  );
}

/** True where a body ends as the line before the last does, and has nothing of the last one. */
export function endsBeforeLast(body: readonly string[], old: readonly string[]): boolean {
  const end = wordsOf(body.at(-1) ?? "");
  const last = wordsOf(old.at(-1) ?? "");
  if (end.length === 0 || last.length === 0) return false;
  const likeness = dice(end, wordsOf(old.at(-2) ?? ""));
  const isClear = likeness >= END_ALIKE && likeness - dice(end, last) >= END_MARGIN;
  return isClear && body.every((line) => dice(wordsOf(line), last) < END_ALIKE);
}

/** The words of a line. Signs and numbers are alike in most lines. */
export function wordsOf(line: string): readonly string[] {
  return line.match(/[A-Za-z_]{2,}/g) ?? [];
}

/** Sørensen–Dice coefficient of two lists of words, 0 to 1. */
function dice(a: readonly string[], b: readonly string[]): number {
  if (a.length + b.length === 0) return 0;
  const left = new Map<string, number>();
  for (const token of a) left.set(token, (left.get(token) ?? 0) + 1);
  let common = 0;
  for (const token of b) {
    const count = left.get(token) ?? 0;
    if (count === 0) continue;
    left.set(token, count - 1);
    common++;
  }
  return (2 * common) / (a.length + b.length);
}
