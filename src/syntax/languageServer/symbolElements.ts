import { lineAt, lineStarts } from "../../base/text/lineTable.ts";
import type { FileSymbol } from "../../ports/symbolSource.ts";
import type { Definition } from "../paths/definition.ts";
import { elementName } from "../paths/elementName.ts";
import { MAX_DEPTH, type Nested, nameElements, type PathTable } from "../paths/elementPaths.ts";
import { symbolDefinition } from "./symbolDefinition.ts";

/** A file with more symbols has no outline. */
const MAX_SYMBOLS = 50_000;

const CALLABLES = new Set(["function", "method", "constructor"]);
const LOCALS = new Set(["variable", "constant"]);
const TYPED = new Set([...CALLABLES, "property", ...LOCALS]);

/** Some servers name a function as it is declared: `def area(shape)`. */
const KEYWORD = /^(?:def\w*|function|func|fun|fn|sub|proc|procedure)\s+(?=\S)/;

/** Places and names the symbols of `text`; null when there are too many, or when more than half have an uncertain range. */
export function symbolElements(text: string, symbols: readonly FileSymbol[]): PathTable | null {
  const placements = placeSymbols(text, symbols);
  const complete = placements?.filter(({ definition }) => !definition.isUncertain).length ?? 0;
  if (!placements || complete === 0 || complete * 2 < placements.length) return null;
  return nameElements(placements, null, ({ start, end }) => ({ start, end }));
}

/** In source order; null when there are too many. */
function placeSymbols(text: string, symbols: readonly FileSymbol[]): Nested[] | null {
  const placements: Nested[] = [];
  const starts = lineStarts(text);

  const place = (siblings: readonly FileSymbol[], parent: Nested | null, top: number): boolean => {
    let floor = top;
    let before: Definition | null = null;
    for (const symbol of addressable(siblings, parent)) {
      const name = symbolName(symbol.name, symbol.kind);
      if (name === "") continue;
      if (placements.length >= MAX_SYMBOLS) return false;
      // `a, b { … }` arrives as two symbols that end together: both are the whole declaration.
      const isShared = before !== null && before.end === symbol.range.end && before.start < symbol.range.start;
      const definition: Definition =
        before && isShared ? { ...before, name, kind: symbol.kind } : symbolDefinition(text, symbol, name, floor);
      const nested = { definition, parent, depth: (parent?.depth ?? 0) + 1 };
      placements.push(nested);
      // Nothing of a member reaches above the line after its parent's name.
      const below = starts[lineAt(starts, Math.max(symbol.range.start, symbol.selection.start)) + 1] ?? text.length;
      if (nested.depth < MAX_DEPTH && !place(symbol.children, nested, below)) return false;
      floor = Math.max(floor, definition.end);
      before = definition;
    }
    return true;
  };
  return place(symbols, null, 0) ? placements : null;
}

/** The symbols that become elements, in source order: without the file itself, type parameters and local variables. */
function addressable(symbols: readonly FileSymbol[], parent: Nested | null): FileSymbol[] {
  const local = parent !== null && CALLABLES.has(parent.definition.kind);
  return symbols
    .flatMap((symbol) => (symbol.kind === "file" ? symbol.children : [symbol]))
    .filter(({ kind }) => kind !== "type-parameter" && !(local && LOCALS.has(kind)))
    .sort((a, b) => a.range.start - b.range.start || b.range.end - a.range.end);
}

/** The name in a path of what a server calls `def area(shape)`, `area(int) : double` or `area`: `area`. */
function symbolName(name: string, kind: string): string {
  let plain = name;
  if (CALLABLES.has(kind)) plain = plain.replace(/(?<=\S)\s*\(.*$/s, "").replace(KEYWORD, "");
  if (TYPED.has(kind)) plain = plain.replace(/(?<=\S)\s+:\s.*$/s, "");
  return elementName(plain, kind);
}
