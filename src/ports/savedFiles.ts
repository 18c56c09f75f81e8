/** Workspace paths of files whose text on the disk is not what the chat or the editor shows. */
export interface DiskGap {
  /** Changes to these are proposed and not accepted. */
  readonly pending: readonly string[];
  /** Changes to these were accepted, but the editor could not save them. */
  readonly failed: readonly string[];
  /** These have edits that Graft does not save. */
  readonly unsaved: readonly string[];
}

/** What of the editor's files is on the disk, where commands and git look. */
export interface SavedFiles {
  /** Workspace paths of files with pending proposals, oldest first. */
  pending(): readonly string[];
  /** Workspace paths of files with the user's own unsaved edits, which Graft does not save unless the user says so. */
  unsaved(): readonly string[];
  /** Saves the files with accepted changes, where the user's settings want that, and no other file. Settles at once on an abort. */
  saveAccepted(signal: AbortSignal): Promise<Omit<DiskGap, "pending">>;
}

/** Without an editor, every change is on the disk. */
export const alwaysSaved: SavedFiles = {
  pending: () => [],
  unsaved: () => [],
  saveAccepted: async () => ({ failed: [], unsaved: [] }),
};
