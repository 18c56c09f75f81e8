import type { Disposable } from "../../base/disposable.ts";
import { Emitter } from "../../base/emitter.ts";
import { newId } from "../../base/ids.ts";
import type { GuardedFailure } from "../../edits/blocks/guardedBlocks.ts";
import type { ChangeJournal } from "../../edits/history/changeJournal.ts";
import type { RecordedText } from "../../edits/history/journalFiles.ts";
import { type AnswerCode, proposeCode } from "../../edits/proposeCode.ts";
import { proposeGuarded } from "../../edits/proposeGuarded.ts";
import { memoryStore } from "../../model/learnedCapabilities.ts";
import type { Memory } from "../../ports/memory.ts";
import type { BlockOutcome, ReviewOrigin } from "../../ports/review.ts";
import { type AttachmentRef, refOf } from "../../turns/attachment.ts";
import { branch, branchEnd } from "../../turns/branch.ts";
import { COMPACT_REQUEST } from "../../turns/conversation.ts";
import type { TurnTree, UserTurn } from "../../turns/turn.ts";
import type {
  QueuedMessage,
  RestoredFile,
  SpeechEnd,
  TurnEndReason,
  TurnEvent,
} from "../../turns/turnEvent.ts";
import { TurnStore } from "../../turns/turnStore.ts";
import type { ChatOptions } from "../chatOptions.ts";
import { StreamHub } from "../loop/streamHub.ts";
import type { ContextWindow } from "../request/contextWindow.ts";
import { answerRequest, removeQueued } from "./answerRequest.ts";
import { type ChatTools, createChatTools } from "./chatTools.ts";
import { decisionEvents } from "./decisionEvents.ts";
import { EditFormats } from "./editFormats.ts";
import { settlePending } from "./settlePending.ts";
import { joinMessages, type WrittenMessage } from "./writtenMessage.ts";

/** After these ends of a turn, Graft sends what is queued. */
const GOOD_ENDS: ReadonlySet<TurnEndReason> = new Set(["done", "length", "step-limit"]);

/**
 * One conversation: its turns, at most one of which is running, and everything that a turn needs.
 */
export class Chat {
  readonly chatId: string;
  private readonly options: ChatOptions;
  private readonly store: TurnStore;
  private readonly hub: StreamHub;
  private readonly tools: ChatTools;
  private readonly windows = new Map<string, ContextWindow>();
  private readonly learned: Memory;
  private readonly formats: EditFormats;
  private readonly closing = new AbortController();
  private readonly busyChanges = new Emitter<boolean>();
  private running: {
    readonly turnId: string;
    readonly abort: AbortController;
    readonly done: Promise<TurnEndReason>;
  } | null = null;

  private constructor(options: ChatOptions, store: TurnStore) {
    this.chatId = options.chatId;
    this.options = options;
    this.learned = options.learned ?? memoryStore();
    this.store = store;
    this.hub = new StreamHub(store.tree.lastSeq, (event) => store.append(event), options.logger);
    this.formats = new EditFormats(store.tree, (turnId, event) => this.hub.emit(turnId, event));
    this.hub.subscribe((event) => this.formats.take(event));
    this.tools = createChatTools(options, store.tree, (turnId) => this.formats.formatOf(turnId));
  }

  /** Opens the chat with the turns in its log; a turn that was cut off counts as interrupted. */
  static async open(options: ChatOptions): Promise<Chat> {
    const chat = new Chat(options, await TurnStore.load(options.log, options.logger));
    settlePending(chat.tree, options.reviewer, (turnId, event) => chat.hub.emit(turnId, event));
    return chat;
  }

  /** The turns as of the last event; changes in place. */
  get tree(): TurnTree {
    return this.store.tree;
  }

  /** True while a turn runs. */
  get busy(): boolean {
    return this.running !== null;
  }

  /** How many tools receive the stream; 0 when no turn is running. */
  get activeRequests(): number {
    return this.hub.activeRequests;
  }

  /**
   * Every event so far, with adjacent deltas merged: reduced from an empty tree they give {@link
   * tree}.
   */
  events(): readonly TurnEvent[] {
    return this.store.events;
  }

  /** Calls `listener` with every later event, in order, once it is in {@link tree}. */
  onEvent(listener: (event: TurnEvent) => void): Disposable {
    return this.hub.subscribe(listener);
  }

  /** Calls `listener` when a turn begins (true) and when it is over (false). */
  onBusy(listener: (busy: boolean) => void): Disposable {
    return this.busyChanges.on(listener);
  }

  /**
   * Asks the model; settles when the turn is over. While another turn runs, the message is queued:
   * the model sees it between two steps of that turn, or after it where it ends well. Otherwise it
   * stays in {@link queued}. The promise is then that turn's. `spoken` where the user said it
   * aloud; `id` names the message on record.
   */
  send(
    text: string,
    attached: readonly AttachmentRef[] = [],
    spoken = false,
    id = newId("message"),
  ): Promise<TurnEndReason> {
    if (this.running && text.trim() !== "" && !this.disposed) {
      const message = {
        id,
        text,
        ...(attached.length > 0 && { attached: [...attached] }),
        ...(spoken && { spoken: true as const }),
      };
      this.hub.emit("", { type: "queue", messages: [...this.queued, message] });
      return this.running.done;
    }
    return this.ask({ text, attached, spoken, id }, this.tree.headTurnId, null, this.queued);
  }

