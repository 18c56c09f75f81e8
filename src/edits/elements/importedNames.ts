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

/**
 * The names that imports bring in, as far as the language's imports name them: those that a file
 * must not have twice.
 */
export function importedNames(text: string, language: string): ReadonlySet<string> {
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
