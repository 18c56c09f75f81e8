import { indentOf } from "../text/indent.ts";

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

/** True where a body has these lines in a row and the range does not; signs alone do not count. */
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

/** True where a line is indented as another is, and further. */
export function isDeeper(line: string, other: string): boolean {
  return (
    indentOf(line).length > indentOf(other).length && indentOf(line).startsWith(indentOf(other))
  );
}

/** The words of a line. Signs and numbers are alike in most lines. */
function wordsOf(line: string): readonly string[] {
  return line.match(/[A-Za-z_]{2,}/g) ?? [];
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
