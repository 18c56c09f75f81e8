import type { TextEdit } from "../../../src/edits/text/changeSet.ts";
import { applyEdits, narrowEdits } from "../../../src/edits/text/changeSet.ts";
import type {
  DocumentChange,
  EditorDocument,
  PositionEdit,
} from "../../../src/review/documents/documentSync.ts";

/** A text model as the editor's window has it. */
interface WindowModel {
  text: string;
  version: number;
  dirty: boolean;
  readOnly: boolean;
  /** The stamp of the file that was read last. */
  stamp: string;
  undo: { readonly text: string; readonly by: "user" | "others" | "answer" }[];
}

/** A document as the extension host has it: it changes when an event is delivered. */
export interface FakeDocument extends EditorDocument {
  text: string;
  version: number;
  isDirty: boolean;
}

/** What the extension host hears. */
export interface FakeEditorEvents {
  opened(document: FakeDocument): void;
  changed(document: FakeDocument, change: DocumentChange): void;
  closed(document: FakeDocument): void;
  gesture(): void;
  willSave(byAutoSave: boolean): void;
  saved(): void;
}

/** The file behind a model, which lives in the extension host or on disk. */
export interface FakeFile {
  text: string;
  stamp: number;
  readOnly: boolean;
  /** The stamp when the editor read or wrote it last. */
  knownStamp?: number;
  /** Called when the editor reads the text. */
  read(): void;
}

/**
 * A message to the extension host; one with a change may be merged with the next, unless it stands
 * alone.
 */
interface HostMessage {
  readonly alone?: boolean;
  change: DocumentChange | null;
  run(change: DocumentChange | null): void;
}

type Random = (below: number) => number;

/**
 * One text editor that is worse than the real one: every message between the window and the
 * extension host waits in a lane until the test delivers it. Events keep their order, as they do in
 * VS Code, but come late, twice and merged; answers come before or after the events of what they
 * answer; files are read at one moment and shown at another.
 */
export class FakeEditor {
  readonly file: FakeFile;
  model: WindowModel | null = null;
  /** Two changes may come in one report. */
  merges = true;
  private readonly random: Random;
  private readonly events: FakeEditorEvents;
  private readonly lineEnd: string;
  private document: FakeDocument | null = null;
  private opening = false;
  private saving = false;
  private readonly toHost: HostMessage[] = [];
  private readonly answers: (() => void)[] = [];
  private readonly toWindow: (() => void)[] = [];
  private readonly shown: (() => void)[] = [];

  constructor(file: FakeFile, lineEnd: string, random: Random, events: FakeEditorEvents) {
    this.file = file;
    this.lineEnd = lineEnd;
    this.random = random;
    this.events = events;
  }

  /** Messages that wait. */
  get waiting(): number {
    return this.toHost.length + this.answers.length + this.toWindow.length + this.shown.length;
  }

  /** Delivers one message of a lane that has some. */
  deliver(): void {
    const lanes: { readonly length: number }[] = [
      this.toHost,
      this.answers,
      this.toWindow,
      this.shown,
    ].filter((lane) => lane.length > 0);
    const lane = lanes[this.random(lanes.length)];
    if (lane === this.toHost) this.deliverEvent();
    else if (lane === this.answers) this.answers.shift()?.();
    else if (lane === this.toWindow) this.toWindow.shift()?.();
    else this.shown.shift()?.();
  }

  /**
   * Delivers everything that happened in the window, in order, as the editor does before a command
   * reaches the extension.
   */
  afterEvents(run: () => void): void {
    this.toHost.push({ change: null, run });
  }

  /** The user opens a tab with the file. */
  open(): void {
    if (this.model || this.opening) return;
    this.opening = true;
    this.read((text, stamp, readOnly) => {
      this.opening = false;
      this.model = { text: this.normal(text), version: 1, dirty: false, readOnly, stamp, undo: [] };
      this.tell("opened");
    });
  }

  /** The user closes the tab; what is unsaved is saved or thrown away. */
  close(): void {
    if (!this.model) return;
    if (this.model.dirty && this.random(2) === 0) this.write();
    this.model = null;
    this.afterEvents(() => {
      const { document } = this;
      this.document = null;
      if (document) this.events.closed(document);
    });
  }

  /**
   * The extension closes the tab, or the one that is being opened; settles when it has heard of
   * that.
   */
  closeForGood(): Promise<void> {
    return new Promise((resolve) => {
      const close = () => {
        if (this.opening) return this.afterEvents(() => void this.shown.push(close));
        this.close();
        this.afterEvents(resolve);
      };
      close();
    });
  }

  /** Another language: the extension host sees the document close and open. */
  relabel(): void {
    if (!this.model) return;
    this.afterEvents(() => {
      const { document } = this;
      if (!document) return;
      this.events.closed(document);
      this.events.opened(document);
    });
  }

