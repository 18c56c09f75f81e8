import type { TextEdit } from "../../edits/text/changeSet.ts";
import { narrowEdits, singleLineEditsBetween } from "../../edits/text/changeSet.ts";
import { textWithLineEnds } from "../workspace/lineEnds.ts";
import { type ContentChange, reportedEdits, splitEdits } from "./reportedEdits.ts";

/** What is followed of an editor's document; `vscode.TextDocument` is one. */
export interface EditorDocument {
  /** Grows with every change. */
  readonly version: number;
  readonly isDirty: boolean;
  getText(): string;
}

/** What the editor says of a change; `undone` for undo and redo. */
export interface DocumentChange {
  readonly contentChanges: readonly ContentChange[];
  readonly undone: boolean;
}

/** A replacement between two positions, 0-based, `character` in UTF-16 units. */
export interface PositionEdit {
  readonly start: { readonly line: number; readonly character: number };
  readonly end: { readonly line: number; readonly character: number };
  readonly newText: string;
}

/** Makes all edits as one change of a document that is still at the version it has now; false when it was not, or the editor refused. */
export type EditDocument<D extends EditorDocument> = (document: D, edits: readonly PositionEdit[]) => Promise<boolean>;

/** A change that Graft did not make: sorted edits of `before`, which lead to `after`. `change` is null when no report says more. */
export interface ForeignChange {
  readonly edits: readonly TextEdit[];
  readonly before: string;
  readonly after: string;
  readonly change: DocumentChange | null;
}

/** An edit on its way: whether its document was closed, and what was reported meanwhile. */
interface Flight {
  left: boolean;
  readonly reports: { readonly text: string; readonly version: number; readonly change: DocumentChange }[];
}

/**
 * An editor's document, in which Graft's own edits are told from everybody else's. Graft changes it by edits that the editor makes
 * only at the version they were written for, and answers: an edit that was made is exactly the step behind that version. Whatever else
 * the text became is foreign. While an answer is awaited, nothing is attributed. No clock takes part.
 */
export class TrackedDocument<D extends EditorDocument> {
  private readonly lineEnd: "\n" | "\r\n";
  private readonly apply: EditDocument<D>;
  private readonly foreign: (change: ForeignChange) => void;
  private current: D | null = null;
  private known: string;
  /** A document's text at one version. */
  private seen: { readonly document: D; readonly version: number; readonly text: string } | null = null;
  /** Where the last edit began in {@link known}: edits of a growing text follow each other, and counting its lines takes long. */
  private anchor: LineAnchor = TOP;
  private flight: Flight | null = null;
  private readonly afterwards: (() => void)[] = [];
  private wake: () => void = () => undefined;

  /** All texts have `lineEnd`, whatever line ends the document has. */
  constructor(text: string, lineEnd: "\n" | "\r\n", apply: EditDocument<D>, foreign: (change: ForeignChange) => void) {
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
    return this.flight === null && (this.current === null || this.textOf(this.current) === this.known);
  }

  /** Settles when no edit is on its way. */
  idle(): Promise<void> {
    return new Promise((resolve) => this.afterFlight(resolve));
  }

  /** Follows a document. A text other than {@link text} is somebody's change; where it is `known`, nobody's. `then` is called when it is followed. */
  open(document: D, text: "foreign" | "known", then: () => void = () => undefined): void {
    if (this.flight?.left && document === this.current) {
      // Another language: the editor closes a document and opens it again, and nothing happened to its text.
      this.flight.left = false;
      this.afterwards.length = 0;
      return;
    }
    this.seen = null;
    const opened = this.textOf(document);
    this.afterFlight(() => {
      this.current = document;
      if (text === "known") this.known = opened;
      this.anchor = TOP;
      then();
      this.attribute(null);
    });
  }

  /** The document is gone. `next` is called when nothing of it is left to attribute; it says what the next one will have. */
  close(next: () => string): void {
    if (this.flight) this.flight.left = true;
    this.wake();
    this.afterFlight(() => {
      this.current = null;
      this.known = next();
      this.anchor = TOP;
    });
  }

  /** The editor reported a change. */
  changed(change: DocumentChange): void {
    const { current, flight } = this;
    if (!flight) this.attribute(change);
    else if (current) flight.reports.push({ text: this.textOf(current), version: current.version, change });
    this.wake();
  }

  /**
   * Makes `edits` of {@link text}, which lead to `target`. True when the editor made them, false when the document was not at
   * {@link text} and nothing was changed. `landed` is called when the document has come to `target`, be it because it read that text
   * itself, and before what others changed since is attributed.
   */
  async edit(edits: readonly TextEdit[], target: string, landed: () => void): Promise<boolean> {
    const document = this.current;
    if (!document || this.flight) return false;
    if (this.textOf(document) !== this.known) {
      this.attribute(null);
      return false;
    }
    const { version } = document;
    const from = (edits[0]?.start ?? 0) >= this.anchor.offset ? this.anchor : TOP;
    const positions = positionEdits(this.known, edits, from);
    const first = positions[0]?.start;
    const flight: Flight = { left: false, reports: [] };
    this.flight = flight;
    const made = await this.apply(document, positions).catch(() => false);
    // The report of a change may come after the answer to it.
    if (made) await this.reported(document, version, flight);
    this.flight = null;
    let arrived = false;
    const arrive = () => {
      arrived = true;
      this.known = target;
      if (first && edits[0]) this.anchor = { line: first.line, offset: edits[0].start - first.character };
      landed();
    };
    if (made) arrive();
    for (const report of flight.reports) {
      if (report.version <= version) continue;
      // The editor read the same text on another way.
      if (!arrived && report.text === target) arrive();
      else this.attributeText(report.text, report.change);
    }
    if (!made || document.version > version) this.attribute(null);
    this.runAfterwards();
    return made;
  }

  private async reported(document: D, version: number, flight: Flight): Promise<void> {
    while (!flight.left && document.version <= version) {
      await new Promise<void>((resolve) => {
        this.wake = resolve;
      });
    }
  }

  private runAfterwards(): void {
    for (const task of this.afterwards.splice(0)) this.afterFlight(task);
  }

  private afterFlight(task: () => void): void {
    if (this.flight) this.afterwards.push(task);
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
    this.known = after;
    this.anchor = TOP;
    this.foreign({ edits, before, after, change });
  }

  private textOf(document: D): string {
    const { version } = document;
    if (this.seen?.document !== document || this.seen.version !== version) {
      this.seen = { document, version, text: textWithLineEnds(document.getText(), this.lineEnd) };
    }
    return this.seen.text;
  }
}

/** The beginning of a line: its 0-based number and offset. */
interface LineAnchor {
  readonly line: number;
  readonly offset: number;
}

const TOP: LineAnchor = { line: 0, offset: 0 };

/** Sorted edits of a text by position instead of offset. `from` is the beginning of a line before all of them. */
export function positionEdits(text: string, edits: readonly TextEdit[], from: LineAnchor = TOP): PositionEdit[] {
  let { line, offset: lineStart } = from;
  const positionOf = (offset: number) => {
    for (let end = text.indexOf("\n", lineStart); end !== -1 && end < offset; end = text.indexOf("\n", lineStart)) {
      line += 1;
      lineStart = end + 1;
    }
    return { line, character: offset - lineStart };
  };
  return edits.map(({ start, end, newText }) => ({ start: positionOf(start), end: positionOf(end), newText }));
}
