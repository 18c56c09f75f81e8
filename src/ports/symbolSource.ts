import type { OffsetRange } from "../base/text/scan.ts";

/** A symbol from a language server. Servers differ in what a name contains and what a range covers. */
export interface FileSymbol {
  readonly name: string;
  /** `class`, `method`, `enum-member`, …: the words of an outline. */
  readonly kind: string;
  /** The whole symbol, in the text that was asked about. */
  readonly range: OffsetRange;
  /** Its name, or the whole symbol when the server gives no name's range. */
  readonly selection: OffsetRange;
  readonly children: readonly FileSymbol[];
}

/** Asks the editor's language support about files. */
export interface SymbolSource {
  /** The symbols of `text`, the text of the file `path`. Null where there are none within a few seconds, or the file's text differs. */
  symbols(path: string, text: string, signal: AbortSignal): Promise<readonly FileSymbol[] | null>;
}
