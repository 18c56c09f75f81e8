import type { Disposable } from "../base/disposable.ts";
import { Emitter } from "../base/emitter.ts";
import { newId } from "../base/ids.ts";
import { pause } from "../base/pause.ts";
import { err, type Result } from "../base/result.ts";
import { sentence } from "../base/sentence.ts";
import { untilAborted } from "../base/untilAborted.ts";
import { type ChangeJournal, journalReviews } from "../edits/changeJournal.ts";
import { createEditMode, type EditMode } from "../edits/editMode.ts";
import { HeldBlocks } from "../edits/heldBlocks.ts";
import type { RecordedText } from "../edits/journalFiles.ts";
import { type HeldFailure, proposeHeld } from "../edits/proposeHeld.ts";
import type { ModelError } from "../model/streamPart.ts";
import { earlierLooks } from "../tools/earlierLooks.ts";
import { createFileOutline } from "../tools/fileOutline.ts";
import { createListDirectory } from "../tools/listDirectory.ts";
import { createReadFile } from "../tools/readFile.ts";
import { createReadMultipleFiles } from "../tools/readMultipleFiles.ts";
import { createSearchInFiles } from "../tools/searchInFiles.ts";
import { ShownTexts } from "../tools/shownTexts.ts";
import { createToolRouter, type ToolRouter } from "../tools/toolRouter.ts";
import { branch } from "../turns/branch.ts";
import { branchEnd } from "../turns/branchEnd.ts";
import type { TurnTree, UserTurn } from "../turns/turn.ts";
import type { QueuedMessage, RestoredFile, TurnEndReason, TurnEvent } from "../turns/turnEvent.ts";
import { TurnStore } from "../turns/turnStore.ts";
import { activateForUser } from "./activateForUser.ts";
import { runAgentTurn } from "./agentLoop.ts";
import { type ChatOptions, DEFAULT_CONTEXT_WINDOW, type ModelConnection } from "./chatOptions.ts";
import { ContextWindow } from "./contextWindow.ts";
import { MessageQueue } from "./messageQueue.ts";
import { chatPrompt, editModePrompt, textPrompt } from "./prompts.ts";
import { DEFAULT_RETRY } from "./retryPolicy.ts";
import { StreamHub } from "./streamHub.ts";
import { turnRequests } from "./turnRequests.ts";

/** Ends of a turn after which what the user wrote meanwhile is sent by itself. */
const GOOD_ENDS: ReadonlySet<TurnEndReason> = new Set(["done", "length", "step-limit"]);

/** One conversation: its turns, at most one of which is running, and everything that a turn needs. */
export class Chat {
  readonly chatId: string;
  private readonly options: ChatOptions;
  private readonly store: TurnStore;
  private readonly hub: StreamHub;
  private readonly editMode: EditMode;
  private readonly router: ToolRouter;
  private readonly shown: ShownTexts;
  private readonly held = new HeldBlocks();
  private readonly closing = new AbortController();
  private readonly busyChanges = new Emitter<boolean>();
  private readonly queue: MessageQueue;
  private readonly windows = new Map<string, ContextWindow>();
  private running: { readonly turnId: string; readonly abort: AbortController; readonly done: Promise<TurnEndReason> } | null = null;
  private disposed = false;

  private constructor(options: ChatOptions, store: TurnStore) {
    const { workspace, syntax, approval, journal, logger } = options;
    this.chatId = options.chatId;
    this.options = options;
    this.store = store;
    this.hub = new StreamHub(store.tree.lastSeq, (event) => store.append(event), logger);
    this.queue = new MessageQueue(store.tree.queued, (messages) => this.hub.emit("", { type: "queue", messages: [...messages] }));
    const shown = new ShownTexts((turnId) => branch(store.tree, turnId).map(({ id }) => id));
    for (const look of earlierLooks(store.tree)) shown.add(look);
    const reviewer = journalReviews(options.reviewer, journal, () => this.running?.turnId ?? null);
    this.shown = shown;
    this.editMode = createEditMode({ workspace, syntax, reviewer, shown, held: this.held });
    const readFile = createReadFile(workspace, syntax, shown);
    const tools = [
      readFile,
      createReadMultipleFiles(readFile),
      createListDirectory(workspace),
      createSearchInFiles(workspace),
      createFileOutline(workspace, syntax),
      this.editMode.tool,
      this.editMode.patchTool,
      ...options.tools,
    ];
    this.router = createToolRouter(tools, approval);
  }