  /** The messages that wait to be sent; a reload keeps them. */
  get queued(): readonly QueuedMessage[] {
    return this.tree.queued;
  }

  /** Takes a message out of the queue and returns it; null where it was already sent. */
  unqueue(id: string): QueuedMessage | null {
    const found = this.queued.find((message) => message.id === id);
    if (!found) return null;
    removeQueued(this.hub, this.tree, [found]);
    return found;
  }

  /**
   * Sends the queued messages after the turn `parentTurnId`, by default the one shown. Does nothing
   * while a turn runs: it takes them.
   */
  async sendQueued(parentTurnId: string | null = this.tree.headTurnId): Promise<void> {
    if (this.running || this.disposed || this.queued.length === 0) return;
    await this.ask({ text: "", attached: [] }, parentTurnId, null, this.queued);
  }

  /**
   * Asks something else in place of the user turn `turnId`, which gets a sibling with the same
   * attachments, as they are now. Refused with a notice while another turn runs.
   */
  resend(turnId: string, text: string): Promise<TurnEndReason> {
    const turn = this.tree.turns.get(turnId);
    const earlier = turn?.role === "user" ? (turn.attachments ?? []) : [];
    if (turn?.role === "user")
      return this.ask(
        { text, attached: earlier.map(refOf), earlier },
        turn.parentTurnId,
        turn.editFile,
      );
    return this.refuse(`There is no request ${turnId} to edit.`);
  }

  /**
   * Asks for changes to one file without tool calling; `path` is workspace-relative and the file
   * may be new. Otherwise as {@link resend}.
   */
  startEditMode(
    path: string,
    instruction: string,
    attached: readonly AttachmentRef[] = [],
  ): Promise<TurnEndReason> {
    return this.ask({ text: instruction, attached }, this.tree.headTurnId, path);
  }

  /** Summarizes the turns so far, to make room for more. Otherwise as {@link resend}. */
  compact(id?: string): Promise<TurnEndReason> {
    const written = { text: COMPACT_REQUEST, ...(id && { id }) };
    return this.ask(written, this.tree.headTurnId, null);
  }

  /**
   * Asks again what the agent turn `turnId` answered; it gets a sibling. Otherwise as {@link
   * resend}.
   */
  retry(turnId: string): Promise<TurnEndReason> {
    const turn = this.tree.turns.get(turnId);
    const asked =
      turn?.role === "agent" && turn.parentTurnId !== null
        ? this.tree.turns.get(turn.parentTurnId)
        : turn;
    return asked?.role === "user"
      ? this.start(async () => asked)
      : this.refuse(`There is no turn ${turnId} to retry.`);
  }

  /** Stops the running turn, if any. */
  stop(): void {
    this.running?.abort.abort();
  }

  /**
   * Shows the branch through turn `turnId`, as far down as it was shown last. A running turn
   * continues.
   */
  showBranch(turnId: string): void {
    if (this.disposed || !this.tree.turns.has(turnId)) return;
    const end = branchEnd(this.tree, turnId);
    if (end !== this.tree.headTurnId) this.hub.emit(end, { type: "head" });
    void this.flush();
  }

  /** Proposes a block of agent turn `turnId` that a guard held back. */
  async proposeHeld(turnId: string, blockId: string): Promise<GuardedFailure | null> {
    if (this.running) return { code: "turn-running" };
    const { edits } = this.tools;
    const held = edits.held.find(turnId, blockId);
    return held
      ? proposeGuarded(held, { ...edits, emit: this.hub.emitter(turnId) }, this.closing.signal)
      : { code: "forgotten" };
  }

  /** Proposes a code block of agent turn `turnId`. */
  async proposeCode(turnId: string, answer: AnswerCode): Promise<GuardedFailure | null> {
    const turn = this.tree.turns.get(turnId);
    if (this.running || turn?.role !== "agent")
      return { code: this.running ? "turn-running" : "forgotten" };
    const own = { turnId, callId: newId("apply"), step: turn.step, index: turn.edits.size + 1 };
    const choose: AnswerCode["choose"] = async (places) => {
      const place = await answer.choose(places);
      return this.running ? null : place;
    };
    const deps = { ...this.tools.edits, emit: this.hub.emitter(turnId), turn: own };
    return proposeCode({ ...answer, choose }, deps, this.closing.signal);
  }

  /** Records what became of proposed blocks. */
  decided(
    { turnId }: ReviewOrigin,
    path: string,
    blocks: readonly BlockOutcome[],
    userDiff: string | null,
  ): void {
    const turn = this.tree.turns.get(turnId);
    if (turn?.role !== "agent") return;
    for (const event of decisionEvents(turn, path, blocks, userDiff)) this.hub.emit(turnId, event);
    void this.flush();
  }

