import type { Repair } from "./repairs.ts";

/** A body, the lines that it replaces, and the number of the first of these, where it has one. */
interface NumberedBody {
  readonly body: readonly string[];
  readonly old: readonly string[];
  first(): number | null;
}

/** A line as `read_file` shows it. */
const NUMBERED = /^[ \t]*(\d+)(?:[\t](.*))?$/;

/** A body of which all lines begin with their numbers. */
export const LINE_NUMBERS: Repair<NumberedBody> = {
  name: "line numbers",
  says: "Consecutive numbers go that all lines begin with; on a single line only that of its place.",
  fixture: "line-numbers-markdown",
  apply: withoutLineNumbers,
};

/** Null also where the lines it replaces begin with numbers, too. */
function withoutLineNumbers({ body, old, first }: NumberedBody): readonly string[] | null {
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
