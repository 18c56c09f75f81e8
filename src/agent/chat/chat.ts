import type { Disposable } from "../../base/disposable.ts";
import { newId } from "../../base/ids.ts";
import type { ChangeJournal } from "../../edits/history/changeJournal.ts";
import type { RecordedText } from "../../edits/history/journalFiles.ts";
import type { HeldFailure } from "../../edits/propose/heldBlocks.ts";
import type { AnswerCode } from "../../edits/propose/proposeCode.ts";
import { memoryStore } from "../../model/learnedCapabilities.ts";
import type { BlockOutcome, ReviewOrigin } from "../../ports/review.ts";
import { type AttachmentRef, refOf } from "../../turns/attachment.ts";
import { branchEnd } from "../../turns/branch.ts";
import type { CandidateFile } from "../../turns/candidates/candidateEvents.ts";
import { COMPACT_REQUEST } from "../../turns/conversation.ts";
import { type ChatMode, DEFAULT_MODE } from "../../turns/plan/chatMode.ts";
import type { TurnTree, UserTurn } from "../../turns/turn.ts";
import type {
  BlockName,
  QueuedMessage,
  RestoredFile,
  SpeechEnd,
  TurnEndReason,
  TurnEvent,
} from "../../turns/turnEvent.ts";
import { TurnStore } from "../../turns/turnStore.ts";
import { askModels, type CandidateChat, MAX_CANDIDATES } from "../candidates/askModels.ts";
import { proposeCombination } from "../candidates/proposeCombination.ts";
import { chooseOption } from "../chatAgents/agentOffers.ts";
import type { ChatOptions } from "../chatOptions.ts";
import { StreamHub } from "../loop/streamHub.ts";
import type { AnswerParts } from "./answeringTurn.ts";
import { answerRequest } from "./answerRequest.ts";
import { Asides, askAside } from "./askAside.ts";
import { createChatTools } from "./chatTools.ts";
import { ChatTurn } from "./chatTurn.ts";
import { decidedEvents, restoredEvents, savedEvents } from "./decisionEvents.ts";
import { EditFormats } from "./editFormats.ts";
import { proposeAgain, proposeAnswerCode } from "./lateProposals.ts";
import { MessageQueue, type WrittenMessage } from "./messageQueue.ts";
import { settleRecord } from "./settleRecord.ts";
import { askedRequest, writeUserTurn } from "./writeUserTurn.ts";

/** After these ends of a turn, Graft sends what is queued. */
const GOOD_ENDS: ReadonlySet<TurnEndReason> = new Set(["done", "length", "step-limit"]);

/** One conversation: its turns, of which at most one runs, and everything that a turn needs. */
export class Chat {
  readonly chatId: string;
  /** The side questions that are asked now. */
  readonly asides = new Asides();
  private readonly options: ChatOptions;
  private readonly store: TurnStore;
  private readonly hub: StreamHub;
  private readonly parts: Omit<AnswerParts, "mode">;
  private readonly closing = new AbortController();
  private readonly running: ChatTurn;

  private constructor(options: ChatOptions, store: TurnStore) {
    const { tree } = store;
    const hub = new StreamHub(tree.lastSeq, (event) => store.append(event), options.logger);
    const formats = new EditFormats(tree, (turnId, event) => hub.emit(turnId, event));
    hub.subscribe((event) => formats.takeEvent(event));
    const tools = createChatTools(options, tree, (turnId) => formats.formatOf(turnId));
    const agent = options.chatAgent?.(tools.proposals) ?? null;
    agent?.onOffers((offers) => hub.emit("", { type: "agent-offers", ...offers }));
    const learned = options.learned ?? memoryStore();
    const [queue, windows] = [new MessageQueue(hub, tree), new Map()];
    this.parts = { options, hub, tree, tools, queue, windows, learned, formats, agent };
    this.chatId = options.chatId;
    this.options = options;
    this.store = store;
    this.hub = hub;
    this.running = new ChatTurn(options.logger);
  }

  /** Opens the chat with the turns in its log; a turn that was cut off counts as interrupted. */
  static async open(options: ChatOptions): Promise<Chat> {
    const chat = new Chat(options, await TurnStore.load(options.log, options.logger));
    settleRecord(chat.tree, options, (turnId, event) => chat.hub.emit(turnId, event));
    return chat;
  }

  /** The turns as of the last event; changes in place. */
  get tree(): TurnTree {
    return this.store.tree;
  }

