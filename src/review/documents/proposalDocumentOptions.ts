import type { TextEdit } from "../../edits/text/changeSet.ts";
import type { EditorDocument } from "./documentSync.ts";
import type { EditorFiles } from "./editorFiles.ts";

/** Where a proposal's text lies for the editor to open. */
export interface ProposalMemory {
  /**
   * What the editor reads when it opens the proposal, and whether it may be typed in; `read` is
   * called when it does.
   */
  put(text: string, writable: boolean, read: () => void): void;
  /** Makes the editor look at {@link put}'s text and permission again. */
  announce(): void;
  /**
   * The editor has unsaved changes, so it will not look: its save must not meet a file that seems
   * newer.
   */
  withdraw(): void;
  remove(): void;
}

/** What a proposal's document needs, and who hears of it. */
export interface ProposalDocumentOptions<D extends EditorDocument>
  extends Pick<EditorFiles<D>, "apply" | "save" | "cleanUpOnSave"> {
  readonly lineEnd: "\n" | "\r\n";
  readonly memory: ProposalMemory;
  /**
   * True while the user is in this document's editor: then no clean-up of a save may disturb them.
   */
  isInUse(): boolean;
  /**
   * The user changed the proposal: edits of the proposal's text before, which lead to `textAfter`.
   */
  typed(edits: readonly TextEdit[], textAfter: string): void;
  /** The user undid in the proposal what came from the file or from Graft: that stays as it is. */
  keptUndone(): void;
  /** {@link ProposalDocument.isBehind} may have changed. */
  progressed(): void;
}
