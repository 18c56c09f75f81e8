import type { Disposable } from "../../base/disposable.ts";
import type {
  CandidateMessage,
  ComposeMessage,
  ContextMessage,
  FindMessage,
  HostMessage,
  PanelStatus,
  VoiceMessage,
} from "../../protocol/messages.ts";
import type { AttachmentRef } from "../../turns/attachment.ts";
import { mergeTurnEvent } from "../../turns/mergeTurnEvent.ts";
import type { TurnEvent } from "../../turns/turnEvent.ts";

/** The part of a chat that the bridge needs. */
export interface ChatSource {
  readonly chatId: string;
  /** All events so far, for a snapshot. */
  events(): readonly TurnEvent[];
  onEvent(listener: (event: TurnEvent) => void): Disposable;
}

/** A panel that is loading gets these once it is ready. */
const KEPT_UNTIL_READY: ReadonlySet<HostMessage["type"]> = new Set([
  ...(["attach", "scale-image", "compose", "draft-to-models", "draft-sent"] as const),
]);

/** Sends a message to the panel without waiting for it. */
export type PostToPanel = (message: HostMessage) => void;

/** Runs `task` once in the next frame, unless the result is disposed of first. */
export type FrameScheduler = (task: () => void) => Disposable;

const nextFrame: FrameScheduler = (task) => {
  const timer = setTimeout(task, 16);
  return { dispose: () => clearTimeout(timer) };
};

/**
 * Sends a chat's events to the panel, at most one message per frame, and the next one once that is
 * drawn: what a click answers never waits behind a backlog. A new or re-created panel says
 * `ready` and gets a snapshot.
 */
export class ChatBridge implements Disposable {
  private readonly schedule: FrameScheduler;
  private chat: ChatSource;
  private status: PanelStatus;
  private listening: Disposable;
  private post: PostToPanel | null = null;
  /** Whether the panel is ready and visible. */
  private live = false;
  /** True once a panel has said `ready`: what comes before is from one of an ended host. */
  isKnown = false;
  private queue: TurnEvent[] = [];
  /** The sequence number of the last event sent to the panel. */
  private sentSeq = 0;
  /** Events are on their way: a slow panel gets the next ones once it has drawn these. */
  private drawing = false;
  private statusChanged = false;
  private focusWanted = false;
  private waiting: readonly HostMessage[] = [];
  private frame: Disposable | null = null;

  constructor(chat: ChatSource, status: PanelStatus, schedule: FrameScheduler = nextFrame) {
    this.schedule = schedule;
    this.chat = chat;
    this.status = status;
    this.listening = chat.onEvent((event) => this.takeEvent(event));
  }

  /** Connects a panel that is loading and will say `ready`. From now on, messages go to `post`. */
  connect(post: PostToPanel): void {
    this.post = post;
    this.live = false;
  }

  /** The panel is hidden. Sends nothing until the next `ready`. */
  pause(): void {
    this.live = false;
    this.cancelFrame();
  }

  /** Sends a snapshot, because the panel is new or missed something. */
  ready(): void {
    this.live = true;
    this.isKnown = true;
    this.cancelFrame();
    this.sendSnapshot();
    for (const message of this.waiting) this.post?.(message);
    this.waiting = [];
    if (this.focusWanted) this.focusComposer();
  }

  /** Switches to another chat; without its status, to an idle one. */
  show(chat: ChatSource, status: PanelStatus = { ...this.status, busy: false }): void {
    this.listening.dispose();
    this.chat = chat;
    this.status = status;
    this.queue = [];
    this.listening = chat.onEvent((event) => this.takeEvent(event));
    if (this.live) {
      this.cancelFrame();
      this.sendSnapshot();
    }
  }

  /** Sends a changed status with the next frame. */
  setStatus(status: PanelStatus): void {
    this.status = status;
    this.statusChanged = true;
    this.wantFrame();
  }

  /** Shows an empty chat until `show` is called, because opening a chat may take a while. */
  showNew(chatId: string): void {
    this.show({ chatId, events: () => [], onEvent: () => ({ dispose() {} }) });
  }

  /** Tells the panel that the host has handled a message. Sent after the events so far. */
  settled(id: string, refused: boolean): void {
    if (!this.live) return;
    this.flushEvents();
    this.post?.({ type: "settled", id, refused });
  }

  /** The panel has drawn the events up to `seq`. */
  drawn(seq: number): void {
    if (seq < this.sentSeq) return;
    this.drawing = false;
    if (this.queue.length > 0 || this.statusChanged) this.wantFrame();
  }

  /** Asks the panel whether it is alive and up to date. */
  ping(): void {
    if (this.live) this.post?.({ type: "ping", chatId: this.chat.chatId, lastSeq: this.sentSeq });
  }

  /** Focuses the composer, now or when the panel is ready. */
  focusComposer(): void {
    this.focusWanted = !this.live;
    if (this.live) this.post?.({ type: "focus-composer" });
  }

  /** Puts a text into the composer. */
  compose(text: string, attached: readonly AttachmentRef[] = []): void {
    this.post?.({ type: "compose", text, ...(attached.length > 0 && { attached: [...attached] }) });
  }

  /** Sends a message to the composer, now or when the panel is ready. */
  context(message: ContextMessage | VoiceMessage | ComposeMessage | CandidateMessage): void {
    if (this.live) this.post?.(message);
    else if (KEPT_UNTIL_READY.has(message.type)) this.waiting = [...this.waiting, message];
  }

  /** Searches the chat for words, now or when the panel is ready. */
  find(text: string): void {
    const message: FindMessage = { type: "find", text };
    if (this.live) this.post?.(message);
    else this.waiting = [...this.waiting.filter(({ type }) => type !== "find"), message];
  }

  dispose(): void {
    this.listening.dispose();
    this.cancelFrame();
    this.post = null;
    this.live = false;
  }

  private takeEvent(event: TurnEvent): void {
    // A hidden panel gets a snapshot later.
    if (!this.live) return;
    mergeTurnEvent(this.queue, forPanel(event));
    this.wantFrame();
  }

  private wantFrame(): void {
    if (!this.live || this.frame || this.drawing) return;
    this.frame = this.schedule(() => {
      this.frame = null;
      this.flush();
    });
  }

  private flush(): void {
    this.flushEvents();
    if (!this.statusChanged) return;
    // Not in a frame of its own: while an answer streams, each has events.
    this.statusChanged = false;
    this.post?.({ type: "status", status: this.status });
  }

  private flushEvents(): void {
    const { queue: events, sentSeq: after } = this;
    const last = events.at(-1);
    if (!last) return;
    this.queue = [];
    this.sentSeq = last.seq;
    this.drawing = true;
    this.post?.({ type: "events", chatId: this.chat.chatId, after, events });
  }

  private sendSnapshot(): void {
    const events = this.chat.events().map(forPanel);
    this.queue = [];
    this.statusChanged = false;
    this.drawing = false;
    this.sentSeq = events.at(-1)?.seq ?? 0;
    this.post?.({ type: "snapshot", chatId: this.chat.chatId, events, status: this.status });
  }

  private cancelFrame(): void {
    this.frame?.dispose();
    this.frame = null;
  }
}

/**
 * Drops the provider's opaque data and the texts of candidates' files, which may be large and are of
 * no use to the panel.
 */
function forPanel(event: TurnEvent): TurnEvent {
  if (event.type === "candidate-end")
    return { ...event, files: event.files.map(({ path }) => ({ path, base: null, text: null })) };
  return event.type === "provider-data" ? { ...event, message: {}, calls: {} } : event;
}
