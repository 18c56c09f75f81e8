import type * as vscode from "vscode";
import { lineStarts } from "../../base/text/lineTable.ts";
import { previousLineEnd } from "../../base/text/scan.ts";
import type { FileSymbol } from "../../ports/symbolSource.ts";

/** The outline's words for {@link https://code.visualstudio.com/api/references/vscode-api#SymbolKind | SymbolKind}, in its order. */
const KINDS =
  "file module namespace package class method property property constructor enum interface function variable constant string number boolean array object key null enum-member struct event operator type-parameter".split(
    " ",
  );

/** The outline's word for one of the editor's symbol kinds. */
export function symbolKind(kind: number): string {
  return KINDS[kind] ?? "symbol";
}

type Place = Pick<vscode.Position, "line" | "character">;
type PlaceRange = { readonly start: Place; readonly end: Place };

/** A symbol as VS Code tells it; `vscode.DocumentSymbol` is one. */
export interface ToldSymbol extends Pick<vscode.DocumentSymbol, "name" | "kind"> {
  readonly range: PlaceRange;
  readonly selectionRange: PlaceRange;
  readonly children: readonly ToldSymbol[];
}

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

/** What VS Code tells of `text`, which makes a tree also of what another extension lists. */
export function fileSymbols(told: readonly ToldSymbol[], text: string): readonly FileSymbol[] {
  const offset = offsetIn(text);
  const placed = ({ start, end }: PlaceRange) => ({ start: offset(start), end: offset(end) });
  const fileSymbol = ({ name, kind, range, selectionRange, children }: ToldSymbol): FileSymbol => ({
    name,
    kind: symbolKind(kind),
    range: placed(range),
    selection: placed(selectionRange),
    children: children.map(fileSymbol),
  });
  return told.map(fileSymbol);
}
