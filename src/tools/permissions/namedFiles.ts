/**
 * Names of files and folders with their sources. A line that is not indented is the page that
 * documents the names below it. These are in lower case and separated by blanks. A name that ends
 * with `/` is a folder, and a name may begin with its parent folders. A file may have a `*` and
 * alternatives such as `{yml,yaml}` instead of parent folders.
 */
export type NameList = string;

/** Finds the names of a list in the segments of a path, which are in lower case. */
export interface NamedFiles {
  /** Whether a segment, or some in a row, is a folder of the list. */
  hasFolder(names: readonly string[]): boolean;
  /** Whether the path ends with a file of the list. */
  hasFile(names: readonly string[]): boolean;
}

/** The most segments that a name of a list has. */
const SEGMENTS = [1, 2, 3];

/** Reads a list once, to judge many paths by it. */
export function namedFiles(list: NameList): NamedFiles {
  const lines = list.split("\n").filter((line) => line.startsWith(" "));
  const all = lines.flatMap((line) => line.split(/\s+/)).filter((name) => name !== "");
  const folders = new Set(all.flatMap((name) => /^(.*)\/$/.exec(name)?.[1] ?? []));
  const files = new Set(all.filter((name) => !/\/$|[*{]/.test(name)));
  const patterns = all.filter((name) => /[*{]/.test(name)).map(patternOf);
  const pattern = new RegExp(`^(?:${["(?!)", ...patterns].join("|")})$`);
  return {
    hasFolder: (names) =>
      names.some((_, at) =>
        SEGMENTS.some((count) => folders.has(names.slice(at, at + count).join("/"))),
      ),
    hasFile: (names) =>
      SEGMENTS.some((count) => files.has(names.slice(-count).join("/"))) ||
      pattern.test(names.at(-1) ?? ""),
  };
}

function patternOf(name: string): string {
  return name.replace(/[^\w-]/g, (character) => PATTERN_SIGNS.get(character) ?? `\\${character}`);
}

const PATTERN_SIGNS = new Map([
  ["*", ".*"],
  ["{", "(?:"],
  [",", "|"],
  ["}", ")"],
]);
