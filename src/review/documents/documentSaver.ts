import type { TextEdit } from "../../edits/text/changeSet.ts";
import type { EditorDocument } from "./documentSync.ts";

/** Milliseconds of quiet after which a document is saved, so that closing its tab does not ask. */
const SAVE_PAUSE_MS = 300;

/** What a saver needs from the document's owner. */
export interface DocumentSaverOptions<D extends EditorDocument> {
  /** The document that may be saved now, or null. */
  document(): D | null;
  /** False when the editor refused, as it does while an earlier save still cleans up. */
  save(document: D): Promise<boolean>;
  /**
   * True while a save would disturb the user, or would come between a change and what tells its
   * origin.
   */
  mustWait(document: D): boolean;
  /** Called before a save that this saver begins. */
  begins(): void;
  /** Called after it. */
  ended(): void;
}

/**
 * Saves a document after each pause in its changes, and knows which saves are running and whether
 * anything is unsaved.
 */
export class DocumentSaver<D extends EditorDocument> {
  private readonly options: DocumentSaverOptions<D>;
  private own = false;
  private announced = false;
  /**
   * The document may be unsaved although it says otherwise: after a save VS Code calls a document
   * clean whatever came during the save.
   */
  private doubtful = false;
  private timer: ReturnType<typeof setTimeout> | undefined;

  constructor(options: DocumentSaverOptions<D>) {
    this.options = options;
  }

  /** True while a save is running, of this saver or of the editor. */
  get saving(): boolean {
    return this.own || this.announced;
  }

  /** The document, if it has or may have unsaved text, else null. */
  get unsaved(): D | null {
    const document = this.options.document();
    return document && (document.isDirty || this.doubtful) ? document : null;
  }

  /** The text changed. */
  textChanged(): void {
    this.doubtful ||= this.saving;
  }

  /** A change may be under way that no event has told of yet. */
  doubt(): void {
    this.doubtful = true;
  }

  /** The editor is about to save the document. */
  willSave(): void {
    this.announced = !this.own;
  }

  /** The editor saved the document. */
  saved(): void {
    // Nobody announced this save, so a change may have come during it.
    this.doubtful ||= !this.saving;
    this.announced = false;
    this.soon();
  }

  /** Another document takes the place of the present one. */
  reset(): void {
    this.announced = false;
    this.doubtful = false;
  }

  /** Saves after a pause, if anything is unsaved by then. */
  soon(): void {
    this.stop();
    const document = this.unsaved;
    if (!document || this.saving || this.options.mustWait(document)) return;
    this.timer = setTimeout(() => {
      if (!this.options.mustWait(document))
        void this.save(document).then((saved) => saved && this.soon());
    }, SAVE_PAUSE_MS);
  }

  /** Takes {@link soon} back. */
  stop(): void {
    clearTimeout(this.timer);
  }

  /** Saves now; false when the editor refused. */
  async save(document: D): Promise<boolean> {
    this.stop();
    this.options.begins();
    this.own = true;
    this.doubtful = false;
    try {
      const saved = await this.options.save(document);
      this.doubtful ||= !saved;
      return saved;
    } finally {
      this.options.ended();
      this.own = false;
    }
  }
}

/**
 * True for edits that any save may make: trim trailing whitespace and final newlines, or insert a
 * final newline.
 */
export function isWhitespaceCleanup(before: string, edits: readonly TextEdit[]): boolean {
  return edits.every(({ start, end, newText }) => {
    const removed = before.slice(start, end);
    if (start === before.length) return newText === "\n" || newText === "\r\n";
    if (newText !== "" || removed.trim() !== "") return false;
    return end === before.length || (!removed.includes("\n") && /[\r\n]/.test(before[end] ?? ""));
  });
}
