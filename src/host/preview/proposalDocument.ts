import type * as vscode from "vscode";
import { editsBetween } from "../../edits/changeSet.ts";
import type { TextEdit } from "../../edits/reviewPlan.ts";
import { contentEdits } from "./contentEdits.ts";
import { proposalEditors } from "./diffTab.ts";
import { DocumentLag } from "./documentLag.ts";
import type { ProposalFiles } from "./proposalFiles.ts";
import { isCleanedOnSave, isTyped } from "./saveCleanUp.ts";

/** Pause in the user's typing, in milliseconds, after which a proposal is saved, so that closing it does not ask. */
const SAVE_PAUSE_MS = 50;
/** The same where saving cleans the document up, which is then taken back: that may move the cursor, so not under the user's hands. */
const CLEANING_SAVE_PAUSE_MS = 700;
/** Milliseconds after which a reload that did not come is asked for again. */
const RELOAD_LIMIT_MS = 2000;

const withoutReturns = (text: string) => text.replaceAll("\r", "");

/** Gets what the user typed in a proposal, as edits of the text before. */
type UserTyped = (edits: readonly TextEdit[], textAfter: string) => void;

/**
 * A proposal's document in the editor. It follows `advance` by reloads from memory: those never mark it as unsaved and run no
 * formatter. What the user types goes to the callback, as edits of the text of the last `advance` or callback.
 */
export class ProposalDocument implements vscode.Disposable {
  readonly uri: vscode.Uri;
  private readonly files: ProposalFiles;
  private readonly userTyped: UserTyped;
  private readonly lag: DocumentLag;
  private document: vscode.TextDocument | null = null;
  /** Where the cursors were before a save cleaned up around them. */
  private putBack: readonly { readonly editor: vscode.TextEditor; readonly selections: readonly vscode.Selection[] }[] = [];
  private takeBack: () => void = () => undefined;
  private saveTimer: ReturnType<typeof setTimeout> | undefined;
  private reloadTimer: ReturnType<typeof setTimeout> | undefined;
  private cleaning = false;
  private ended = false;

  constructor(files: ProposalFiles, uri: vscode.Uri, text: string, userTyped: UserTyped) {
    this.files = files;
    this.uri = uri;
    this.userTyped = userTyped;
    this.lag = new DocumentLag(text);
    files.put(uri, text);
  }

  /** The text as it should be; the document may be a moment behind. */
  get text(): string {
    return this.lag.wanted;
  }

  /** True when an open document shows `text`, saved. */
  get settled(): boolean {
    return this.lag.shown === this.lag.wanted && this.document?.isDirty !== true;
  }

  /** Changes the text. */
  advance(edits: readonly TextEdit[], textAfter: string): void {
    if (this.ended || edits.length === 0) return;
    this.lag.advance(edits, textAfter);
    this.push();
  }

  /** The editor opened this document. */
  opened(document: vscode.TextDocument): void {
    if (this.ended) return;
    this.document = document;
    if (document.getText() !== this.lag.shown || this.lag.target !== null) this.lag.restart(document.getText());
    this.push();
  }

  /** The editor changed this document. */
  changed(event: vscode.TextDocumentChangeEvent): void {
    const text = event.document.getText();
    if (this.ended || text === this.lag.shown) return;
    const { target } = this.lag;
    if (target !== null && (text === target || withoutReturns(text) === withoutReturns(target))) {
      clearTimeout(this.reloadTimer);
      this.lag.landed();
      for (const { editor, selections } of this.putBack) editor.selections = selections;
      this.putBack = [];
      if (text !== target) this.type(editsBetween(target, text), text);
    } else if (this.cleaning && !isTyped(event)) {
      // Trimming and formatting on save are meant for the user's files, when he saves them: this document goes back to what it was.
      this.lag.restart(text);
    } else {
      if (target !== null) this.takeBack();
      clearTimeout(this.reloadTimer);
      this.type(contentEdits(this.lag.shown, event.contentChanges, text), text);
    }
    this.push();
  }

  /** The editor saved this document. */
  saved(): void {
    this.push();
  }

  /** The editor let go of this document. */
  closed(): void {
    clearTimeout(this.saveTimer);
    clearTimeout(this.reloadTimer);
    this.document = null;
    this.lag.restart(this.lag.wanted);
    if (!this.ended) this.files.put(this.uri, this.lag.wanted);
  }

  /** Saves what the user typed, so that the document can be closed without a question. */
  async save(): Promise<void> {
    clearTimeout(this.saveTimer);
    const { document } = this;
    if (!document?.isDirty || this.cleaning) return;
    this.cleaning = isCleanedOnSave(document);
    const cursors = this.cleaning ? proposalEditors(this.uri).map((editor) => ({ editor, selections: editor.selections })) : [];
    await document.save();
    this.cleaning = false;
    this.push();
    this.putBack = cursors;
  }

  /** Forgets the file in memory; close its tabs first. */
  dispose(): void {
    this.ended = true;
    clearTimeout(this.saveTimer);
    clearTimeout(this.reloadTimer);
    this.files.remove(this.uri);
  }

  private type(edits: readonly TextEdit[], textAfter: string): void {
    const mapped = this.lag.typed(edits, textAfter);
    this.userTyped(mapped.edits, mapped.textAfter);
  }

  private push(): void {
    if (this.ended) return;
    if (this.document?.isDirty) {
      clearTimeout(this.saveTimer);
      this.saveTimer = setTimeout(() => void this.save(), isCleanedOnSave(this.document) ? CLEANING_SAVE_PAUSE_MS : SAVE_PAUSE_MS);
      return;
    }
    const target = this.lag.begin();
    if (target === null) return;
    this.takeBack = this.files.put(this.uri, target);
    if (!this.document) {
      this.lag.landed();
      return;
    }
    clearTimeout(this.reloadTimer);
    this.reloadTimer = setTimeout(() => {
      if (this.document) this.lag.restart(this.document.getText());
      this.push();
    }, RELOAD_LIMIT_MS);
  }
}
