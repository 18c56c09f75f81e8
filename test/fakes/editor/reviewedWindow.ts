import assert from "node:assert/strict";
import { mock } from "node:test";
import { ok } from "../../../src/base/result.ts";
import { editsBetween } from "../../../src/edits/text/changeSet.ts";
import type { SmallFiles } from "../../../src/ports/eventLog.ts";
import type { ReviewEvents, ReviewOrigin } from "../../../src/ports/review.ts";
import type { FileRef } from "../../../src/ports/workspace.ts";
import type { WorkspaceFiles } from "../../../src/ports/workspaceFiles.ts";
import type { EditorFiles } from "../../../src/review/documents/editorFiles.ts";
import { documentEvents } from "../../../src/review/proposals/documentEvents.ts";
import type { ProposalPlace } from "../../../src/review/proposals/fileReviewDeps.ts";
import { SharedProposals } from "../../../src/review/proposals/sharedProposals.ts";
import { WorkspaceProposals } from "../../../src/review/proposals/workspaceProposals.ts";
import { ProposalStore } from "../../../src/review/storage/proposalStore.ts";
import { hostNamed } from "../hostNamed.ts";
import type { ManualClock } from "../manualClock.ts";
import { RecordingLogger } from "../recordingLogger.ts";
import { type FakeDocument, FakeEditor, type FakeFile } from "./fakeEditor.ts";
import { breathe, fakeFile } from "./reviewedEditors.ts";

type Random = (below: number) => number;

/** The files that the windows of a workspace share, and their records. */
export interface SharedDisk {
  /** By URI. */
  readonly files: Map<string, FakeFile>;
  readonly records: SmallFiles;
  readonly clock: ManualClock;
  readonly random: Random;
}

/** The file of the workspace with this path. */
export function fileAt(path: string): FileRef {
  return { path, uri: `file:///w/${path}` };
}

/** A document in an editor, which tells the window's proposals what it hears. */
class WindowEditor extends FakeEditor {
  known: FakeDocument | null = null;
  private awaited: ((document: FakeDocument) => void)[] = [];

  constructor(uri: string, file: FakeFile, random: Random, window: ReviewedWindow) {
    const { events } = window;
    super(file, "\n", random, {
      opened: (document) => {
        this.known = document;
        for (const resolve of this.awaited.splice(0)) resolve(document);
        events.opened(uri, document);
      },
      changed: (document, change) => events.changed(uri, document, change),
      closed: (document) => {
        events.closed(uri, document);
        this.known = null;
      },
      gesture: () => void events.gesture(uri),
      willSave: (auto) => events.willSave(uri, auto),
      saved: () => void (this.known && events.saved(uri, this.known)),
    });
  }

  untilOpen(): Promise<FakeDocument> {
    this.open();
    return new Promise((resolve) =>
      this.known ? resolve(this.known) : this.awaited.push(resolve),
    );
  }
}

/**
 * A window with the workspace's proposals, on editors that are slower and more jumbled than the
 * real ones. Nothing reaches it before the test lets it {@link settle}.
 */
export class ReviewedWindow {
  readonly proposals: WorkspaceProposals<FakeDocument>;
  readonly shared: SharedProposals;
  readonly store: ProposalStore;
  readonly events: ReturnType<typeof documentEvents<FakeDocument>>;
  /** What the user was told, as `code path`. */
  readonly told: string[] = [];
  /** What became of blocks, as `block status`, in the order in which it was reported. */
  readonly decided: string[] = [];
  /** Settings of the user, and whether the window is in front. */
  readonly user = { reviews: "before" as "before" | "after", isInFront: true };
  private readonly disk: SharedDisk;
  private readonly editors = new Map<string, WindowEditor>();
  private isOver = false;
  private places = 0;

