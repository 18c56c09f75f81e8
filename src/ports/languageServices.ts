import type { Result } from "../base/result.ts";
import type { FileRef } from "./workspace.ts";

/** A symbol in the code. `line` is 1-based, `container` is the enclosing class or module. */
export interface CodeSymbol {
  readonly name: string;
  readonly kind: string;
  readonly container: string | null;
  readonly path: string;
  readonly line: number;
}

/** A line of code. `line` is 1-based. */
export interface CodeLocation {
  readonly path: string;
  readonly line: number;
  readonly text: string;
}

/** A message of a language server or linter. `line` is 1-based. */
export interface Diagnostic {
  readonly path: string;
  readonly line: number;
  readonly severity: "error" | "warning" | "information" | "hint";
  /** The reporting tool with the code: `ts 2304`. */
  readonly source: string;
  readonly message: string;
}

/**
 * The editor's language extensions. An error is the failure, or null if there are no language
 * extensions. Locations outside the workspace are omitted.
 */
export interface LanguageServices {
  /** Workspace symbols that match a name, as in the editor's symbol search. */
  findSymbols(
    name: string,
    signal: AbortSignal,
  ): Promise<Result<readonly CodeSymbol[], string | null>>;
  /**
   * References to the symbol at a position, including its declaration. `line` and `character` are
   * 0-based; characters are UTF-16 units.
   */
  findReferences(
    file: FileRef,
    line: number,
    character: number,
    signal: AbortSignal,
  ): Promise<Result<readonly CodeLocation[], string | null>>;
  /** Diagnostics of a file, or for null those of every file the editor has checked. */
  diagnostics(file: FileRef | null): Promise<Result<readonly Diagnostic[], string | null>>;
}
