import type { EditDocument, EditorDocument } from "./documentSync.ts";

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
   * Replaces a file's text as one undo step; null stands for no file. False, without any effect, if
   * its text is not `before` or it cannot be written.
   */
  rewrite(uri: string, before: string | null, after: string | null): Promise<boolean>;
  /** False if the editor refused, as it does while an earlier save still cleans up. */
  save(document: D): Promise<boolean>;
  /** What the editor changes when it saves this document: nothing, blanks at line ends, or anything. */
  cleanUpOnSave(document: D): "nothing" | "blanks" | "anything";
}
