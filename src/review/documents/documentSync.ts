import type { TextEdit } from "../../edits/text/changeSet.ts";
import { narrowEdits, singleLineEditsBetween } from "../../edits/text/changeSet.ts";
import { type IndexedText, indexedText } from "../../edits/text/indexedText.ts";
import { textWithLineEnds } from "../../edits/text/lineEnds.ts";
import { type ContentChange, reportedEdits, reportsEdits, splitEdits } from "./reportedEdits.ts";

/** What is followed of an editor's document; `vscode.TextDocument` is one. */
export interface EditorDocument {
  /** Grows with every change. */
  readonly version: number;
  readonly isDirty: boolean;
  getText(): string;
}

/** What the editor says of a change; `repeated` where it undid or did again an earlier one. */
export interface DocumentChange {
  readonly contentChanges: readonly ContentChange[];
  readonly repeated: "undo" | "redo" | null;
}

/** A replacement between two positions, 0-based, `character` in UTF-16 units. */
export interface PositionEdit {
  readonly start: { readonly line: number; readonly character: number };
  readonly end: { readonly line: number; readonly character: number };
  readonly newText: string;
}

/**
 * Makes all edits as one change of a document that is still at the version it has now; false when
 * it was not, or the editor refused.
 */
export type EditDocument<D extends EditorDocument> = (
  document: D,
  edits: readonly PositionEdit[],
) => Promise<boolean>;

/**
 * A change that Graft did not make: sorted edits of `before`, which lead to `after`. `change` is
 * null when no report says more.
 */
export interface ForeignChange {
  readonly edits: readonly TextEdit[];
  readonly before: string;
  readonly after: string;
  readonly change: DocumentChange | null;
}

/**
 * An edit on its way: what it does at which version, whether its document was closed, and what was
 * reported meanwhile.
 */
interface SentEdit {
  readonly version: number;
  readonly edits: readonly TextEdit[];
  readonly target: string;
  left: boolean;
  readonly reports: {
    readonly text: string;
    readonly version: number;
    readonly change: DocumentChange;
  }[];
}

/**
 * What is known of a document's text at one version; `isRaw` where the document has exactly this
 * text, line ends included.
 */
interface SeenText<D> {
  readonly document: D;
  readonly version: number;
  readonly text: string;
  readonly isRaw: boolean;
}

/**
 * An editor's document, in which Graft's own edits are told from everybody else's. Graft changes it
 * by edits that the editor makes only at the version they were written for, and answers: an edit
 * that was made is exactly the step after that version. Whatever else the text became is foreign.
 * While an answer is awaited, nothing is attributed. No clock takes part. Where the report of that
 * step says what the edit says, the text is not read again: an edit costs the lines it changes.
 */
export class DocumentSync<D extends EditorDocument> {
  private readonly lineEnd: "\n" | "\r\n";
  private readonly apply: EditDocument<D>;
  private readonly foreign: (change: ForeignChange) => void;
  private current: D | null = null;
  private known: string;
  private seen: SeenText<D> | null = null;
  /**
   * {@link known} by lines, once it has been edited: it is long, and read in one piece only where
   * somebody else changed it.
   */
  private lines: IndexedText | null = null;
  private sentEdit: SentEdit | null = null;
  private readonly afterwards: (() => void)[] = [];
  private wake: () => void = () => undefined;

  /** All texts have `lineEnd`, whatever line ends the document has. */
  constructor(
    text: string,
    lineEnd: "\n" | "\r\n",
    apply: EditDocument<D>,
    foreign: (change: ForeignChange) => void,
  ) {
    this.known = text;
    this.lineEnd = lineEnd;
    this.apply = apply;
    this.foreign = foreign;
  }

  /** The document, while it is open. */
  get document(): D | null {
    return this.current;
  }

  /** The document's text as far as it is attributed. */
  get text(): string {
    return this.known;
  }

  /** True when the text is attributed to the last character and no edit is under way. */
  get isSettled(): boolean {
    return (
      this.sentEdit === null && (this.current === null || this.textOf(this.current) === this.known)
    );
  }

  /**
   * Reads the whole text, whatever the editor's reports add up to. A difference is somebody's
   * change.
   */
  recheck(): void {
    this.seen = null;
    if (!this.sentEdit) this.attribute(null);
  }

  /** Settles when no edit is on its way. */
  idle(): Promise<void> {
    return new Promise((resolve) => this.afterFlight(resolve));
  }