  constructor(name: string, disk: SharedDisk, ended: readonly string[] = []) {
    this.disk = disk;
    const { clock } = disk;
    const alive = () => Promise.resolve();
    this.store = new ProposalStore(
      disk.records,
      new RecordingLogger(),
      ({ code }) => assert.fail(code),
      { host: hostNamed(name, new Set(ended)), clock, alive },
    );
    this.shared = new SharedProposals({
      ...{ store: this.store, clock, alive },
      isInFront: () => this.user.isInFront,
      refused: () => void this.told.push("busy"),
    });
    this.proposals = new WorkspaceProposals<FakeDocument>({
      workspace: {
        resolve: async (path) => ok(fileAt(path)),
        writable: async () => null,
        read: async () => assert.fail("nobody reads"),
      },
      editor: this.editorFiles(),
      newPlace: () => this.newPlace(name),
      files: {} as WorkspaceFiles,
      ...{ store: this.store, shared: this.shared, events: this.reviewEvents() },
      view: {
        began() {},
        opened() {},
        show: (review, what) => {
          if (what.type === "grew") this.editors.get(review.proposalUri)?.open();
          if (what.type === "refused") this.told.push(`${what.problem.code} ${review.path}`);
        },
        moved: async () => undefined,
        gone: (review, how) => void this.told.push(`${how} ${review.path}`),
        ended: async (review) => {
          await review.proposal.finish();
          await this.editors.get(review.proposalUri)?.closeForGood();
        },
        foundTwice: (paths) => void this.told.push(`twice ${paths.join()}`),
        refuseOperation: ({ code }) => void this.told.push(code),
        confirmDeletion: async () => false,
      },
      reviewed: () => this.user.reviews,
      log: (message) => assert.fail(message),
    });
    this.events = documentEvents(this.proposals);
  }

  /** Brings back what is on record. */
  start(): Promise<void> {
    return this.shared.start(this.proposals);
  }

  /** Closes in order. What was not saved is lost, as where the user does not keep it. */
  async close(): Promise<void> {
    this.shared.dispose();
    this.proposals.close();
    await this.proposals.kept();
    await this.store.release();
    this.kill();
  }

  /** Dies: nothing that was on its way has an effect any more. */
  kill(): void {
    this.shared.dispose();
    this.isOver = true;
  }

  /**
   * Proposes a text for a file: what it changes in the proposal so far is one block, named after
   * its turn. Settles when that is on record.
   */
  async propose(path: string, text: string, turnId: string, chatId = "chat") {
    const file = fileAt(path);
    const begun = this.proposals.pending(file)?.text ?? this.text(path);
    const origin: ReviewOrigin = { chatId, turnId, callId: turnId };
    const snapshot = {
      ...{ file, exists: begun !== null, text: begun ?? "" },
      ...{ version: 1, languageId: "" },
    };
    const part = this.proposals.open(snapshot, origin);
    const [changed] = editsBetween(begun ?? "", text);
    const start = changed?.start ?? 0;
    const end = start + (changed?.newText.length ?? 0);
    const blocks = [{ blockId: turnId, start, end, warnings: [] }];
    part.update(() => ({ text, blocks }));
    return part.propose({ text, blocks }, false);
  }

  /** Accepts all hunks of a file. */
  accept(path: string): Promise<unknown> {
    const review = this.proposals.of(fileAt(path).uri);
    assert.ok(review, `nothing is pending for ${path}`);
    return review.decisions.accept(review.hunks().map(({ id }) => id));
  }

  /** Rejects all hunks of a file. */
  reject(path: string): Promise<void> {
    const review = this.proposals.of(fileAt(path).uri);
    assert.ok(review, `nothing is pending for ${path}`);
    return review.decisions.reject(review.hunks().map(({ id }) => id));
  }

  /** What the window shows of a file, saved or not; null for no file. */
  text(path: string): string | null {
    const { uri } = fileAt(path);
    return this.editors.get(uri)?.model?.text ?? this.disk.files.get(uri)?.text ?? null;
  }

  /** The proposed texts by path. */
  get pending(): Readonly<Record<string, string>> {
    return Object.fromEntries(
      this.proposals.allPending().map(({ file, text }) => [file.path, text]),
    );
  }

  /** The user saves a file. */
  save(path: string): Promise<boolean> {
    return this.editorOf(fileAt(path).uri).save("plain", () => []);
  }

  editorOf(uri: string): WindowEditor {
    const known = this.editors.get(uri);
    if (known) return known;
    const file = this.disk.files.get(uri);
    assert.ok(file, `there is no ${uri}`);
    const editor = new WindowEditor(uri, file, this.disk.random, this);
    this.editors.set(uri, editor);
    return editor;
  }

