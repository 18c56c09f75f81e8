import { Emitter } from "../../base/emitter.ts";
import { newId } from "../../base/ids.ts";
import { err, ok, type Result } from "../../base/result.ts";
import { SerialQueue } from "../../base/serialQueue.ts";
import { journalFiles } from "../../edits/history/journalFiles.ts";
import {
  type BlockOutcome,
  changesMode,
  isProtectedOperation,
  type OperationReviewer,
  type PendingOperation,
  type ReviewEvents,
} from "../../ports/review.ts";
import type { FileError, FileRef, Workspace } from "../../ports/workspace.ts";
import type { WorkspaceFiles } from "../../ports/workspaceFiles.ts";
import type { EditorDocument } from "../documents/documentSync.ts";
import type { EditorFiles } from "../documents/editorFiles.ts";
import type { ProposalStore, StoredOperation } from "../storage/proposalStore.ts";
import type { SharedProposals } from "./sharedProposals.ts";

/** An operation as its reviewer knows it. */
interface ReviewedOperation extends StoredOperation {
  outcome: BlockOutcome;
}

/** What the user hears of file operations, and is asked. */
export interface OperationsView {
  /** Why an operation was not done. */
  refuseOperation(problem: OperationProblem): void;
  /** Asks whether a file is deleted although it changed since that was proposed. */
  confirmDeletion(path: string): Promise<boolean>;
}

/** Why an operation was not done; `new-file-first` for the mode of a file that is proposed. */
export type OperationProblem =
  | { readonly code: "new-file-first"; readonly path: string }
  | { readonly code: "file-error"; readonly error: FileError };

/** What {@link ProposedOperations} needs. */
export interface ProposedOperationsDeps {
  readonly workspace: Pick<Workspace, "resolve" | "read">;
  /** Does an operation, as one undo step. */
  readonly files: WorkspaceFiles;
  readonly store: Pick<ProposalStore, "keep">;
  readonly events: ReviewEvents;
  /** See {@link OperationReviewer.beforehand}. */
  beforehand(): boolean;
  /** Whether a proposal of the file's text is pending. */
  isReviewed(uri: string): boolean;
  readonly editor: Pick<EditorFiles<EditorDocument>, "stateOf">;
  readonly view: OperationsView;
  /** Where other windows may decide too. */
  readonly shared: Pick<SharedProposals, "isOurs"> | undefined;
}

/** The deletions, renamings and modes that wait for the user, at most one on a path. */
export class ProposedOperations implements OperationReviewer {
  private readonly deps: ProposedOperationsDeps;
  private readonly waiting = new Map<string, ReviewedOperation>();
  private readonly queue = new SerialQueue();
  private readonly changes = new Emitter<void>();
  /** Called when the list has changed. */
  readonly onChange = this.changes.on.bind(this.changes);

  constructor(deps: ProposedOperationsDeps) {
    this.deps = deps;
  }

  get beforehand(): boolean {
    return this.deps.beforehand();
  }

  get pending(): readonly (PendingOperation & Pick<ReviewedOperation, "id" | "outcome">)[] {
    return [...this.waiting.values()];
  }

  /** Forgets all without deciding: another window has them now. */
  letGo(): void {
    this.waiting.clear();
  }

  /** Every path that an operation takes away, fills or gives another mode. */
  get paths(): readonly string[] {
    return [
      ...new Set(this.pending.flatMap(({ file, to }) => [file.path, ...(to ? [to.path] : [])])),
    ];
  }

  /** True for a file that is proposed to be deleted. */
  deletes({ uri }: FileRef): boolean {
    return this.waiting.get(uri)?.to === null;
  }

