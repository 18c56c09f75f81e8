import { squeezed } from "../text/lineChecks.ts";
import { lineDiff } from "../text/lineDiff.ts";
import { BLANKS_MEAN } from "./whitespaceRules.ts";

/** A comment that has its line to itself. */
const COMMENT = /^(?:\/\/|#\s|\{?\/\*.*\*\/\}?$|<!--.*-->$|--\s|;+\s|%+\s)/;
/** A line of a comment that began above. */
const IN_COMMENT = /^(?:\*|\/\*|<!--|""")/;
/** Says that code was taken out. */
const GONE = /\b(?:remov|delet|drop|unused|obsolete|no longer|not needed|no need)/i;
/** More lines explain something. */
const MOST_COMMENTS = 2;
/** Fewer lines are no part that is left out. */
const LEAST_CODE = 2;

/**
 * The first comment that alone took the place of lines of code, as `// validation stays the same`
 * does; null for none. Code that was commented out is still there.
 */
export function commentForCode(
  body: readonly string[],
  old: readonly string[],
  path: string,
): string | null {
  const isNew = (line: string) => COMMENT.test(line.trim()) && !old.includes(line);
  if (BLANKS_MEAN.test(path) || body.length === 0 || !body.some(isNew)) return null;
  const [before, after] = [trimmed(old), trimmed(body)];
  const isComment = (line: string) => COMMENT.test(line) || IN_COMMENT.test(line);
  for (const { beforeLines, afterLines } of lineDiff(before.join("\n"), after.join("\n"))) {
    const written = after.slice(afterLines.start, afterLines.end).filter((line) => line !== "");
    const [first] = written;
    if (first === undefined || written.length > MOST_COMMENTS) continue;
    const gone = before.slice(beforeLines.start, beforeLines.end);
    const code = gone.filter((line) => /\w/.test(line));
    // A comment may have changed, head new lines, or say that code is gone.
    const next = after.slice(afterLines.end).find((line) => line !== "");
    const said = written.join("\n");
    const isLeftOut =
      code.length >= LEAST_CODE &&
      written.every((line) => COMMENT.test(line)) &&
      !gone.some(isComment) &&
      (next === undefined || before.includes(next)) &&
      !GONE.test(said) &&
      !code.some((line) => squeezed(said).includes(squeezed(line)));
    if (isLeftOut) return first;
  }
  return null;
}

function trimmed(lines: readonly string[]): readonly string[] {
  return lines.map((line) => line.trim());
}
