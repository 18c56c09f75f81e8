/**
 * Ways to read a path as a model writes it, the nearest first, without the path as it is written.
 * `isSure`: only marks around or in the path are left out, so that also a new file has that path.
 */
export interface PathSpelling {
  readonly path: string;
  readonly isSure: boolean;
}

/** The most readings of one path. */
const MOST = 40;
/** No system has longer paths, in characters. */
const LONGEST_PATH = 4_096;

/** A line, several lines or a column after a path. After an extension alone where names end so. */
const PLACE =
  /(?::L?\d+(?:[-:,]L?\d+)*:?|#L?\d+(?:[-:]L?\d+)?|(?<!\s)\s*\((?:lines? )?\d+(?:[-,:]\s*\d+)?\)|(?<!\s),?\s+\(?lines? \d+(?:\s*(?:[-–]|to)\s*\d+)?\)?|(?<=\.[a-z]\w{0,9})(?:@|,?\s+|\s*\(|\[)L?\d+(?:\s*[-–:,]\s*L?\d+)*[)\]]?)$/i;
const QUOTED = /^(?:"([^"]+)"|'([^']+)'|`+([^`]+)`+|<([^<>]+)>|“([^”]+)”|\*\*(.+)\*\*)$/s;
const LINKED = /^\[[^\]]*\]\(([^()]+)\)$/s;
const TAGGED = /^<(\w+)>([^<>]+)<\/\1>$/s;
const LABEL = /^(?:file|path|file[ _]?(?:name|path))\s*[:=](?!\/\/)\s*/i;
const URI = /^(?:file|vscode(?:-insiders)?):\/\/(?:file(?=\/)|localhost(?=\/))?/i;

const ROOT = /^(?:\$\{?(?:workspaceFolder|workspaceRoot|PWD)\}?|\$\(pwd\)|%CD%)\/+/i;

/** What a model may have done to a path; each gives the path without it, or null. */
const SLIPS: readonly { readonly isSure: boolean; undo(path: string): string | null }[] = [
  { isSure: true, undo: (path) => path.replace(/^[\s\uFEFF]+|[\s\uFEFF]+$/g, "") },
  { isSure: true, undo: (path) => QUOTED.exec(path)?.slice(1).find(Boolean) ?? null },
  { isSure: true, undo: (path) => LINKED.exec(path)?.[1] ?? null },
  { isSure: true, undo: (path) => TAGGED.exec(path)?.[2] ?? null },
  { isSure: true, undo: (path) => path.replace(LABEL, "") },
  { isSure: true, undo: (path) => (URI.test(path) ? decoded(path.replace(URI, "")) : null) },
  { isSure: true, undo: (path) => path.replace(/\\([ ()[\]&'"$])/g, "$1") },
  { isSure: true, undo: (path) => path.replace(/\\+|[\u2044\u2215\uff0f\uff3c]/g, "/") },
  { isSure: true, undo: (path) => path.replace(/(?<=.)\/{2,}/g, "/") },
  { isSure: true, undo: (path) => path.replace(/^(?:\.\/+)+/, "") },
  { isSure: true, undo: (path) => path.replace(ROOT, "") },
  { isSure: true, undo: (path) => (/%[0-9a-f]{2}/i.test(path) ? decoded(path) : null) },
  { isSure: true, undo: (path) => path.replace(/[,;]$/, "") },
  { isSure: false, undo: withoutPlace },
  { isSure: false, undo: (path) => path.replace(/^(?:\+\+\+|---)\s+/, "") },
  { isSure: false, undo: (path) => path.replace(/^\/?[a-z]:(?=\/)/i, "") },
  { isSure: false, undo: (path) => path.replace(/^@\/+/, "") },
  { isSure: false, undo: (path) => path.replace(/^@\/+/, "src/") },
  { isSure: false, undo: (path) => path.replace(/^@(?=[^/])/, "") },
  { isSure: false, undo: (path) => path.replace(/^[abciow]\//, "") },
  { isSure: false, undo: (path) => path.replace(/^~\/+/, "") },
  { isSure: false, undo: (path) => path.replace(/^\/+/, "") },
  { isSure: false, undo: (path) => path.replace(/[.:]$/, "") },
];

/**
 * The ways to read `written`; `folders` are the workspace's, of which a path begins with one where
 * there are several. None of what is too long for a path.
 */
export function pathSpellings(
  written: string,
  folders: readonly string[],
): readonly PathSpelling[] {
  if (written.length > LONGEST_PATH) return [];
  const found = new Map<string, boolean>([[written, true]]);
  for (const [path, isSure] of found) {
    if (found.size > MOST) break;
    const add = (other: string | null, sure: boolean) => {
      if (other !== null && other !== "" && !found.has(other)) found.set(other, sure);
    };
    for (const { undo, isSure: sure } of SLIPS) add(undo(path), isSure && sure);
    const inside = folders.find((folder) => path.startsWith(`${folder}/`));
    if (inside !== undefined && folders.length === 1) add(path.slice(inside.length + 1), false);
    if (inside === undefined && folders.length > 1)
      for (const folder of folders) add(`${folder}/${path}`, false);
  }
  found.delete(written);
  return [...found].map(([path, isSure]) => ({ path, isSure }));
}

/** A path without the line, the lines or the column after it. */
export function withoutPlace(path: string): string {
  return path.replace(PLACE, "");
}

/** Names that look the same have one form: whatever their case, composition, width or blanks. */
export function lookOf(name: string): string {
  return name
    .normalize("NFKC")
    .toLowerCase()
    .normalize("NFKC")
    .replace(/\p{Default_Ignorable_Code_Point}/gu, "")
    .replace(/[\u2010-\u2015\u2212]/g, "-")
    .replace(/[\u2018\u2019\u02bc]/g, "'")
    .replace(/[\u201c\u201d]/g, '"')
    .replace(/\s+/g, " ")
    .replace(/^ |(?<=^ ?|[^ .])[ .]+$/g, "");
}

function decoded(path: string): string | null {
  try {
    return decodeURIComponent(path);
  } catch {
    return null;
  }
}