  /** How messages are answered that the user writes from now on. */
  get mode(): ChatMode {
    return this.tree.mode ?? this.options.defaultMode ?? DEFAULT_MODE;
  }

  /** Chooses {@link mode}. What is queued, and a turn that runs, keep theirs. */
  setMode(mode: ChatMode): void {
    if (mode === this.mode || this.disposed) return;
    this.hub.emit("", { type: "chat-mode", mode });
    void this.flush();
  }

  /** True while a turn runs. */
  get busy(): boolean {
    return this.running.turnId !== null;
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
    return this.running.onChange(listener);
  }

  /**
   * Asks the model; settles when the turn is over. While another turn runs, the message is queued:
   * the model sees it between two steps of that turn, or after it where it ends well or is in
   * another mode. Otherwise it stays in {@link queued}. The promise is then that turn's. `spoken`
   * where the user said it aloud; `id` names the message on record.
   */
  send(
    text: string,
    attached: readonly AttachmentRef[] = [],
    spoken = false,
    id = newId("message"),
  ): Promise<TurnEndReason> {
    const { done } = this.running;
    if (done && text.trim() !== "" && !this.disposed) {
      this.parts.queue.add({ text, attached, spoken }, id, this.mode);
      return done;
    }
    return this.ask({ text, attached, spoken, id }, this.tree.headTurnId, null, this.queued);
  }

  /** The messages that wait to be sent; a reload keeps them. */
  get queued(): readonly QueuedMessage[] {
    return this.parts.queue.messages;
  }

  /** Takes a message out of the queue and returns it; null where it was already sent. */
  unqueue(id: string): QueuedMessage | null {
    return this.parts.queue.take(id);
  }

