import { normalizedImport } from "./addedImports.ts";
import { importedNames } from "./importedNames.ts";

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