  /** Opens the chat with the turns its log holds; one that was cut off counts as interrupted. */
  static async open(options: ChatOptions): Promise<Chat> {
    return new Chat(options, await TurnStore.load(options.log, options.logger));
  }

  /** The turns as of the last event; changes in place. */
  get tree(): TurnTree {
    return this.store.tree;
  }

  /** True while a turn runs. */
  get busy(): boolean {
    return this.running !== null;
  }

  /** How many tool requests receive the stream; 0 when no turn is running. */
  get activeRequests(): number {
    return this.hub.activeRequests;
  }

  /** Every event so far, neighbouring deltas merged: reduced from an empty tree they give {@link tree}. Not for readers who have seen a part. */
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
   * Asks the model; settles when the turn is over. While another turn runs, the message is queued: it is told to the model between two
   * steps of that turn, or asked behind it where it comes to a good end, or else waits in {@link queued}; the promise is that turn's.
   */
  send(text: string): Promise<TurnEndReason> {
    if (this.running && text.trim() !== "" && !this.disposed) {
      this.queue.add(text);
      return this.running.done;
    }
    return this.ask(text, this.tree.headTurnId, null, this.queued);
  }

  /** What waits to be sent; stays over a reload. */
  get queued(): readonly QueuedMessage[] {
    return this.queue.messages;
  }

  /** Takes a message out of the queue and gives its text; null where it was sent already. */
  unqueue(id: string): string | null {
    const found = this.queued.find((message) => message.id === id);
    if (!found) return null;
    this.queue.remove([found]);
    return found.text;
  }

  /** Sends what waits, behind what is shown or behind turn `parentTurnId`; harmless where nothing does, and while a turn runs, which takes it by itself. */
  async sendQueued(parentTurnId: string | null = this.tree.headTurnId): Promise<void> {
    if (this.running || this.disposed || this.queued.length === 0) return;
    await this.ask("", parentTurnId, null, this.queued);
  }

  /** Asks something else in the place of user turn `turnId`, which gets a sibling. While another turn runs, nothing is sent, which a notice says, and the answer is `error`. */
  resend(turnId: string, text: string): Promise<TurnEndReason> {
    const turn = this.tree.turns.get(turnId);
    if (turn?.role === "user") return this.ask(text, turn.parentTurnId, turn.editFile);
    this.options.logger.warn(`There is no request ${turnId} to write anew.`);
    return Promise.resolve("error");
  }

  /** Shows the branch through turn `turnId`, as far down as it was shown last. A turn that runs goes on, wherever the user looks. */
  showBranch(turnId: string): void {
    if (this.disposed || !this.tree.turns.has(turnId)) return;
    const end = branchEnd(this.tree, turnId);
    if (end !== this.tree.headTurnId) this.hub.emit(end, { type: "head" });
    void this.flush();
  }

  /** Asks for changes to one file without tool calling; `path` is workspace-relative and the file may be new. Otherwise as {@link resend}. */
  startEditMode(path: string, instruction: string): Promise<TurnEndReason> {
    return this.ask(instruction, this.tree.headTurnId, path);
  }

  /** Asks again what the agent turn `turnId` answered: it gets a sibling. Otherwise as {@link resend}. */
  retry(turnId: string): Promise<TurnEndReason> {
    const turn = this.tree.turns.get(turnId);
    const asked = turn?.role === "agent" && turn.parentTurnId !== null ? this.tree.turns.get(turn.parentTurnId) : turn;
    if (asked?.role === "user") return this.start(() => asked);
    this.options.logger.warn(`There is no turn ${turnId} to retry.`);
    return Promise.resolve("error");
  }

