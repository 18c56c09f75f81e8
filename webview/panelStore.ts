import * as z from "zod/mini";
import { newId } from "../src/base/ids.ts";
import {
  type CandidateMessage,
  type ContextMessage,
  type HostMessage,
  hostMessageSchema,
  type PanelAction,
  type PanelStatus,
  type VoiceMessage,
} from "../src/protocol/messages.ts";
import { type AttachmentRef, attachmentRefsSchema } from "../src/turns/attachment.ts";
import { type ChatMode, chatModeSchema, DEFAULT_MODE } from "../src/turns/plan/chatMode.ts";
import type { AgentTurn, TurnTree } from "../src/turns/turn.ts";
import type { TurnEvent } from "../src/turns/turnEvent.ts";
import { applyTurnEvent, emptyTree } from "../src/turns/turnReducer.ts";
import { applyAndNote, type FrameChanges, unchangedFrame } from "./turnChanges.ts";

const outgoingSchema = z.object({
  id: z.string(),
  chatId: z.string(),
  text: z.string(),
  attached: attachmentRefsSchema,
  /** True where a turn was running: it waits with the queued messages. */
  queued: z.boolean(),
  mode: z.optional(chatModeSchema),
});

const savedStateSchema = z.object({
  /** The shown chat, by which the host brings a tab back. */
  chatId: z.catch(z.nullable(z.string()), null),
  /** What the user typed and did not send. */
  draft: z.string(),
  /** What is attached to it. */
  attached: z.catch(attachmentRefsSchema, []),
  /**
   * The turn at the top and how many pixels of it were scrolled past, or null when the end was in
   * view.
   */
  place: z.catch(z.nullable(z.object({ turnId: z.string(), offset: z.number() })), null),
  /** What the user unfolded (true) or folded, by turn and number of the fold in it. */
  folds: z.catch(z.record(z.string(), z.record(z.string(), z.boolean())), {}),
  /** What was typed or ticked in open forms and not sent, by the form's key; the latest last. */
  forms: z.catch(z.record(z.string(), z.array(z.string())), {}),
  /** The messages that the host has not said to have on its disk, oldest first. */
  outbox: z.catch(z.array(outgoingSchema), []),
});

/** A message on its way to the host, which is drawn as if it were there. */
export type OutgoingMessage = z.infer<typeof outgoingSchema>;

/** What the panel keeps while it is hidden. */
export type SavedState = z.infer<typeof savedStateSchema>;

const NOTHING_SAVED: SavedState = {
  chatId: null,
  draft: "",
  attached: [],
  place: null,
  folds: {},
  forms: {},
  outbox: [],
};

/** Forms whose content is kept. */
const MAX_FORMS = 20;

/** The connection to the host: `acquireVsCodeApi` in VS Code, a recorder in tests. */
export interface HostConnection {
  postMessage(message: unknown): void;
  getState(): unknown;
  setState(state: SavedState): unknown;
}

/** What follows from the host's messages. */
export interface StoreListener {
  /** A snapshot replaced the chat. */
  reset(): void;
  status(status: PanelStatus): void;
  /** A message was sent, or the host settled one. */
  outgoing(): void;
  /** Called once a frame, with all changes since the last one. */
  frame(changes: FrameChanges): void;
  focusComposer(): void;
  /** Puts a text into the composer, and attaches what was attached to it. */
  compose(text: string, attached: readonly AttachmentRef[]): void;
  /** Opens the search in the chat with words. */
  find(text: string): void;
  /** Tells the composer of attachments and lists. */
  context(message: ContextMessage): void;
  voice(message: VoiceMessage): void;
  /** What belongs to a request to several models. */
  candidates(message: CandidateMessage): void;
}

/** What the panel knows. Messages change it at once; the page is drawn once a frame. */
export class PanelStore {
  private readonly host: HostConnection;
  private listener: StoreListener | null = null;
  private changes = unchangedFrame();
  private frameAsked = false;
  private saved: SavedState;
  private readonly isTab: boolean;
  private readonly schedule: (task: () => void) => void;
  private chat: string | null = null;
  /**
   * True from New Chat until the host shows that chat: what comes until then is about the one
   * before.
   */
  private leading = false;
  private shown: TurnTree = emptyTree();
  private latestStatus: PanelStatus | null = null;
  private latestAgentTurn = "";
  /** Chosen here, and not yet on record. */
  private chosenMode: ChatMode | null = null;