  /**
   * Follows a document. A text other than {@link text} is somebody's change; where it is `known`,
   * nobody's. `then` is called when it is followed.
   */
  open(document: D, text: "foreign" | "known", then: () => void = () => undefined): void {
    if (this.sentEdit?.left && document === this.current) {
      // Another language: the editor closes a document and opens it again, and nothing happened to
      // its text.
      this.sentEdit.left = false;
      this.afterwards.length = 0;
      return;
    }
    this.seen = null;
    const opened = this.textOf(document);
    this.afterFlight(() => {
      this.current = document;
      if (text === "known") this.become(opened);
      then();
      this.attribute(null);
    });
  }

  /**
   * The document is gone. `next` is called when nothing of it is left to attribute; it says what
   * the next one will have.
   */
  close(next: () => string): void {
    if (this.sentEdit) this.sentEdit.left = true;
    this.wake();
    this.afterFlight(() => {
      this.current = null;
      this.become(next());
    });
  }

  /** The editor reported a change. */
  documentChanged(change: DocumentChange): void {
    const { current, sentEdit } = this;
    if (!sentEdit) this.attribute(change);
    else if (current) {
      this.seeEdit(current, sentEdit, change);
      sentEdit.reports.push({ text: this.textOf(current), version: current.version, change });
    }
    this.wake();
  }

  /**
   * Makes `edits` of {@link text}, which lead to `target`. True when the editor made them, false
   * when the document was not at {@link text} and nothing was changed. `landed` is called when the
   * document has come to `target`, be it because it read that text itself, and before what others
   * changed since is attributed.
   */
  async edit(edits: readonly TextEdit[], target: string, landed: () => void): Promise<boolean> {
    const document = this.current;
    if (!document || this.sentEdit) return false;
    if (this.textOf(document) !== this.known) {
      this.attribute(null);
      return false;
    }
    const { version } = document;
    const lines = this.lines ?? indexedText(this.known);
    this.lines = lines;
    const positions = edits.map(({ start, end, newText }) => ({
      start: lines.positionOf(start),
      end: lines.positionOf(end),
      newText,
    }));
    const sentEdit: SentEdit = { version, edits, target, left: false, reports: [] };
    this.sentEdit = sentEdit;
    const made = await this.apply(document, positions).catch(() => false);
    // The report of a change may come after the answer to it.
    if (made) await this.reported(document, version, sentEdit);
    this.sentEdit = null;
    if (made) {
      this.become(target, lines.edited(edits));
      landed();
    }
    for (const report of sentEdit.reports)
      if (report.version > version) this.attributeText(report.text, report.change);
    if (!made || document.version > version) this.attribute(null);
    this.runAfterwards();
    return made;
  }

  private async reported(document: D, version: number, sentEdit: SentEdit): Promise<void> {
    while (!sentEdit.left && document.version <= version) {
      await new Promise<void>((resolve) => {
        this.wake = resolve;
      });
    }
  }

  private runAfterwards(): void {
    for (const task of this.afterwards.splice(0)) this.afterFlight(task);
  }

  private afterFlight(task: () => void): void {
    if (this.sentEdit) this.afterwards.push(task);
    else task();
  }

  private attribute(change: DocumentChange | null): void {
    if (this.current) this.attributeText(this.textOf(this.current), change);
  }

  private attributeText(after: string, change: DocumentChange | null): void {
    const before = this.known;
    if (after === before) return;
    const changed = change
      ? splitEdits(before, reportedEdits(before, change.contentChanges, after))
      : singleLineEditsBetween(before, after);
    const edits = narrowEdits(changed, before);
    this.become(after);
    this.foreign({ edits, before, after, change });
  }

  /** The step after the edit's version that does what the edit does leads to its target. */
  private seeEdit(
    document: D,
    { version, edits, target }: SentEdit,
    { contentChanges }: DocumentChange,
  ): void {
    const { seen } = this;
    if (
      document.version !== version + 1 ||
      seen?.document !== document ||
      seen.version !== version ||
      !seen.isRaw
    )
      return;
    if (this.lines && reportsEdits(this.lines, contentChanges, edits))
      this.seen = { document, version: document.version, text: target, isRaw: true };
  }

  private become(text: string, lines: IndexedText | null = null): void {
    this.known = text;
    this.lines = lines;
  }

  private textOf(document: D): string {
    const { version } = document;
    if (this.seen?.document !== document || this.seen.version !== version) {
      const raw = document.getText();
      const text = textWithLineEnds(raw, this.lineEnd);
      this.seen = { document, version, text, isRaw: text === raw };
    }
    return this.seen.text;
  }
}
