/** Imports that are to be added to a section, as far as they are not there. */
export interface AddedImports {
  readonly lines: readonly string[];
  /** Lines that the section has. */
  readonly repeated: readonly string[];
  /** The first line that imports a name a second time; null for none. */
  readonly doubled: string | null;
}

const IMPORT =
  /^(?:import|from|use|using|require|require_relative|include|#include|#import|export|library|package|@import|load|source|\.|(?:[\w.]+\s+)?"[^"]*"|(?:const|local|let|var)\b.*\brequire\b)/;

/**
 * Leaves out the imports that a section has: lines of their own, so that no part of a longer one
 * goes.
 */
export function addedImports(
  section: string,
  lines: readonly string[],
  language: string,
): AddedImports {
  const there = new Set(section.split(/\r\n|\n|\r/).map(normalized));
  const isOwn = isEachClosed(lines);
  const repeats = (line: string) =>
    isOwn && IMPORT.test(line.trim()) && there.has(normalized(line));
  const kept = lines.filter((line) => !repeats(line));
  const names = boundNames(section, language);
  const doubled = kept.find((line) =>
    [...boundNames(line, language)].some((name) => names.has(name)),
  );
  const isEmpty = kept.every((line) => line.trim() === "");
  return {
    lines: isEmpty ? [] : kept,
    repeated: lines.filter(repeats).map((line) => line.trim()),
    doubled: doubled?.trim() ?? null,
  };
}

function normalized(line: string): string {
  return line.trim().replace(/;$/, "").replace(/\s+/g, " ").replaceAll("'", '"');
}

/** True where every line is an import of its own. */
function isEachClosed(lines: readonly string[]): boolean {
  return lines.every(
    (line) => (line.match(/[({]/g)?.length ?? 0) === (line.match(/[)}]/g)?.length ?? 0),
  );
}

/** The names that imports bring in: those that a file must not have twice. */
function boundNames(text: string, language: string): ReadonlySet<string> {
  const clauses =
    language === "python"
      ? text.matchAll(/^(?:from\s+\S+\s+)?import\s+(?:\(([^)]*)\)|([^\r\n#]*))/gm)
      : /^(?:typescript|tsx|javascript)$/.test(language)
        ? text.matchAll(/^import\s+(?:type\s+)?([^"';]*?)\s+from\b()/gm)
        : [];
  const names = new Set<string>();
  for (const [, a, b] of clauses) {
    for (const part of (a || b || "").replace(/[{}]/g, ",").split(",")) {
      const name = /(?:\bas\s+)?([\w$.]+)\s*$/.exec(part.trim())?.[1];
      if (name !== undefined && name !== "") names.add(name);
    }
  }
  return names;
}
