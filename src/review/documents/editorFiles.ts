import type { EditDocument, EditorDocument } from "./documentSync.ts";

/** A file's current and new text; null stands for no file. */
export interface FileRewrite {
  readonly uri: string;
  readonly before: string | null;
  readonly after: string | null;
}

/** The files and documents of the editor. URIs are those of `FileRef`. */
export interface EditorFiles<D extends EditorDocument> {
  readonly apply: EditDocument<D>;
  /** Opens the document of a file that exists. Rejects if the editor cannot. */
  openFile(uri: string): Promise<D>;
  /** Tells the states of a file apart without reading it. Null if there is no file. */
  stateOf(uri: string): Promise<string | null>;
  /** Whether the document shows an older text than its file has. */
  isStale(document: D): Promise<boolean>;
  /** The text of the document's file as the editor would read it. Null if it cannot be read. */
  onDisk(document: D): Promise<string | null>;
  /** Whether the document's encoding has all characters of the texts. */
  canHold(document: D, texts: () => readonly string[]): Promise<boolean>;
  /**
   * Rewrites files as one undo step. False, without any effect, unless each has its text `before`
   * and can be written.
   */
  rewrite(files: readonly FileRewrite[]): Promise<boolean>;
  /** False if the editor refused, as it does while an earlier save still cleans up. */
  save(document: D): Promise<boolean>;
  /** What the editor changes when it saves this document: nothing, blanks at line ends, or anything. */
  cleanUpOnSave(document: D): "nothing" | "blanks" | "anything";
}