  /**
   * Sends the queued messages after the turn `parentTurnId`, by default the one shown, up to the
   * first in another mode, which follows that turn. Does nothing while a turn runs: it takes them.
   */
  async sendQueued(parentTurnId: string | null = this.tree.headTurnId): Promise<void> {
    if (this.busy || this.disposed || this.queued.length === 0) return;
    const { mode, messages } = this.parts.queue.next();
    await this.ask({ text: "", attached: [] }, parentTurnId, null, messages, mode);
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

  /** Has a few models answer, each in a chat of its own. Otherwise as {@link resend}. */
  askModels(request: WrittenMessage, candidates: readonly CandidateChat[]) {
    if (candidates.length > MAX_CANDIDATES) return this.refuse("Too many models were asked.");
    return this.ask(request, this.tree.headTurnId, null, [], this.mode, candidates);
  }

  /** Summarizes the turns so far, to make room for more. Otherwise as {@link resend}. */
  compact(id?: string): Promise<TurnEndReason> {
    return this.ask({ text: COMPACT_REQUEST, ...(id && { id }) }, this.tree.headTurnId, null);
  }

  /** Asks again what agent turn `turnId` answered, as a sibling. Otherwise as {@link resend}. */
  retry(turnId: string): Promise<TurnEndReason> {
    const turn = this.tree.turns.get(turnId);
    const asked =
      turn?.role === "agent" && turn.parentTurnId !== null
        ? this.tree.turns.get(turn.parentTurnId)
        : turn;
    return asked?.role === "user" && !asked.within
      ? this.start(async () => asked)
      : this.refuse(`There is no turn ${turnId} to retry.`);
  }

  /** See {@link askAside}: neither a running turn nor a later one hears of it. {@link stop} ends it. */
  aside(question: string, refs: readonly AttachmentRef[] = []): ReturnType<typeof askAside> {
    return this.asides.ask((signal) => askAside(this.parts, question, refs, signal));
  }

  /** Stops the running turn, if any, and side questions. */
  stop(): void {
    this.asides.stop();
    this.running.stop();
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

  /** See {@link proposeAgain}. */
  proposeAgain(turnId: string, blockId: string): Promise<HeldFailure | null> {
    return proposeAgain(this.lateParts(), turnId, blockId);
  }

  /** See {@link proposeAnswerCode}. */
  proposeCode(turnId: string, answer: AnswerCode): Promise<HeldFailure | null> {
    return proposeAnswerCode(this.lateParts(), turnId, answer);
  }

  /** See {@link proposeCombination}; null while a turn runs. */
  async proposeCombination(turnId: string, files: readonly CandidateFile[]) {
    if (this.busy) return null;
    const { tools } = this.parts;
    return proposeCombination(tools, turnId, files, this.hub.emitter(turnId), this.closing.signal);
  }

  /** Records what became of proposed blocks. */
  decided(
    { turnId }: ReviewOrigin,
    path: string,
    blocks: readonly BlockOutcome[],
    userDiff: string | null,
  ): void {
    for (const [of, event] of decidedEvents(this.tree, turnId, path, blocks, userDiff))
      this.hub.emit(of, event);
    void this.flush();
  }

  /** Records what a tool of the running turn did to a file. */
  recordChange(change: RecordedText): void {
    const { turnId } = this.running;
    void this.journal.record({ ...change, at: Date.now(), turnId, callId: null });
  }

  /** The changes to files in this chat. */
  get journal(): ChangeJournal {
    return this.options.journal;
  }

  /**
   * Records that files were restored to before agent turn `turnId`, or that this was `undone`. The
   * record goes to that turn, to the end of the branch shown, and to the running turn, so that the
   * model sees it on every branch. Of `blocks`, only these are meant. Ignores an unknown turn.
   */
  filesRestored(
    turnId: string,
    files: readonly RestoredFile[],
    undone = false,
    blocks: readonly BlockName[] = [],
  ): void {
    const restored = { files, undone, blocks };
    for (const [id, event] of restoredEvents(this.tree, turnId, this.running.turnId, restored))
      this.hub.emit(id, event);
  }

  /** Records that the disk has the file at `path` as its document does. */
  fileSaved(path: string): void {
    for (const [id, event] of savedEvents(this.tree, path)) this.hub.emit(id, event);
  }

  /** Records how much of the answer of agent turn `turnId` the user heard. */
  speechEnded(turnId: string, speech: SpeechEnd): void {
    if (this.tree.turns.get(turnId)?.role !== "agent") return;
    this.hub.emit(turnId, { type: "speech-end", ...speech });
    void this.flush();
  }

  /**
   * Chooses a value of an option of the agent that answers here, by their ids; false where it
   * refused.
   */
  async chooseAgentOption(id: string, value: string): Promise<boolean> {
    const { agent } = this.parts;
    return agent !== null && chooseOption(agent, this.parts, id, value);
  }

  /** Names the chat; an empty title removes the name. Settles when it is recorded. */
  rename(title: string): Promise<void> {
    this.hub.emit("", { type: "chat-title", title });
    return this.flush();
  }

  /** Settles once the log was asked to write every event so far; see {@link stored}. */
  flush = () => this.store.flush();

  /** True once every event so far is in the log; false where the chat ends before. */
  stored = () => this.store.stored();

  /** Stops the running turn, waits for its end, and writes what is unwritten. */
  async dispose(): Promise<void> {
    this.closing.abort();
    this.stop();
    await this.running.done;
    await this.parts.agent?.dispose();
    await this.store.close();
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
    mode = this.mode,
    candidates: readonly CandidateChat[] = [],
  ): Promise<TurnEndReason> {
    const request = askedRequest(this.options, written, waited, { parentTurnId, editFile });
    if (!request) return this.refuse("An empty message was not sent.");
    return this.start((signal) => writeUserTurn(this.parts, request, signal), mode, candidates);
  }

  private lateParts(): Parameters<typeof proposeAgain>[0] {
    return {
      ...{ ...this.parts, signal: this.closing.signal, busy: () => this.busy },
      brought: ({ origin, blocks }, path) => this.decided(origin, path, blocks, null),
    };
  }

  private start(
    userTurn: (signal: AbortSignal) => Promise<UserTurn>,
    mode = this.mode,
    candidates: readonly CandidateChat[] = [],
  ): Promise<TurnEndReason> {
    if (this.disposed) return Promise.resolve("error");
    const { turnId: runs } = this.running;
    if (runs !== null) {
      this.hub.emit(runs, { type: "notice", level: "warning", code: "turn-running" });
      return Promise.resolve("error");
    }
    const { turnId, done } = this.running.start(async (id, signal) => {
      try {
        const asked = await userTurn(signal);
        return candidates.length > 0
          ? await askModels(this.hub, asked, id, candidates, signal)
          : await answerRequest({ ...this.parts, mode }, asked, id, signal);
      } finally {
        void this.flush();
      }
    });
    void done.then((reason) => (GOOD_ENDS.has(reason) ? this.sendQueued(turnId) : undefined));
    return done;
  }

  private refuse(problem: string): Promise<TurnEndReason> {
    this.options.logger.warn(problem);
    return Promise.resolve("error");
  }
}