  /** The user types, pastes or deletes. False where the document cannot be typed in. */
  type(edits: readonly TextEdit[]): boolean {
    if (!this.model || this.model.readOnly) return false;
    this.change(edits, "user");
    this.afterEvents(() => this.events.gesture());
    return true;
  }

  /** The user undoes the last change, if it is their own or `mayUndo` allows it. */
  undo(
    mayUndo: (by: "others" | "answer", before: string, after: string) => boolean = () => false,
  ): boolean {
    const last = this.model?.undo.at(-1);
    if (!this.model || this.model.readOnly || !last) return false;
    const { text } = this.model;
    if (last.by !== "user" && !mayUndo(last.by, text, last.text)) return false;
    this.model.undo.pop();
    const edits = [{ start: 0, end: text.length, newText: last.text }];
    this.change(edits, "user", "undo");
    this.model.undo.pop();
    return true;
  }

  /**
   * The editor saves: at once, or after cleaning up in its own way, before or after it tells
   * extensions. True where all is saved; false where it refuses because another save is under way,
   * or where the text changed meanwhile.
   */
  save(
    kind: "plain" | "auto" | "menu",
    cleanUp: (text: string) => readonly TextEdit[],
  ): Promise<boolean> {
    return new Promise((resolve) => {
      const answer = (saved: boolean) => this.answers.push(() => resolve(saved));
      if (!this.model || this.model.readOnly || this.saving) return answer(false);
      if (!this.model.dirty) return answer(true);
      this.saving = true;
      this.beginSave(kind, cleanUp, (saved) => {
        this.saving = false;
        answer(saved);
      });
    });
  }

  private beginSave(
    kind: "plain" | "auto" | "menu",
    cleanUp: (text: string) => readonly TextEdit[],
    done: (saved: boolean) => void,
  ): void {
    const early = this.random(2) === 0;
    const clean = () => {
      const edits = kind === "plain" || !this.model ? [] : cleanUp(this.model.text);
      if (edits.length > 0) this.change(edits, "cleaned-up");
    };
    if (early) clean();
    if (kind !== "plain") this.afterEvents(() => this.events.willSave(kind === "auto"));
    if (!early) clean();
    const { model } = this;
    if (!model) {
      done(false);
      return;
    }
    const { text, version } = model;
    this.afterEvents(() => {
      // What another program wrote since is not overwritten without a question.
      if (this.model !== model || this.file.stamp !== this.file.knownStamp) {
        this.shown.push(() => done(false));
        return;
      }
      this.file.text = text;
      this.file.read = () => undefined;
      this.file.stamp++;
      this.file.knownStamp = this.file.stamp;
      const stamp = stampOf(this.file);
      this.shown.push(() => {
        model.stamp = stamp;
        if (this.model !== model) return done(false);
        const saved = model.version === version;
        if (saved) {
          model.dirty = false;
          this.tell("dirty");
        }
        // VS Code calls a saved document clean, whatever came during the save.
        this.afterEvents(() => {
          const { document } = this;
          if (document) document.isDirty = false;
          this.events.saved();
        });
        done(saved);
      });
    });
  }

  /** Another program writes the file; the editor shows it when it gets to it. */
  writeOutside(text: string): void {
    this.file.text = text;
    this.file.stamp++;
    this.announce();
  }

  /** The extension says that the file changed. */
  announce(): void {
    this.toWindow.push(() => this.reload());
  }

  /** The extension edits the document at the version it knows. */
  edit(
    document: FakeDocument,
    edits: readonly PositionEdit[],
    check: (before: string, after: string) => void,
  ): Promise<boolean> {
    const { version } = document;
    return new Promise((resolve) => {
      this.toWindow.push(() => {
        const { model } = this;
        const fits = model !== null && model.version === version;
        if (fits) {
          const { text } = model;
          const made = edits.map(({ start, end, newText }) => ({
            start: offsetAt(text, start),
            end: offsetAt(text, end),
            newText: this.normal(newText),
          }));
          check(text, applyEdits(made, text));
          // VS Code leaves out what an edit of the focused editor does not change.
          this.change(this.random(3) === 0 ? narrowEdits(made, text) : made, "others");
        }
        this.answers.push(() => resolve(fits));
      });
    });
  }

  /**
   * The extension host dies and starts again. What it was told is lost; what it asked of the window
   * still happens, or not.
   */
  restartHost(): void {
    for (const task of this.toWindow.splice(0)) if (this.random(2) === 0) task();
    for (const lane of [this.toHost, this.answers, this.shown]) lane.length = 0;
    this.document = null;
    this.opening = false;
    this.saving = false;
    if (this.model) this.tell("opened");
  }

