import type { FileSymbol } from "../ports/symbolSource.ts";
import { type AddressedElement, PathNames, PathTable, type Scope, scopeWithin, TOP } from "./elementPaths.ts";
import { symbolName } from "./symbolName.ts";
import { type PlacedRange, symbolRange } from "./symbolRange.ts";

/** An element that a language server told of. Its path stays as it is; its range is the one it had when the file was opened. */
export interface SymbolElement extends AddressedElement, PlacedRange {
  readonly parent: SymbolElement | null;
}

/** Deeper symbols are not addressed, and of more than this many none is. */
const MAX_DEPTH = 64;
const MAX_SYMBOLS = 50_000;

const CALLABLES = new Set(["function", "method", "constructor"]);
const LOCALS = new Set(["variable", "constant"]);

/** The symbols that become elements, in source order: the file itself stands for what is in it, parameters and local variables fall away. */
function addressable(symbols: readonly FileSymbol[], parent: SymbolElement | null): FileSymbol[] {
  const local = parent !== null && CALLABLES.has(parent.kind);
  return symbols
    .flatMap((symbol) => (symbol.kind === "file" ? symbol.children : [symbol]))
    .filter(({ kind }) => kind !== "type-parameter" && !(local && LOCALS.has(kind)))
    .sort((a, b) => a.range.start - b.range.start || b.range.end - a.range.end);
}

/** Answers where the line below an offset's line begins, by a binary search. */
function lineBelow(text: string): (offset: number) => number {
  const starts = [...text.matchAll(/\r\n|\n|\r/g)].map(({ index, 0: lineBreak }) => index + lineBreak.length);
  return (offset) => {
    let low = 0;
    let high = starts.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((starts[middle] ?? 0) <= offset) low = middle + 1;
      else high = middle;
    }
    return starts[low] ?? text.length;
  };
}

/** `a, b { … }` is told as two symbols that end together: both are the whole declaration. */
function withSharedStart(symbol: FileSymbol, before: PlacedRange | undefined): PlacedRange | null {
  const shared = before && before.range.end === symbol.range.end && before.range.start < symbol.range.start;
  return shared ? before : null;
}

/** Names and places what a language server told of `text`; null when it is too much, or when more than half of it cannot be placed. */
export function symbolElements(text: string, symbols: readonly FileSymbol[]): PathTable<SymbolElement> | null {
  const names = new PathNames();
  const paths = new PathTable<SymbolElement>(null);
  const below = lineBelow(text);

  const place = (siblings: readonly FileSymbol[], parent: SymbolElement | null, scope: Scope, top: number): boolean => {
    let floor = top;
    let before: PlacedRange | undefined;
    for (const symbol of addressable(siblings, parent)) {
      const name = symbolName(symbol.name, symbol.kind);
      if (name === "") continue;
      if (paths.elements.length >= MAX_SYMBOLS) return false;
      const placed: PlacedRange = withSharedStart(symbol, before) ?? symbolRange(text, symbol, floor);
      const { segmentStarts, path } = scopeWithin(scope, name);
      const element: SymbolElement = { ...placed, path: names.take(path), kind: symbol.kind, segmentStarts, parent };
      paths.add(element);
      const isDeep = segmentStarts.length >= MAX_DEPTH;
      // Nothing of a member reaches above the line below its parent's name.
      if (!isDeep && !place(symbol.children, element, element, below(Math.max(symbol.range.start, symbol.selection.start)))) return false;
      floor = Math.max(floor, placed.range.end);
      before = placed;
    }
    return true;
  };

  if (!place(symbols, null, TOP, 0)) return null;
  const complete = paths.elements.filter((element) => element.complete).length;
  return complete > 0 && complete * 2 >= paths.elements.length ? paths : null;
}
