/** A file that was restored; its texts before and after that, null for none. */
export interface RestoredText {
  /** The agent turn to before which it was restored. */
  readonly turnId: string;
  readonly path: string;
  readonly uri: string;
  readonly before: string | null;
  readonly after: string | null;
}

/** Notices when the editor's undo takes a restore back, and when redo makes it again: of each file the latest one, in this window. */
export class RestoreUndos {
  private readonly restored = new Map<string, { readonly file: RestoredText; undone: boolean }>();
  private readonly changed: (file: RestoredText, undone: boolean) => void;

  /** `changed` is called with each file whose restore was taken back (`undone`) or made again. */
  constructor(changed: (file: RestoredText, undone: boolean) => void) {
    this.changed = changed;
  }

  /** A file has been restored. */
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
