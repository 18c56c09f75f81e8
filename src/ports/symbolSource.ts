/** Half-open range of UTF-16 offsets in the text that was asked about. */
export interface SymbolRange {
  readonly start: number;
  readonly end: number;
}

/** A symbol as a language server tells it. Servers differ in what they put into a name, and in what a range takes in. */
export interface FileSymbol {
  readonly name: string;
  /** `class`, `method`, `enum-member`, …: the words of an outline. */
  readonly kind: string;
  /** The whole symbol. */
  readonly range: SymbolRange;
  /** Its name, or the whole symbol where the server does not tell. */
  readonly selection: SymbolRange;
  readonly children: readonly FileSymbol[];
}

/** What the editor's language support knows of a file. */
export interface SymbolSource {
  /**
   * The symbols of `text`, which is the text of the workspace's file `path` but for a byte order mark and line ends. Null when nothing
   * is known about it within a few seconds, when the file has another text by now, or when `signal` aborts.
   */
  symbols(path: string, text: string, signal: AbortSignal): Promise<readonly FileSymbol[] | null>;
}