  /** Records what a tool of the running turn did to a file. */
  recordChange(change: RecordedText): void {
    void this.journal.record({
      ...change,
      at: Date.now(),
      turnId: this.running?.turnId ?? null,
      callId: null,
    });
  }

  /** The changes to files in this chat. */
  get journal(): ChangeJournal {
    return this.options.journal;
  }

  /**
   * Records that files were restored to before agent turn `turnId`, or that this was `undone`. The
   * record goes to that turn, to the end of the branch shown, and to the running turn, so that the
   * model sees it on every branch.
   */
  filesRestored(turnId: string, files: readonly RestoredFile[], undone = false): void {
    const turn = this.tree.turns.get(turnId);
    const asked = turn?.parentTurnId ? this.tree.turns.get(turn.parentTurnId) : undefined;
    const last = branch(this.tree, this.tree.headTurnId).findLast(({ role }) => role === "agent");
    const request = asked?.role === "user" ? asked.text : "";
    for (const id of new Set([turnId, last?.id ?? turnId, this.running?.turnId ?? turnId]))
      this.hub.emit(id, {
        type: "files-restored",
        request,
        files: [...files],
        ...(undone && { undone }),
      });
  }

  /** Records how much of the answer of agent turn `turnId` the user heard. */
  speechEnded(turnId: string, speech: SpeechEnd): void {
    if (this.tree.turns.get(turnId)?.role !== "agent") return;
    this.hub.emit(turnId, { type: "speech-end", ...speech });
    void this.flush();
  }

  /** Names the chat; an empty title removes the name. Settles when it is recorded. */
  rename(title: string): Promise<void> {
    this.hub.emit("", { type: "chat-title", title });
    return this.flush();
  }

  /** Settles when every event so far is in the log. */
  flush(): Promise<void> {
    return this.store.flush();
  }

  /** Stops the running turn, waits for its end, and writes what is unwritten. */
  async dispose(): Promise<void> {
    this.closing.abort();
    this.stop();
    await this.running?.done;
    await this.flush();
    await this.journal.idle();
  }

  private get disposed(): boolean {
    return this.closing.signal.aborted;
  }

  /**
   * `waited` was queued: it precedes what is `written` now, and stays queued until it is recorded
   * as sent.
   */
  private ask(
    written: WrittenMessage,
    parentTurnId: string | null,
    editFile: string | null,
    waited: readonly QueuedMessage[] = [],
  ): Promise<TurnEndReason> {
    const { text, refs, spoken, ids: messages } = joinMessages([...waited, written]);
    if (text === "") return this.refuse("An empty message was not sent.");
    const activeFile = editFile === null ? this.options.activeFile() : null;
    const editor = editFile === null ? this.options.editorView?.() : undefined;
    const shown = {
      editFile,
      activeFile,
      ...(editor && { editor }),
      ...(spoken && { spoken: true as const }),
    };
    return this.start(async (signal) => {
      const turnId = newId("turn");
      const attachments = await this.tools.attach(turnId, refs, signal, written.earlier);
      const sent = { ...shown, ...(attachments.length > 0 && { attachments }) };
      const named = messages.length > 0 && { messages: [...messages] };
      this.hub.emit(turnId, {
        type: "turn-start",
        role: "user",
        parentTurnId,
        text,
        model: null,
        ...sent,
        ...named,
      });
      removeQueued(this.hub, this.tree, waited);
      return { role: "user", id: turnId, parentTurnId, startedAt: Date.now(), text, ...sent };
    });
  }

  private start(userTurn: (signal: AbortSignal) => Promise<UserTurn>): Promise<TurnEndReason> {
    if (this.disposed) return Promise.resolve("error");
    if (this.running) {
      const notice = { type: "notice", level: "warning", code: "turn-running" } as const;
      this.hub.emit(this.running.turnId, notice);
      return Promise.resolve("error");
    }
    const abort = new AbortController();
    const turnId = newId("turn");
    const { options, hub, tree, tools, windows, learned, formats } = this;
    const parts = { options, hub, tree, tools, windows, learned, formats };
    const done = Promise.resolve()
      .then(() => userTurn(abort.signal))
      .then((asked) => answerRequest(parts, asked, turnId, abort.signal))
      .finally(() => {
        this.running = null;
        void this.flush();
        this.busyChanged();
      });
    void done.then((reason) => (GOOD_ENDS.has(reason) ? this.sendQueued(turnId) : undefined));
    this.running = { turnId, abort, done };
    this.busyChanged();
    return done;
  }

  private refuse(problem: string): Promise<TurnEndReason> {
    this.options.logger.warn(problem);
    return Promise.resolve("error");
  }

  private busyChanged(): void {
    try {
      this.busyChanges.fire(this.busy);
    } catch (reason) {
      this.options.logger.error(`A listener failed: ${String(reason)}`);
    }
  }
}
