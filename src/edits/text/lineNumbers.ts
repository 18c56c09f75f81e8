/** A line as `read_file` shows it. */
const NUMBERED = /^[ \t]*(\d+)(?:[\t](.*))?$/;

/**
 * A body without the line numbers that all its lines begin with, one after the other; null for
 * others, and where the lines it replaces begin so, too. A single line must have the number of its
 * place.
 */
export function withoutLineNumbers(
  body: readonly string[],
  old: readonly string[],
  first: () => number | null,
): readonly string[] | null {
  const found = body.map((line) => NUMBERED.exec(line));
  const start = Number(found[0]?.[1]);
  const isNumbered = found.every(
    (match, index) =>
      match !== null &&
      Number(match[1]) === start + index &&
      (match[2] !== undefined || body.length > 1),
  );
  if (body.length === 0 || !isNumbered || found.every((match) => match?.[2] === undefined))
    return null;
  if (body.length === 1 && start !== first()) return null;
  if (old.some((line) => /^\d+\t/.test(line))) return null;
  const lines = found.map((match) => match?.[2] ?? "");
  // Shown with the lines, a blank one at the end is more often below what is meant.
  const last =
    old.at(-1)?.trim() === ""
      ? lines.length
      : lines.findLastIndex((line) => line.trim() !== "") + 1;
  return lines.slice(0, last);
}
