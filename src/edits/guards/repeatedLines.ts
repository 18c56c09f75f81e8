import { indentOf } from "../text/indent.ts";
import { wordsOf } from "./lineLikeness.ts";

/** True where a line repeats one outside the range, and the line it replaces does not. */
export function repeats(
  line: string | undefined,
  outside: string | undefined,
  replaced: string | undefined,
): boolean {
  return (
    line !== undefined &&
    outside !== undefined &&
    same(line, outside) &&
    !same(line, replaced ?? "")
  );
}

const CONDITION = /^\s*(?:if|unless|while|for|foreach|switch|match|case)\b.*\w.*[:{]\s*$/;

/**
 * True for a line that begins a block on the very condition of the block that it is right at the
 * beginning of.
 */
export function repeatsCondition(line = "", outside = ""): boolean {
  return CONDITION.test(line) && line.trim() === outside.trim() && isDeeper(line, outside);
}

/**
 * True where a body has some lines one after the other that the range does not have; they need
 * words to tell them from others.
 */
export function holdsRun(
  { body, old }: { readonly body: readonly string[]; readonly old: readonly string[] },
  lines: readonly string[],
): boolean {
  if (lines.length === 0 || wordsOf(lines.join(" ")).length < 2) return false;
  const within = (texts: readonly string[]) => {
    const filled = texts.filter(isFilled);
    return filled.some((_, at) =>
      lines.every((line, index) => same(filled[at + index] ?? "", line)),
    );
  };
  return within(body) && !within(old);
}

/**
 * True where a line has the indent of another, and not that of the line it replaces, which it does
 * not take up.
 */
export function standsLike(line: string, other: string, replaced: string): boolean {
  if (isBlankLine(line) || isBlankLine(other) || isBlankLine(replaced)) return false;
  const indent = indentOf(line);
  return (
    indent === indentOf(other) &&
    indent !== indentOf(replaced) &&
    !line.trimEnd().endsWith(replaced.trim())
  );
}

/** Ends a statement or a block. */
const ENDED = /[;}]$|[}\])],$|^\s*[)\]}]+[;,]?$/;
/** Comments and directives, which stand anywhere, and lines that go on with the one above. */
const FREE = /^\s*(?:[.#?:&|+*<]|\/\/|\/\*|--)/;

/** True where a line is deeper than the one above it, which ends a statement or a block. */
export function isTooDeep(line: string, above: string): boolean {
  if (isBlankLine(line) || FREE.test(line) || FREE.test(above)) return false;
  return ENDED.test(above.trimEnd()) && isDeeper(line, above);
}

/** Lines that may follow the beginning of a block and still end it. */
const BRANCH = /^\s*(?:[#)\]}<]|(?:else|elif|end|case|default|except|rescue|catch|finally)\b)/;
/** True where a line is indented as another is, and further. */
export function isDeeper(line: string, other: string): boolean {
  return (
    indentOf(line).length > indentOf(other).length && indentOf(line).startsWith(indentOf(other))
  );
}

/**
 * True for inserted lines that come between the beginning of a block and its lines, or beside a
 * blank line with one of their own.
 */
export function breaksUp(
  body: readonly string[],
  above: string,
  below: string,
  isChecked: boolean,
): boolean {
  const [startsBlank, endsBlank] = [isBlankLine(body[0] ?? ""), isBlankLine(body.at(-1) ?? "")];
  // Where a check proves one of two blank lines, the other was beside it before.
  const isPair = isChecked && isBlankLine(above) && isBlankLine(below);
  if (startsBlank !== endsBlank && !isPair && isBlankLine(startsBlank ? above : below)) return true;
  const first = body.find(isFilled);
  if (first === undefined || isBlankLine(above) || isBlankLine(below)) return false;
  return isDeeper(below, above) && !isDeeper(first, above) && !BRANCH.test(first);
}

/** True where the last line is blank and the body's is not, or the reverse after a blank one. */
export function endsElsewhere(body: readonly string[], old: readonly string[]): boolean {
  const last = body.at(-1) ?? "";
  return isBlankLine(old.at(-1) ?? "")
    ? !isBlankLine(last)
    : isBlankLine(last) && isBlankLine(old.at(-2) ?? "");
}

export function isFilled(line: string): boolean {
  return line.trim() !== "";
}

export function isBlankLine(line: string): boolean {
  return !isFilled(line);
}

export function same(a: string, b: string): boolean {
  return a.trimEnd() === b.trimEnd();
}