  /** The user renames a file in this window. */
  rename(from: string, to: string): Promise<void> {
    const [old, uri] = [fileAt(from).uri, fileAt(to).uri];
    const file = this.disk.files.get(old);
    assert.ok(file);
    this.disk.files.delete(old);
    this.disk.files.set(uri, file);
    this.editors.delete(old);
    const review = this.proposals.of(old);
    assert.ok(review, `nothing is pending for ${from}`);
    return this.proposals.moved(review, to);
  }

  /** Messages that wait between the editors and the window's extension host. */
  get waiting(): number {
    if (this.isOver) return 0;
    return [...this.editors.values()].reduce((sum, editor) => sum + editor.waiting, 0);
  }

  /** Delivers one of them. */
  deliver(): void {
    const busy = [...this.editors.values()].filter((editor) => editor.waiting > 0);
    busy[this.disk.random(busy.length)]?.deliver();
  }

  private editorFiles(): EditorFiles<FakeDocument> {
    const { files } = this.disk;
    const never = new Promise<never>(() => undefined);
    const ofDocument = (document: FakeDocument) =>
      [...this.editors.values()].find(({ known }) => known === document);
    const edit: EditorFiles<FakeDocument>["apply"] = async (document, edits) =>
      this.isOver ? never : (ofDocument(document)?.edit(document, edits, () => undefined) ?? false);
    return {
      apply: edit,
      openFile: async (uri) => {
        if (!files.has(uri)) throw new Error("there is no file");
        return this.editorOf(uri).untilOpen();
      },
      stateOf: async (uri) => {
        const file = files.get(uri);
        return file ? `${file.stamp} ${file.text.length}` : null;
      },
      isStale: async (document) =>
        !document.isDirty && document.text !== ofDocument(document)?.file.text,
      onDisk: async (document) => ofDocument(document)?.file.text ?? null,
      canHold: async () => true,
      rewrite: async ([file]) => {
        assert.ok(file);
        const { uri, before, after } = file;
        if (before === null && after !== null && !files.has(uri)) {
          files.set(uri, fakeFile(after));
          return true;
        }
        const document = await this.editorOf(uri).untilOpen();
        if (document.text !== before || after === null) return false;
        const lines = before.split("\n");
        const end = { line: lines.length - 1, character: lines.at(-1)?.length ?? 0 };
        return edit(document, [{ start: { line: 0, character: 0 }, end, newText: after }]);
      },
      save: async (document) => ofDocument(document)?.save("menu", () => []) ?? false,
      cleanUpOnSave: () => "nothing",
    };
  }

  private newPlace(name: string): ProposalPlace {
    const uri = `graft-proposal://${name}-${++this.places}/`;
    const file = fakeFile("", true);
    const editor = new WindowEditor(uri, file, this.disk.random, this);
    // Reports of a proposal are told apart by what they change.
    editor.merges = false;
    this.editors.set(uri, editor);
    return {
      uri,
      memory: {
        put: (text, writable, read) => Object.assign(file, { text, readOnly: !writable, read }),
        announce: () => {
          file.stamp++;
          editor.announce();
        },
        withdraw: () => {
          file.stamp = file.knownStamp ?? file.stamp;
        },
        remove() {},
      },
      isInUse: () => false,
    };
  }

  private reviewEvents(): ReviewEvents {
    return {
      decided: (_origin, _path, blocks) => {
        if (!this.isOver)
          this.decided.push(...blocks.map(({ blockId, status }) => `${blockId} ${status}`));
      },
      applied() {},
      takenBack: (_origin, { file }) => void this.told.push(`taken-back ${file.path}`),
    };
  }
}

/** Lets everything arrive that is on its way in the windows, until `work` is done and all is quiet. */
export async function settle<T>(
  { clock }: Pick<SharedDisk, "clock">,
  windows: readonly ReviewedWindow[],
  work: Promise<T>,
): Promise<T> {
  let isDone = false;
  const done = () => {
    isDone = true;
  };
  work.then(done, done);
  let rounds = 0;
  for (let quiet = 0; quiet < 4 || !isDone; rounds++) {
    assert.ok(rounds < 2_000, "it never settles");
    const waited = windows.reduce((sum, window) => sum + window.waiting, 0);
    for (const window of windows) while (window.waiting > 0) window.deliver();
    mock.timers.tick(500);
    clock.advance(500);
    await breathe();
    quiet = waited === 0 ? quiet + 1 : 0;
  }
  return work;
}