  /**
   * The window and the extension host die, and start again with the file as it is on the disk, or
   * as the editor's `backup` has it.
   */
  restartWindow(backup: string | null): void {
    for (const lane of [this.toWindow, this.toHost, this.answers, this.shown]) lane.length = 0;
    this.document = null;
    this.opening = false;
    this.saving = false;
    const text = this.normal(backup ?? this.file.text);
    this.file.knownStamp = this.file.stamp;
    this.model = {
      text,
      version: 1,
      dirty: backup !== null,
      readOnly: false,
      stamp: stampOf(this.file),
      undo: [],
    };
    this.tell("opened");
  }

  private reload(): void {
    if (!this.model || this.model.dirty || this.model.stamp === stampOf(this.file)) return;
    const { version } = this.model;
    this.read((text, stamp, readOnly) => {
      const { model } = this;
      if (!model || model.dirty || model.version !== version) return;
      model.readOnly = readOnly;
      model.stamp = stamp;
      const now = this.normal(text);
      if (now === model.text) return;
      this.change([{ start: 0, end: model.text.length, newText: now }], "others");
      model.dirty = false;
      this.tell("dirty");
    });
  }

  /** The extension host is asked for a file after all that it was told before. */
  private read(show: (text: string, stamp: string, readOnly: boolean) => void): void {
    this.afterEvents(() => {
      const { text, readOnly } = this.file;
      const stamp = stampOf(this.file);
      this.file.knownStamp = this.file.stamp;
      this.file.read();
      this.shown.push(() => show(text, stamp, readOnly));
    });
  }

  private write(): void {
    // What another program wrote since is not overwritten without a question.
    if (!this.model || this.file.stamp !== this.file.knownStamp) return;
    const { text } = this.model;
    this.file.text = text;
    this.file.read = () => undefined;
    this.file.stamp++;
    this.file.knownStamp = this.file.stamp;
    this.model.stamp = stampOf(this.file);
    this.model.dirty = false;
    this.tell("dirty");
  }

  private change(
    edits: readonly TextEdit[],
    by: "user" | "others" | "cleaned-up",
    repeated: DocumentChange["repeated"] = null,
  ): void {
    const { model } = this;
    if (!model) return;
    const others = model.readOnly ? "answer" : "others";
    model.undo.push({ text: model.text, by: by === "user" ? "user" : others });
    const contentChanges = [...edits].reverse().map(({ start, end, newText }) => ({
      rangeOffset: start,
      rangeLength: end - start,
      text: newText,
    }));
    model.text = applyEdits(edits, model.text);
    model.version++;
    const wasDirty = model.dirty;
    if (!model.readOnly) model.dirty = true;
    const state = { text: model.text, version: model.version, dirty: wasDirty };
    this.toHost.push({
      // Nobody could tell a clean-up from typing in one and the same report; the real editor makes
      // two.
      alone: by === "cleaned-up" || repeated !== null,
      change: { contentChanges, repeated },
      run: (change) => change && this.report(state, change),
    });
    // The editor tells that a document has become unsaved after it tells of the change.
    if (model.dirty !== wasDirty) this.tell("dirty");
  }

  private tell(what: "opened" | "dirty"): void {
    const { model } = this;
    if (!model) return;
    const state = { text: model.text, version: model.version, dirty: model.dirty };
    this.afterEvents(() => {
      if (what === "dirty") return this.report(state, { contentChanges: [], repeated: null });
      const { text, version, dirty } = state;
      const document: FakeDocument = {
        text,
        version,
        isDirty: dirty,
        getText: () => document.text,
      };
      this.document = document;
      this.events.opened(document);
    });
  }

  private report(
    state: { readonly text: string; readonly version: number; readonly dirty: boolean },
    change: DocumentChange,
  ): void {
    const { document } = this;
    if (!document) return;
    document.text = state.text;
    document.version = state.version;
    document.isDirty = state.dirty;
    this.events.changed(document, change);
  }

  private deliverEvent(): void {
    const first = this.toHost.shift();
    const next = this.toHost[0];
    if (!first) return;
    if (
      this.merges &&
      first.change &&
      next?.change &&
      !first.alone &&
      !next.alone &&
      this.random(4) === 0
    ) {
      // Two changes in one report: only the last text is seen, with the changes of both.
      next.change = {
        contentChanges: [...first.change.contentChanges, ...next.change.contentChanges],
        repeated: null,
      };
      return;
    }
    first.run(first.change);
    if (first.change && this.random(6) === 0) first.run(first.change);
  }

  private normal(text: string): string {
    return text.replace(/\r\n|\r|\n/g, this.lineEnd);
  }
}

/** As the editor knows a file again: by its time and its size. */
function stampOf({ text, stamp }: FakeFile): string {
  return `${stamp}:${text.length}`;
}

function offsetAt(text: string, { line, character }: PositionEdit["start"]): number {
  let start = 0;
  for (let at = 0; at < line; at++) start = text.indexOf("\n", start) + 1;
  return start + character;
}
