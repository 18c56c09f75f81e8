/** A file name as it stands in prose, with an extension. */
export const NAME = "(?:[\\w@.+-]+[\\\\/])*[\\w@.+-]*\\w\\.[A-Za-z]\\w{0,9}";

const FIRST_LINE = new RegExp(
  `^\\s*(?://|#|--|;|<!--|/\\*)\\s*(?:file(?:name)?:\\s*)?(${NAME})\\s*(?:-->|\\*/)?\\s*$`,
  "i",
);

/** Words with which a line leads over to a file, none of which could make it another's. */
const LEADING =
  "also|and|change|changes|edit|file|filename|filepath|finally|first|for|in|last|lastly|next|now|" +
  "path|second|the|then|third|to|update";

/** A line that is only a file's name, as a heading, an item, in bold or as code. */
const NAME_LINE = new RegExp(
  `^[\\s>#*_-]*(?:\\d+[.)]\\s+)?(?:(?:${LEADING})\\s*[:,]?\\s+){0,4}[*_\`"]*([\\w@.+\\\\/-]*\\w)[*_\`"]*\\s*:?[*_\\s]*$`,
  "i",
);

/** The file that a comment names that is the first line of `code`; null for none. */
export function firstLineName(code: string): string | null {
  return FIRST_LINE.exec(code.slice(0, 1_000).split("\n", 1)[0] ?? "")?.[1] ?? null;
}

/** The name that is all of a short line, such as the one above a fence; null for none. */
export function nameInLine(line: string): string | null {
  return line.length > 200 ? null : (NAME_LINE.exec(line)?.[1] ?? null);
}

/** The words of a fence's info string that may be file names. */
export function namesInInfo(info: string): readonly string[] {
  return info.split(/[\s:="'{},]+/).filter((word) => word !== "");
}
