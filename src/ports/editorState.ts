import type { Result } from "../base/result.ts";
import type { FileError, FileRef } from "./workspace.ts";

/** Lines of a file, 1-based and inclusive. */
export interface LineSpan {
  readonly first: number;
  readonly last: number;
}

/** What the user has before him. Paths are workspace-relative. */
export interface EditorContext {
  /** The file of the active editor, or null. */
  readonly active: {
    readonly path: string;
    readonly languageId: string;
    readonly unsaved: boolean;
    /** Without an empty one after a final line break. */
    readonly lineCount: number;
    /** Null for a mere cursor; `text` is what is selected. */
    readonly selection: (LineSpan & { readonly text: string }) | null;
    readonly cursorLine: number;
    readonly visible: LineSpan | null;
  } | null;
  /** The files of the open tabs, in the order of the tabs. */
  readonly tabs: readonly { readonly path: string; readonly unsaved: boolean }[];
}

/** The editor around Graft. */
export interface EditorState {
  context(): EditorContext;
  /** Opens a file without taking the focus, at `lines` where given. */
  open(file: FileRef, lines: LineSpan | null): Promise<Result<null, FileError>>;
  /** Shows a file or a folder in the explorer. */
  reveal(file: FileRef): Promise<Result<null, FileError>>;
}
