/** Imports that are to be added to a section, as far as they are not there. */
interface AddedImports {
  readonly lines: readonly string[];
  /** Lines that the section has. */
  readonly repeated: readonly string[];
  /** The first line that imports a name a second time; null for none. */
  readonly doubled: string | null;
}

const IMPORT =
  /^(?:import|from|use|using|require|require_relative|include|#include|#import|export|library|package|@import|load|source|\.|(?:[\w.]+\s+)?"[^"]*"|(?:const|local|let|var)\b.*\brequire\b)/;

/** Languages in which two imports of one name never go together. */
const NAMED_ONCE = /^(?:python|typescript|tsx|javascript)$/;

/** Leaves out the imports that a section has as lines of their own. */
export function addedImports(
  section: string,
  lines: readonly string[],
  language: string,
): AddedImports {
  const there = new Set(section.split(/\r\n|\n|\r/).map(normalizedImport));
  const isOwn = isEachClosed(lines);
  const repeats = (line: string) =>
    isOwn && IMPORT.test(line.trim()) && there.has(normalizedImport(line));
  const kept = lines.filter((line) => !repeats(line));
  const names = importedNames(section, language);
  const doubled = NAMED_ONCE.test(language)
    ? kept.find((line) => [...importedNames(line, language)].some((name) => names.has(name)))
    : undefined;
  const isEmpty = kept.every((line) => line.trim() === "");
  return {
    lines: isEmpty ? [] : kept,
    repeated: lines.filter(repeats).map((line) => line.trim()),
    doubled: doubled?.trim() ?? null,
  };
}

function normalizedImport(line: string): string {
  return line.trim().replace(/;$/, "").replace(/\s+/g, " ").replaceAll("'", '"');
}

function isEachClosed(lines: readonly string[]): boolean {
  return lines.every(
    (line) => (line.match(/[({]/g)?.length ?? 0) === (line.match(/[)}]/g)?.length ?? 0),
  );
}

/**
 * What a body that takes the place of a section of imports drops: names that `rest`, the other code,
 * has, or all imports, where the body keeps none and it is not certain that none is used. A body of
 * nothing but new imports may mean to add them.
 */
export function lostImports(
  section: string,
  body: readonly string[],
  rest: string,
  language: string,
): readonly string[] {
  const before = importedNames(section, language);
  const after = importedNames(body.join("\n"), language);
  const gone = [...before].filter((name) => !after.has(name));
  const words = new Set(rest.match(/[\w$]+/g) ?? []);
  const isUsed = (name: string) =>
    words.has((language === "python" ? name.split(".")[0] : name) ?? name);
  const used = gone.filter(isUsed);
  if (used.length > 0) return used;
  const lines = (text: string) => text.split(/\r\n|\n|\r/).map(normalizedImport);
  const kept = new Set(body.map(normalizedImport));
  const old = lines(section).filter(
    (line) => /\w/.test(line) && !/^(?:#[^i]|\/[/*]|\*)/.test(line),
  );
  const isEachKnown = before.size >= old.length;
  const isNew = gone.length === before.size && !old.some((line) => kept.has(line));
  return isNew && !isEachKnown && body.some((line) => line.trim() !== "") ? old : [];
}

/** The parts of an import that hold its names, by language; null for one whose names are its own. */
const CLAUSES: Readonly<Record<string, RegExp>> = {
  python: /^(?:from\s+\S+\s+)?import\s+(?:\(([^)]*)\)|([^\r\n#]*))/gm,
  typescript: /^import\s+(?:type\s+)?([^"';]*?)\s+from\b()/gm,
  go: /^\s*(?:import\s+)?(?:\(\s*)?((?:[\w.]+\s+)?"[^"\r\n]+")()/gm,
  java: /^import\s+(?:static\s+)?([\w.]+)()\s*;/gm,
  kotlin: /^import\s+([\w.]+(?:[ \t]+as[ \t]+\w+)?)()/gm,
  scala: /^import\s+([\w.]+(?:\.\{[^}]*\})?)()/gm,
  rust: /^(?:pub(?:\([^)]*\))?\s+)?use\s+([^;]*)()/gm,
  php: /^use\s+(?:function\s+|const\s+)?([^;]*)()/gm,
};
const SAME: Readonly<Record<string, string>> = { tsx: "typescript", javascript: "typescript" };

/** The names that imports bring in and that a file must not have twice, as far as they say. */
function importedNames(text: string, language: string): ReadonlySet<string> {
  const clauses = CLAUSES[SAME[language] ?? language];
  const names = new Set<string>();
  if (clauses === undefined) return names;
  for (const [, a, b] of text.matchAll(clauses)) {
    // What a group in braces brings in has the names of its parts.
    const parts = (a || b || "").replace(/[\w.:\\]*(?:::|\.|\\)\{/g, ",").replace(/[{}]/g, ",");
    for (const part of parts.split(",")) {
      const name = nameOf(part.trim(), language);
      if (name !== null && !/^(?:_|\.|self|\*)$/.test(name)) names.add(name);
    }
  }
  return names;
}

/** `b` of `a as b`, `c` of `a::b::c`, `a\c` and `a.c`, but all of `a.b` in Python. */
function nameOf(part: string, language: string): string | null {
  if (language === "go") return goName(part);
  if (language === "python") return /(?:\bas\s+)?([\w.]+)\s*$/.exec(part)?.[1] ?? null;
  return /(?:\bas\s+|=>\s*)?([\w$]+)\s*$/.exec(part)?.[1] ?? null;
}

/** `x` of `x "a/b"`, `b` of `"a/b"` and of `"a/b/v2"`. */
function goName(part: string): string | null {
  const [, alias, path = ""] = /^(?:([\w.]+)\s+)?"([^"]*)"$/.exec(part) ?? [];
  if (alias !== undefined) return alias;
  const last = path.split("/").findLast((each) => !/^v\d+$/.test(each)) ?? "";
  return /^[A-Za-z]\w*/.exec(last)?.[0] ?? null;
}
