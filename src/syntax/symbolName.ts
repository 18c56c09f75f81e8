import { elementName } from "./elementName.ts";

const CALLABLES = new Set(["function", "method", "constructor"]);
const TYPED = new Set([...CALLABLES, "property", "variable", "constant"]);

/** Some servers name a function as it is declared: `def area(shape)`. */
const KEYWORD = /^(?:def\w*|function|func|fun|fn|sub|proc|procedure)\s+(?=\S)/;

/** The name in a path of what a server calls `def area(shape)`, `area(int) : double` or `area`: `area`. */
export function symbolName(name: string, kind: string): string {
  let plain = name;
  if (CALLABLES.has(kind)) plain = plain.replace(/(?<=\S)\s*\(.*$/s, "").replace(KEYWORD, "");
  if (TYPED.has(kind)) plain = plain.replace(/(?<=\S)\s+:\s.*$/s, "");
  return elementName(plain, kind);
}