  async propose(operation: PendingOperation): Promise<Result<BlockOutcome, FileError>> {
    const { file, to, blockId } = operation;
    const { path } = file;
    if (this.deps.shared?.isOurs === false) return err({ code: "proposals-elsewhere", path });
    const isMode = changesMode(operation);
    const isNew = isMode && this.deps.isReviewed(file.uri);
    const state = (await this.stateOf(file)) ?? (isNew ? "" : null);
    if (state === null) return err({ code: "not-found", path });
    const known = this.waiting.get(file.uri);
    if (known && changesMode(known) && (isMode || !to)) {
      this.decide(known, { status: "rejected", reason: { code: "withdrawn" } });
      // The other of two modes is that of the file.
      if (isMode && known.executable !== operation.executable)
        return ok({ blockId, status: "rejected", reason: { code: "withdrawn" } });
    }
    if (to && !isMode && (await this.stateOf(to)) !== null)
      return err({ code: "exists", path: to.path });
    const isTaken = (other: FileRef | null) => other !== null && this.paths.includes(other.path);
    if (isTaken(file) || isTaken(to))
      return err({ code: "operation-proposed", path: isTaken(file) ? path : (to?.path ?? path) });
    if (!to && this.deps.isReviewed(file.uri)) return err({ code: "changes-proposed", path });
    const outcome: BlockOutcome = { blockId, status: "pending", reason: null };
    const waiting: ReviewedOperation = {
      ...operation,
      id: newId("operation"),
      begunAt: Date.now(),
      state,
      outcome,
    };
    this.add(waiting);
    // What the model and the chat's history know as pending outlasts a crash.
    await this.keepOperation(waiting);
    return ok(waiting.outcome);
  }

  /**
   * Brings an operation back that was pending when the window closed. The files decide: one that
   * was done just before a crash is done.
   */
  async bringBack(stored: StoredOperation): Promise<void> {
    const [file, to] = [
      await this.deps.workspace.resolve(stored.file.path),
      stored.to && (await this.deps.workspace.resolve(stored.to.path)),
    ];
    if (!file.ok || this.waiting.has(file.value.uri) || (to && !to.ok)) return;
    const outcome: BlockOutcome = { blockId: stored.blockId, status: "pending", reason: null };
    const operation = { ...stored, file: file.value, to: to ? to.value : null, outcome };
    const isDone = async () =>
      !changesMode(stored) &&
      (await this.stateOf(operation.file)) === null &&
      (operation.to === null || (await this.stateOf(operation.to)) !== null);
    if (await isDone().catch(() => false))
      this.decide(operation, { status: "applied", reason: null });
    else this.add(operation);
  }

  /** The pending operation on the file with this path or URI, or of this block of a turn. */
  find(
    name: string | { readonly turnId: string; readonly blockId: string },
  ): PendingOperation | undefined {
    return this.pending.find(({ file, origin, blockId }) =>
      typeof name === "string"
        ? file.path === name || file.uri === name
        : origin.turnId === name.turnId && blockId === name.blockId,
    );
  }

  /**
   * Does an operation. A file to delete that has changed since is a conflict, unless the user wants
   * to `overwrite` the change. Settles when it is done, or the user has been told why not.
   */
  accept(chosen: PendingOperation, overwrite = false, asked = true): Promise<void> {
    return this.queue.run(async () => {
      const operation = this.waiting.get(chosen.file.uri);
      if (operation?.blockId !== chosen.blockId) return;
      const { file, to, origin, state, executable } = operation;
      const { events, view, workspace } = this.deps;
      const now = await this.stateOf(file);
      // A new file has to be accepted first; its mode comes with it.
      if (now === null && state === "" && this.deps.isReviewed(file.uri)) {
        if (asked) view.refuseOperation({ code: "new-file-first", path: file.path });
        return;
      }
      if (now === null)
        return this.decide(operation, { status: "rejected", reason: { code: "file-gone" } });
      if (!to && now !== state && !overwrite) {
        this.decide(operation, { status: "conflict", reason: { code: "file-changed" } });
        void this.askToOverwrite(operation);
        return;
      }
      const refusal = await this.refusal(operation);
      if (refusal) return view.refuseOperation({ code: "file-error", error: refusal });
      const files = journalFiles(this.deps.files, workspace, ({ path, uri, ...texts }) =>
        events.applied(origin, { file: { path, uri }, ...texts }),
      );
      const done =
        executable !== undefined
          ? await files.setExecutable(file.path, executable, asked)
          : to
            ? await files.rename(file.path, to.path, false, asked)
            : await files.delete(file.path, false, asked);
      if (done.ok) this.decide(operation, { status: "applied", reason: null });
      else view.refuseOperation({ code: "file-error", error: done.error });
    });
  }

