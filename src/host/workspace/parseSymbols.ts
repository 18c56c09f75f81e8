import * as z from "zod/mini";
import { lineStarts } from "../../base/text/lineTable.ts";
import { previousLineEnd } from "../../base/text/scan.ts";
import type { FileSymbol, SymbolRange } from "../../ports/symbolSource.ts";

/** The outline's words for {@link https://code.visualstudio.com/api/references/vscode-api#SymbolKind | SymbolKind}, in its order. */
const KINDS =
  "file module namespace package class method property property constructor enum interface function variable constant string number boolean array object key null enum-member struct event operator type-parameter".split(
    " ",
  );

/** The outline's word for one of the editor's symbol kinds. */
export function symbolKind(kind: number): string {
  return KINDS[kind] ?? "symbol";
}

const position = z.object({ line: z.number(), character: z.number() });
const range = z.object({ start: position, end: position });

/** A symbol of another extension: a `DocumentSymbol`, a `SymbolInformation`, or both. Children are checked one by one. */
const symbolSchema = z.object({
  name: z.string(),
  kind: z.number(),
  range: z.optional(range),
  selectionRange: z.optional(range),
  location: z.optional(z.object({ range })),
  children: z.optional(z.array(z.unknown())),
});

/** Deeper symbols are left out. */
const MAX_DEPTH = 64;

type Place = z.infer<typeof position>;

/** Converts the editor's positions to offsets, clipped to the ends of lines and of the text. */
function offsetIn(text: string): (place: Place) => number {
  const starts = lineStarts(text);
  const first = text.startsWith("\uFEFF") ? 1 : 0;
  return ({ line, character }) => {
    const start = starts[line];
    if (start === undefined) return line < 0 ? 0 : text.length;
    const next = starts[line + 1];
    const end = next === undefined ? text.length : previousLineEnd(text, next);
    return Math.min(end, Math.max(start, first) + Math.max(0, character));
  };
}

/** Builds a tree from a flat list by its ranges. */
function nested(symbols: readonly FileSymbol[]): readonly FileSymbol[] {
  const roots: FileSymbol[] = [];
  const open: { readonly range: SymbolRange; readonly children: FileSymbol[] }[] = [];
  for (const symbol of [...symbols].sort((a, b) => a.range.start - b.range.start || b.range.end - a.range.end)) {
    const { start, end } = symbol.range;
    for (let last = open.at(-1); last && last.range.end < end; last = open.at(-1)) open.pop();
    for (let last = open.at(-1); last && last.range.end <= start; last = open.at(-1)) open.pop();
    const placed = { ...symbol, children: [] };
    (open.at(-1)?.children ?? roots).push(placed);
    open.push(placed);
  }
  return roots;
}

/** Parses what another extension reports about `text`. Anything that is not a symbol is left out. */
export function parseSymbols(told: unknown, text: string): readonly FileSymbol[] {
  const offset = offsetIn(text);
  let isList = false;
  const parse = (values: readonly unknown[], depth: number): FileSymbol[] =>
    values.flatMap((value) => {
      const parsed = symbolSchema.safeParse(value);
      if (!parsed.success || depth > MAX_DEPTH) return [];
      const { name, kind, range: own, selectionRange, location, children = [] } = parsed.data;
      const whole = own ?? location?.range;
      if (!whole) return [];
      if (!own) isList = true;
      const placed = (place: z.infer<typeof range>) => ({ start: offset(place.start), end: offset(place.end) });
      const symbol = { name, kind: symbolKind(kind), range: placed(whole), selection: placed(selectionRange ?? whole) };
      return [{ ...symbol, children: parse(children, depth + 1) }];
    });
  const symbols = Array.isArray(told) ? parse(told, 1) : [];
  return isList ? nested(symbols) : symbols;
}
