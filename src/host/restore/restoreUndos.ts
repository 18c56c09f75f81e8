/** A restored file, with its texts before and after, null for none. */
export interface RestoredText {
  /** The agent turn to before which it was restored. */
  readonly turnId: string;
  readonly path: string;
  readonly uri: string;
  readonly before: string | null;
  readonly after: string | null;
}

/**
 * Notices when the editor's undo reverts a restore and redo repeats it, for the latest restore of
 * each file in this window.
 */
export class RestoreUndos {
  private readonly restored = new Map<string, { readonly file: RestoredText; undone: boolean }>();
  private readonly changed: (file: RestoredText, undone: boolean) => void;

  /** Calls `changed` with each file whose restore was undone or redone. */
  constructor(changed: (file: RestoredText, undone: boolean) => void) {
    this.changed = changed;
  }

  /** A file was restored. */
  add(file: RestoredText): void {
    this.restored.set(file.uri, { file, undone: false });
  }

  /** Undo or redo gave a file this text. */
  textChanged(uri: string, text: string): void {
    const known = this.restored.get(uri);
    if (!known || text !== (known.undone ? known.file.after : known.file.before)) return;
    known.undone = !known.undone;
    this.changed(known.file, known.undone);
  }
}