  /** `schedule` runs a task with the next frame. A tab keeps its chat: others open in the side bar. */
  constructor(host: HostConnection, schedule: (task: () => void) => void, isTab = false) {
    this.isTab = isTab;
    this.host = host;
    this.schedule = schedule;
    const saved = savedStateSchema.safeParse(host.getState());
    this.saved = saved.success ? saved.data : NOTHING_SAVED;
  }

  /** The shown chat; null before the host has told it. */
  get chatId(): string | null {
    return this.chat;
  }

  /** The messages of the shown chat that are on their way to the host. */
  get outgoing(): readonly OutgoingMessage[] {
    return this.saved.outbox.filter(
      ({ id, chatId }) => chatId === this.chat && !this.shown.messages.has(id),
    );
  }

  /** True for a message of which the host has not said that it is stored. */
  isSending(id: string): boolean {
    return this.saved.outbox.some((message) => message.id === id);
  }

  get tree(): TurnTree {
    return this.shown;
  }

  /** The running turn, on any branch, or null. */
  get running(): AgentTurn | null {
    const turn = this.shown.turns.get(this.latestAgentTurn);
    return turn?.role === "agent" && turn.endReason === null ? turn : null;
  }

  /** Null until the host has sent it. */
  get status(): PanelStatus | null {
    return this.latestStatus;
  }

  /** How the next message of the shown chat is answered. */
  get mode(): ChatMode {
    return this.chosenMode ?? this.shown.mode ?? this.latestStatus?.mode ?? DEFAULT_MODE;
  }

  /** Chooses {@link mode}; messages carry it, so it counts also where the host hears of it late. */
  setMode(mode: ChatMode): void {
    if (this.chat === null) return;
    this.chosenMode = mode;
    this.post({ type: "set-mode", mode });
  }

  get savedState(): SavedState {
    return this.saved;
  }

  /** Sends what happens to `listener` from now on, and asks the host for all of its chat. */
  start(listener: StoreListener): void {
    this.listener = listener;
    this.post({ type: "ready" });
  }

  /** Asks the host to do something in the shown chat. */
  post(message: PanelAction): void {
    this.host.postMessage({ ...(this.chat !== null && { chatId: this.chat }), ...message });
  }

  /**
   * Sends a message, by default to the shown chat. It is in {@link outgoing} until the host has
   * settled it.
   */
  send(text: string, attached: readonly AttachmentRef[] = [], to: string | null = this.chat): void {
    if (to === null) return;
    const queued = this.latestStatus?.busy ?? false;
    const message = {
      id: newId("message"),
      chatId: to,
      text,
      attached: [...attached],
      queued,
      ...(this.mode !== DEFAULT_MODE && { mode: this.mode }),
    };
    this.save({ outbox: [...this.saved.outbox, message] });
    this.postMessage(message);
    this.listener?.outgoing();
  }

  /** Shows a new chat at once, and the host follows. Gives its id; the shown one's where empty. */
  newChat(): string | undefined {
    if (this.chat === null || (this.shown.turns.size === 0 && this.outgoing.length === 0))
      return this.chat ?? undefined;
    const chatId = newId("chat");
    if (!this.isTab) {
      this.chat = chatId;
      this.leading = true;
      this.clear();
    }
    this.post({ type: "new-chat", chatId });
    if (this.isTab) return chatId;
    if (this.latestStatus) this.setStatus(this.latestStatus);
    this.listener?.reset();
    return chatId;
  }

  save(change: Partial<SavedState>): void {
    this.saved = { ...this.saved, ...change };
    this.host.setState(this.saved);
  }

  /** Keeps what a form holds; null once it is sent or closed. */
  keepForm(key: string, values: readonly string[] | null): void {
    const { [key]: _, ...others } = this.saved.forms;
    if (values === null) this.save({ forms: others });
    else
      this.save({
        forms: {
          ...Object.fromEntries(Object.entries(others).slice(1 - MAX_FORMS)),
          [key]: [...values],
        },
      });
  }

