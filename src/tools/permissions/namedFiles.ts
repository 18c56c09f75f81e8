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

/** Reads a list once, to judge many paths by it. */
export function namedFiles(list: NameList): NamedFiles {
  const lines = list.split("\n").filter((line) => line.startsWith(" "));
  const all = lines.flatMap((line) => line.split(/\s+/)).filter((name) => name !== "");
  const isFolder = (name: string) => name.endsWith("/");
  const isPattern = (name: string) => /[*{]/.test(name);
  const folders = byLast(all.filter(isFolder).map((name) => name.slice(0, -1)));
  const files = byLast(all.filter((name) => !isFolder(name) && !isPattern(name)));
  const patterns = all.filter(isPattern).map(patternOf);
  const pattern = new RegExp(`^(?:${["(?!)", ...patterns].join("|")})$`);
  return {
    hasFolder: (names) => names.some((_, at) => endsIn(folders, names, at)),
    hasFile: (names) => endsIn(files, names, names.length - 1) || pattern.test(names.at(-1) ?? ""),
  };
}

/** Names by their last segment. */
function byLast(names: readonly string[]): ReadonlyMap<string, readonly string[]> {
  const found = new Map<string, string[]>();
  for (const name of names) {
    const last = name.slice(name.lastIndexOf("/") + 1);
    found.set(last, [...(found.get(last) ?? []), name]);
  }
  return found;
}

/** Whether the segments up to `at` end with one of the names. */
function endsIn(
  byLast: ReadonlyMap<string, readonly string[]>,
  segments: readonly string[],
  at: number,
): boolean {
  const known = byLast.get(segments[at] ?? "");
  if (known === undefined) return false;
  const path = `/${segments.slice(0, at + 1).join("/")}`;
  return known.some((name) => path.endsWith(`/${name}`));
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