  /**
   * Proposes a block of agent turn `turnId` that a guard held back. Settles once the user has decided, or at once with a failure.
   */
  async proposeHeld(turnId: string, blockId: string): Promise<HeldFailure | null> {
    if (this.running) return { code: "turn-running" };
    const held = this.held.find(turnId, blockId);
    if (!held) return { code: "forgotten" };
    const { workspace, syntax, journal } = this.options;
    const reviewer = journalReviews(this.options.reviewer, journal, () => turnId);
    const deps = { workspace, syntax, reviewer, shown: this.shown, emit: this.hub.emitter(turnId) };
    return proposeHeld(held, deps, this.closing.signal);
  }

  /** Puts on record what a tool of the running turn did to a file. */
  recordChange(change: RecordedText): void {
    void this.options.journal.record({ ...change, at: Date.now(), turnId: this.running?.turnId ?? null, callId: null });
  }

  /** The changes that were made to files in this chat. */
  get journal(): ChangeJournal {
    return this.options.journal;
  }

  /**
   * Puts on record that files were restored to before agent turn `turnId`, or that this was `undone`, which its turn shows and the model is told: there, at the
   * end of what is shown, and in the turn that runs, so that it is heard whichever way the chat goes on.
   */
  filesRestored(turnId: string, files: readonly RestoredFile[], undone = false): void {
    const turn = this.tree.turns.get(turnId);
    const asked = turn?.parentTurnId ? this.tree.turns.get(turn.parentTurnId) : undefined;
    const last = branch(this.tree, this.tree.headTurnId).findLast(({ role }) => role === "agent");
    const request = asked?.role === "user" ? asked.text : "";
    for (const id of new Set([turnId, last?.id ?? turnId, this.running?.turnId ?? turnId]))
      this.hub.emit(id, { type: "files-restored", request, files: [...files], ...(undone && { undone }) });
  }

  /** Names the chat; an empty title takes the name away. Settles when it is on record. */
  rename(title: string): Promise<void> {
    this.hub.emit("", { type: "chat-title", title });
    return this.flush();
  }

  /** Stops the running turn; harmless when none is running. */
  stop(): void {
    this.running?.abort.abort();
  }

  /** Settles when every event so far is in the log. */
  flush(): Promise<void> {
    return this.store.flush();
  }

  /** Stops the running turn, waits for its end, and writes what is unwritten. */
  async dispose(): Promise<void> {
    this.disposed = true;
    this.closing.abort();
    this.stop();
    await this.running?.done;
    await this.flush();
    await this.options.journal.idle();
  }

  /** `waited` is what was queued: it comes before what is `written` now, and waits until it is on record as sent. */
  private ask(
    written: string,
    parentTurnId: string | null,
    editFile: string | null,
    waited: readonly QueuedMessage[] = [],
  ): Promise<TurnEndReason> {
    const text = [...waited.map((message) => message.text), written].filter((each) => each.trim() !== "").join("\n\n");
    if (text.trim() === "") {
      this.options.logger.warn("An empty message was not sent.");
      return Promise.resolve("error");
    }
    const activeFile = editFile === null ? this.options.activeFile() : null;
    const editor = editFile === null ? this.options.editorView?.() : undefined;
    const shown = { editFile, activeFile, ...(editor && { editor }) };
    return this.start(() => {
      const turnId = newId("turn");
      this.hub.emit(turnId, { type: "turn-start", role: "user", parentTurnId, text, model: null, ...shown });
      this.queue.remove(waited);
      return { role: "user", id: turnId, parentTurnId, startedAt: Date.now(), text, ...shown };
    });
  }

