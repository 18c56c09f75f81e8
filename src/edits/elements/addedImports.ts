import { importedNames } from "./importedNames.ts";

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

/** Languages in which two imports of one name never go together. */
const NAMED_ONCE = /^(?:python|typescript|tsx|javascript)$/;

/**
 * Leaves out the imports that a section has: lines of their own, so that no part of a longer one
 * goes.
 */
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

/** An import line in one spelling. */
export function normalizedImport(line: string): string {
  return line.trim().replace(/;$/, "").replace(/\s+/g, " ").replaceAll("'", '"');
}

/** True where every line is an import of its own. */
function isEachClosed(lines: readonly string[]): boolean {
  return lines.every(
    (line) => (line.match(/[({]/g)?.length ?? 0) === (line.match(/[)}]/g)?.length ?? 0),
  );
}