  /** Forgets an operation, for the user's reason, if any. */
  reject(chosen: PendingOperation, why: string | null = null): Promise<void> {
    return this.queue.run(async () => {
      const operation = this.waiting.get(chosen.file.uri);
      if (operation?.blockId === chosen.blockId)
        this.decide(operation, {
          status: "rejected",
          reason: { code: "rejected-by-user" },
          ...(why && { rejection: why }),
        });
    });
  }

  withdraw(operation: PendingOperation, callId: string): Promise<void> {
    return this.queue.run(async () => {
      const waiting = this.waiting.get(operation.file.uri);
      if (waiting?.blockId === operation.blockId)
        this.decide(waiting, { status: "withdrawn", reason: { code: "taken-back", callId } });
    });
  }

  /** The text of this file is decided: where it made the file, its mode is, too. */
  async decideNew({ uri }: FileRef): Promise<void> {
    const operation = this.waiting.get(uri);
    if (operation?.state !== "" || this.deps.isReviewed(uri)) return;
    await this.accept(operation);
  }

  /** Those that can be accepted with the rest: no known conflicts, and none on protected files. */
  get sound(): readonly PendingOperation[] {
    return this.pending.filter(
      (operation) => operation.outcome.status !== "conflict" && !isProtectedOperation(operation),
    );
  }

  /** Does these operations, as far as they can still be accepted with the rest. */
  async acceptAll(operations: readonly PendingOperation[]): Promise<void> {
    for (const { file, blockId } of operations) {
      const sound = this.sound.find((each) => each.file.uri === file.uri);
      if (sound?.blockId === blockId) await this.accept(sound, false, false);
    }
  }

  async rejectAll(): Promise<void> {
    for (const operation of this.pending) await this.reject(operation);
  }

  /**
   * Why an operation is not done where its paths lead to a protected file by now; its mark is shown
   * first.
   */
  private async refusal(operation: ReviewedOperation): Promise<FileError | null> {
    const { file, to } = operation;
    const places = await Promise.all(
      [file, ...(to ? [to] : [])].map(({ path }) => this.deps.workspace.resolve(path)),
    );
    const [now, nowTo] = places.flatMap((place) => (place.ok ? [place.value] : []));
    const failed = places.find((place) => !place.ok);
    if (failed && !failed.ok) return failed.error;
    const known = isProtectedOperation(operation);
    if (!now || known || !isProtectedOperation({ file: now, to: nowTo ?? null })) return null;
    this.waiting.set(file.uri, Object.assign(operation, { file: now, to: nowTo ?? null }));
    this.changes.fire();
    return { code: "protected-meanwhile", path: file.path };
  }

  private add(operation: ReviewedOperation): void {
    this.waiting.set(operation.file.uri, operation);
    this.changes.fire();
  }

  private async askToOverwrite(operation: ReviewedOperation): Promise<void> {
    if (await this.deps.view.confirmDeletion(operation.file.path))
      await this.accept(operation, true);
  }

  private decide(operation: ReviewedOperation, decided: Omit<BlockOutcome, "blockId">): void {
    const { file, origin, blockId } = operation;
    operation.outcome = { blockId, ...decided };
    if (decided.status !== "conflict") this.waiting.delete(file.uri);
    this.deps.events.decided(origin, file.path, [operation.outcome], null);
    void this.keepOperation(operation);
    this.changes.fire();
  }

  private keepOperation({ outcome: _, ...operation }: ReviewedOperation): Promise<void> {
    return this.deps.store.keep(operation.id, () =>
      this.waiting.get(operation.file.uri)?.id === operation.id ? operation : null,
    );
  }

  private stateOf({ uri }: FileRef): Promise<string | null> {
    return this.deps.editor.stateOf(uri);
  }
}