  private start(userTurn: () => UserTurn): Promise<TurnEndReason> {
    if (this.disposed) return Promise.resolve("error");
    if (this.running) {
      const text = "Another turn is running, so the message was not sent. Stop the turn, or wait until it is over.";
      this.hub.emit(this.running.turnId, { type: "notice", level: "warning", text });
      return Promise.resolve("error");
    }
    const abort = new AbortController();
    const turnId = newId("turn");
    const done = Promise.resolve()
      .then(() => this.answer(userTurn(), turnId, abort.signal))
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

  private async answer(asked: UserTurn, turnId: string, signal: AbortSignal): Promise<TurnEndReason> {
    const connection = await this.connect(signal);
    const model = connection.ok ? connection.value.model : "";
    this.hub.emit(turnId, {
      type: "turn-start",
      role: "agent",
      parentTurnId: asked.id,
      model,
      text: null,
      editFile: null,
      activeFile: null,
    });
    if (!connection.ok) return this.endUnconnected(turnId, connection.error);
    const { workspace, maxSteps, retry = DEFAULT_RETRY } = this.options;
    const { editFile } = asked;
    const tell = (text: string) => this.hub.emit(turnId, { type: "notice", level: "info", text });
    const router = this.router.withTools(editFile === null ? ((await this.options.turnTools?.(signal, tell)) ?? []) : []);
    const address = `${connection.value.client.baseUrl} ${model}`;
    const window = this.contextWindow(address, model);
    return runAgentTurn({
      turnId,
      connection: connection.value,
      hub: this.hub,
      router: editFile === null && !this.tree.textOnly.has(address) ? router : null,
      toolsRefused: () => this.hub.emit(turnId, { type: "tools-refused", address }),
      tellQueued: () => {
        const messages = this.queued;
        for (const { text } of messages) this.hub.emit(turnId, { type: "user-message", text });
        this.queue.remove(messages);
      },
      sent: () => void this.warm(asked.activeFile, signal),
      question: this.options.question ?? null,
      retry,
      ...turnRequests({
        turnId,
        tree: this.tree,
        emit: this.hub.emitter(turnId),
        connection: connection.value,
        window,
        workspace,
        tools: router.specs,
        retry,
        readOn: (text, end) => router.keepRest(turnId, text, end),
        systemPrompt: () => {
          if (editFile !== null) return editModePrompt();
          const prompt = this.tree.textOnly.has(address) ? textPrompt : chatPrompt(router.specs);
          return prompt(workspace.folders, workspace.trusted);
        },
        signal,
      }),
      begin: async () => {
        if (editFile === null) return null;
        return activateForUser(this.editMode, editFile, { turnId, signal, emit: this.hub.emitter(turnId), streams: this.hub });
      },
      maxSteps: Math.max(1, maxSteps()),
      signal,
    });
  }

  /** Loads the grammar that the answer is likely to need, while the first token is awaited; sending the request comes first. */
  private async warm(path: string | null, signal: AbortSignal): Promise<void> {
    await pause(0, signal);
    if (path !== null && !signal.aborted) this.options.syntax.warm?.(path);
  }

  private contextWindow(address: string, model: string): ContextWindow {
    const known = this.windows.get(address);
    if (known) return known;
    const window = new ContextWindow(() => this.options.contextWindow?.(model) ?? DEFAULT_CONTEXT_WINDOW);
    this.windows.set(address, window);
    return window;
  }

  private async connect(signal: AbortSignal): Promise<Result<ModelConnection, ModelError>> {
    try {
      const connected = await untilAborted(this.options.connect(), signal);
      if (connected.ok) return connected.value;
      return err({ kind: "aborted", message: "Stopped.", status: null, retryable: true });
    } catch (reason) {
      const message = `The model cannot be reached: ${sentence(reason)}`;
      return err({ kind: "network", message, status: null, retryable: true });
    }
  }

  private endUnconnected(turnId: string, { kind, message, retryable }: ModelError): TurnEndReason {
    const reason = kind === "aborted" ? "cancelled" : "error";
    this.hub.emit(turnId, { type: "turn-end", reason, error: reason === "error" ? { kind, message, retryable } : null });
    return reason;
  }

  private busyChanged(): void {
    try {
      this.busyChanges.fire(this.busy);
    } catch (reason) {
      this.options.logger.error(`A listener failed: ${String(reason)}`);
    }
  }
}
