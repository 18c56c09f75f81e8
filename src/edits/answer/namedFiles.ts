import { firstLineName, NAME } from "./fileNames.ts";

/** The file names around a code block of an answer, without repetitions, as written. */
export interface NamedFiles {
  /** In its fence, or as a comment that is its first line. */
  readonly own: readonly string[];
  /** In the text before it. */
  readonly before: readonly string[];
}

const NAMES = new RegExp(`(?<![\\w@.+/\\\\-])${NAME}(?![\\w/])`, "g");
const LINKS = /\b\w+:\/\/\S+/g;

/** The files that a code block may belong to, by its `info`, its code and the text before it. */
export function namedFiles({
  info,
  before,
  code,
}: {
  readonly info: string;
  readonly before: string;
  readonly code: string;
}): NamedFiles {
  const first = firstLineName(code);
  const names = (text: string) => text.replace(LINKS, " ").match(NAMES) ?? [];
  return {
    own: unique([...names(info), ...(first === null ? [] : [first])]),
    before: unique(names(before)),
  };
}

function unique(names: readonly string[]): readonly string[] {
  return [...new Set(names.map((name) => name.replaceAll("\\", "/").replace(/^(?:\.\/)+/, "")))];
}
