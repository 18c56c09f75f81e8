import { mock } from "node:test";
import { ok } from "../../../src/base/result.ts";
import type { TextEdit } from "../../../src/edits/text/changeSet.ts";
import type { FileReview } from "../../../src/review/proposals/fileReview.ts";
import { type FakeDocument, FakeEditor, type FakeFile } from "./fakeEditor.ts";
import { marksIn } from "./randomTask.ts";

type Random = (below: number) => number;
type Host = ConstructorParameters<typeof FileReview<FakeDocument>>[1];

/** A file of some text that is in no editor yet. */
export function fakeFile(text: string, readOnly = false): FakeFile {
  return { text, stamp: 1, readOnly, read() {} };
}

/** The file in its editor, which tells the review of what it hears. */
export class RealEditor extends FakeEditor {
  /** The document that the extension host has. */
  known: FakeDocument | null = null;
  private awaited: ((document: FakeDocument) => void)[] = [];

  constructor(
    text: string,
    lineEnd: string,
    random: Random,
    review: () => FileReview<FakeDocument>,
  ) {
    super(fakeFile(text), lineEnd, random, {
      opened: (document) => {
        this.known = document;
        for (const resolve of this.awaited.splice(0)) resolve(document);
        review().realOpened(document);
      },
      changed: (document, change) => review().realChanged(document, change),
      closed: (document) => {
        review().realClosed(document);
        this.known = null;
      },
      gesture() {},
      willSave() {},
      saved: () => void (this.known && review().realSaved(this.known)),
    });
  }

  /** The document, as soon as it is open. */
  untilOpen(): Promise<FakeDocument> {
    return new Promise((resolve) =>
      this.known ? resolve(this.known) : this.awaited.push(resolve),
    );
  }

  override restartHost(): void {
    this.awaited = [];
    this.known = null;
    super.restartHost();
  }

  override restartWindow(backup: string | null): void {
    this.awaited = [];
    this.known = null;
    super.restartWindow(backup);
  }
}

/** The editor of a proposal, which tells the review of what it hears. */
export class ProposalEditor extends FakeEditor {
  /** The extension has heard that there is something to save. */
  isKnown = false;
  /** The user is in this editor. */
  isFocused = false;
  /** The extension has heard that the user is in this editor. */
  isInUse = false;
  private readonly left: () => void;
  readonly memory: Host["memory"] = {
    put: (text, writable, read) => Object.assign(this.file, { text, readOnly: !writable, read }),
    announce: () => {
      this.file.stamp++;
      this.announce();
    },
    withdraw: () => {
      this.file.stamp = this.file.knownStamp ?? this.file.stamp;
    },
    remove() {},
  };

  constructor(
    text: string,
    lineEnd: string,
    random: Random,
    review: () => FileReview<FakeDocument>,
  ) {
    super(fakeFile(text, true), lineEnd, random, {
      opened: (document) => review().proposal.opened(document),
      changed: (document, change) => {
        this.isKnown ||= document.isDirty;
        review().proposal.documentChanged(document, change);
      },
      closed: (document) => {
        this.isKnown = false;
        review().proposal.closed(document);
      },
      gesture: () => review().proposal.gesture(),
      willSave: (auto) => review().proposal.willSave(auto),
      saved: () => review().proposal.saved(),
    });
    this.left = () => review().proposal.left();
  }

  /** The user goes to this editor, or away. */
  focus(focused: boolean): void {
    this.isFocused = focused;
    this.afterEvents(() => {
      this.isInUse = focused;
      if (!focused) this.left();
    });
  }

  override type(edits: readonly TextEdit[]): boolean {
    this.focus(true);
    return super.type(edits);
  }

  override restartHost(): void {
    super.restartHost();
    this.isInUse = this.isFocused;
  }

  override restartWindow(backup: string | null): void {
    super.restartWindow(backup);
    this.isFocused = false;
    this.isInUse = false;
  }
}

/** What a review asks of the extension host, where nothing special happens. */
export function quietHost(real: RealEditor, random: Random) {
  return {
    proposalUri: "graft-proposal://review/a.ts",
    cleanUpOnSave: () => "nothing",
    isInUse: () => random(2) === 0,
    openFile: () => real.untilOpen(),
    isStale: async (document) => !document.isDirty && document.text !== real.file.text,
    onDisk: async () => real.file.text,
    canHold: async () => true,
    rewrite: async () => true,
    workspace: {
      resolve: async (path) => ok({ path, uri: `file:///${path}` }),
      writable: async () => null,
    },
    acceptsAtOnce: () => false,
    events: { applied() {}, decided() {} },
    show() {},
  } satisfies Partial<Host>;
}

/**
 * What the user typed in the proposal that is in `before` and not in `after`, and that nothing gave
 * up.
 */
export function lostTyping(
  before: string,
  after: string,
  givenUp: ReadonlySet<string>,
): readonly string[] {
  const left = marksIn(after);
  return marksIn(before).filter(
    (mark) => mark.startsWith("‹p") && !left.includes(mark) && !givenUp.has(mark),
  );
}

/** Adds to `gone` the marks of `before` that `after` does not have. */
export function noteGone(gone: Set<string>, before: string, after: string): void {
  const left = marksIn(after);
  for (const mark of marksIn(before)) if (!left.includes(mark)) gone.add(mark);
}

/** Delivers what waits, and lets time pass, until nothing happens any more. */
export async function settleEditors(
  real: FakeEditor,
  shown: () => FakeEditor,
  also: () => void = () => undefined,
): Promise<void> {
  for (let quiet = 0; quiet < 3; ) {
    const waited = real.waiting + shown().waiting;
    while (real.waiting > 0) real.deliver();
    while (shown().waiting > 0) shown().deliver();
    also();
    mock.timers.tick(500);
    await breathe();
    quiet = waited + real.waiting + shown().waiting === 0 ? quiet + 1 : 0;
  }
}

/** Lets everything run that waits for nothing but its turn. */
export function breathe(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

/** Lives through `runs` seeds, or those of `GRAFT_SEED` and `GRAFT_RUNS`. */
export async function liveRandomly(
  live: (seed: number) => Promise<void>,
  runs: number,
): Promise<void> {
  const first = Number(process.env.GRAFT_SEED ?? 1);
  for (let seed = first; seed < first + runs; seed++) {
    // Timers of an earlier life would run in this one.
    mock.timers.enable({ apis: ["setTimeout", "Date"] });
    try {
      await live(seed);
    } catch (error) {
      throw new Error(`GRAFT_SEED=${seed} GRAFT_RUNS=1: ${String(error)}`, { cause: error });
    } finally {
      mock.timers.reset();
    }
  }
}
