import type { Result } from "../base/result.ts";
import type { FileError, FileRef } from "./workspace.ts";

/** Lines of a file, 1-based and inclusive. */
export interface LineSpan {
  readonly first: number;
  readonly last: number;
}

/** The user's view of the editor. Paths are workspace-relative. */
export interface EditorContext {
  /** The file in the active editor, or null. */
  readonly active: {
    readonly path: string;
    readonly languageId: string;
    readonly unsaved: boolean;
    /** Excludes the empty line after a final line break. */
    readonly lineCount: number;
    /** Null for an empty selection. `text` is the selected text. */
    readonly selection: (LineSpan & { readonly text: string }) | null;
    readonly cursorLine: number;
    readonly visible: LineSpan | null;
  } | null;
  /** The files of the open tabs, in tab order. */
  readonly tabs: readonly { readonly path: string; readonly unsaved: boolean }[];
}

/** The state of the editor. */
export interface EditorState {
  context(): EditorContext;
  /** Opens a file without taking focus, at `lines` if given. */
  open(file: FileRef, lines: LineSpan | null): Promise<Result<null, FileError>>;
  /** Shows a file or folder in the explorer. */
  reveal(file: FileRef): Promise<Result<null, FileError>>;
}
