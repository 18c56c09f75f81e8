/** Files whose text on disk differs from the chat's or the editor's view. Workspace paths. */
export interface DiskGap {
  /** They have pending proposals. */
  readonly pending: readonly string[];
  /** The editor could not save their accepted changes. */
  readonly failed: readonly string[];
  /** They have unsaved edits by the user, which Graft does not save. */
  readonly unsaved: readonly string[];
}

/** Which of the editor's files are saved to disk, where commands and git see them. */
export interface SavedFiles {
  /** Workspace paths of files with pending proposals, oldest first. */
  pending(): readonly string[];
  /**
   * Workspace paths of files with the user's own unsaved edits. Graft saves them only if the user
   * agrees.
   */
  unsaved(): readonly string[];
  /**
   * Saves files with accepted changes, if the user's settings say so, and no other files. Settles
   * immediately on abort.
   */
  saveAccepted(signal: AbortSignal): Promise<Omit<DiskGap, "pending">>;
}

/** For use without an editor, where every change is on disk. */
export const alwaysSaved: SavedFiles = {
  pending: () => [],
  unsaved: () => [],
  saveAccepted: async () => ({ failed: [], unsaved: [] }),
};
