import type { FileSymbol, SymbolSource } from "../../../src/ports/symbolSource.ts";

/** A symbol of a test: it reaches from the first `from` to the end of the first `to` behind it, a line's rest where there is no `to`. */
export interface SymbolSpec {
  readonly name: string;
  readonly kind: string;
  readonly from: string;
  readonly to?: string;
  readonly children?: readonly SymbolSpec[];
}

/** The symbols as a language server would tell them of `text`; the name is selected where it stands in the range. */
export function symbolsIn(text: string, specs: readonly SymbolSpec[], after = 0): readonly FileSymbol[] {
  return specs.map(({ name, kind, from, to, children = [] }) => {
    const start = text.indexOf(from, after);
    const last = to ?? from;
    const end = text.indexOf(last, start + (to === undefined ? 0 : from.length)) + last.length;
    if (start < 0 || end < start + from.length) throw new Error(`${name} is not in the text`);
    const named = text.indexOf(name, start);
    const selection = named >= 0 && named < end ? { start: named, end: named + name.length } : { start, end };
    return { name, kind, range: { start, end }, selection, children: symbolsIn(text, children, start) };
  });
}

/** Knows these symbols of any file. */
export function fixedSymbols(specs: readonly SymbolSpec[]): SymbolSource {
  return { symbols: async (_path, text) => symbolsIn(text, specs) };
}