  /** Handles a message of the host. An invalid one is logged to the console and ignored. */
  receive(data: unknown): void {
    const parsed = hostMessageSchema.safeParse(data);
    if (parsed.success) this.handle(parsed.data);
    else console.error("Graft: invalid message from the host.", parsed.error.issues);
  }

  private handle(message: HostMessage): void {
    switch (message.type) {
      case "snapshot":
        if (this.leading && message.chatId !== this.chat) return;
        this.leading = false;
        this.chat = message.chatId;
        if (this.saved.chatId !== this.chat) this.save({ chatId: this.chat });
        this.clear();
        for (const event of message.events) {
          applyTurnEvent(this.shown, event);
          this.noteStart(event);
        }
        this.setStatus(message.status);
        this.listener?.reset();
        this.askAgain();
        return;
      case "events":
        this.take(message);
        return;
      case "settled":
        this.settle(message.id, message.refused);
        return;
      case "ping":
        if (message.chatId === this.chat && message.lastSeq === this.shown.lastSeq)
          this.post({ type: "alive" });
        else if (this.leading && this.chat !== null)
          this.post({ type: "new-chat", chatId: this.chat });
        else this.post({ type: "ready" });
        return;
      case "status":
        // What the user sends before a chat is shown waits for the status that comes with it.
        if (this.chat !== null) this.setStatus(message.status);
        return;
      case "focus-composer":
        this.listener?.focusComposer();
        return;
      case "find":
        this.listener?.find(message.text);
        return;
      case "compose":
        this.listener?.compose(message.text, message.attached ?? []);
        return;
      case "attach":
      case "measured":
      case "scale-image":
      case "suggestions":
      case "active-file":
        this.listener?.context(message);
        return;
      case "draft-to-models":
      case "draft-sent":
      case "compared":
      case "combined":
        this.listener?.candidates(message);
        return;
      case "voice":
      case "voice-level":
        this.listener?.voice(message);
        return;
    }
  }

  private take({ chatId, after, events }: HostMessage & { readonly type: "events" }): void {
    if (this.leading) return;
    // It does not follow on what is here: ask the host for all of its chat.
    if (chatId !== this.chat || after > this.shown.lastSeq) {
      this.post({ type: "ready" });
      return;
    }
    for (const event of events) {
      applyAndNote(this.shown, event, this.changes);
      this.noteStart(event);
    }
    this.askFrame();
  }

  private clear(): void {
    this.shown = emptyTree();
    this.changes = unchangedFrame();
    this.latestAgentTurn = "";
    this.chosenMode = null;
  }

  private postMessage({ id, chatId, text, attached, mode }: OutgoingMessage, again = false): void {
    this.post({
      type: "send",
      chatId,
      id,
      text,
      ...(attached.length > 0 && { attached: [...attached] }),
      ...(mode !== undefined && { mode }),
      ...(again && { again: true as const }),
    });
  }

  /**
   * After a reload, and where an answer may have been lost: the host says of each whether it has it,
   * and sends nothing unasked.
   */
  private askAgain(): void {
    for (const message of this.saved.outbox) this.postMessage(message, true);
  }

  private settle(id: string, refused: boolean): void {
    const message = this.saved.outbox.find((each) => each.id === id);
    if (!message) return;
    this.save({ outbox: this.saved.outbox.filter((each) => each !== message) });
    if (refused) this.listener?.compose(message.text, message.attached);
    this.listener?.outgoing();
  }

  private noteStart(event: TurnEvent): void {
    if (event.type === "turn-start" && event.role === "agent" && !event.within)
      this.latestAgentTurn = event.turnId;
    if (event.type === "chat-mode" && event.mode === this.chosenMode) this.chosenMode = null;
  }

  private setStatus(status: PanelStatus): void {
    // Nothing runs in a chat that the host does not show yet.
    this.latestStatus = this.leading ? { ...status, busy: false } : status;
    this.listener?.status(this.latestStatus);
  }

  private askFrame(): void {
    if (this.frameAsked) return;
    this.frameAsked = true;
    this.schedule(() => {
      this.frameAsked = false;
      const changes = this.changes;
      this.changes = unchangedFrame();
      try {
        this.listener?.frame(changes);
      } finally {
        // Without it nothing more would come.
        this.post({ type: "drawn", seq: this.shown.lastSeq });
      }
    });
  }
}
