import type { Result } from "../base/result.ts";
import type { FileRef } from "./workspace.ts";

/** A named thing in the code; `line` is 1-based, `container` the class or module it is in. */
export interface CodeSymbol {
  readonly name: string;
  readonly kind: string;
  readonly container: string | null;
  readonly path: string;
  readonly line: number;
}

/** A line of code; `line` is 1-based. */
export interface CodePlace {
  readonly path: string;
  readonly line: number;
  readonly text: string;
}

/** What a language server or a linter says about a place; `line` is 1-based. */
export interface Diagnostic {
  readonly path: string;
  readonly line: number;
  readonly severity: "error" | "warning" | "information" | "hint";
  /** Who says it, with its code: `ts 2304`. */
  readonly source: string;
  readonly message: string;
}

/** What the editor's language extensions know. An error is what went wrong, null where there are no language extensions; places outside of the workspace are left out. */
export interface LanguageServices {
  /** Symbols of the workspace whose name fits, in the way of the editor's symbol search. */
  findSymbols(name: string, signal: AbortSignal): Promise<Result<readonly CodeSymbol[], string | null>>;
  /** Where the symbol at a place is used, its declaration included; `line` and `character` count from 0, in UTF-16 units. */
  findReferences(file: FileRef, line: number, character: number, signal: AbortSignal): Promise<Result<readonly CodePlace[], string | null>>;
  /** What is wrong in a file, or for null in every file that the editor has looked at. */
  diagnostics(file: FileRef | null): Promise<Result<readonly Diagnostic[], string | null>>;
}
