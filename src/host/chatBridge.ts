import type { Disposable } from "../base/disposable.ts";
import type { HostMessage, PanelStatus } from "../protocol/messages.ts";
import { mergeTurnEvent } from "../turns/mergeTurnEvent.ts";
import type { TurnEvent } from "../turns/turnEvent.ts";

/** The chat as the bridge sees it. */
export interface ChatSource {
  readonly chatId: string;
  /** Everything so far, for a snapshot. */
  events(): readonly TurnEvent[];
  onEvent(listener: (event: TurnEvent) => void): Disposable;
}

/** The panel's end: takes a message and does not say when, or whether, it arrived. */
export type PostToPanel = (message: HostMessage) => void;

/** Runs `task` once, a frame from now, unless the returned value is disposed of first. */
export type FrameScheduler = (task: () => void) => Disposable;

/** The length of a frame in milliseconds. */
const FRAME_MS = 16;

/** Frames by the clock. */
const clockFrames: FrameScheduler = (task) => {
  const timer = setTimeout(task, FRAME_MS);
  return { dispose: () => clearTimeout(timer) };
};

/**
 * Carries a chat's events to the panel: those of one frame in one message, at most one message a frame while a chat streams, and
 * nothing while no panel is there. A panel that comes (back) says what it has and gets what it lacks.
 */
export class ChatBridge implements Disposable {
  private readonly schedule: FrameScheduler;
  private chat: ChatSource;
  private status: PanelStatus;
  private listening: Disposable;
  private post: PostToPanel | null = null;
  /** True from the panel's `ready` on until it is hidden. */
  private live = false;
  private queue: TurnEvent[] = [];
  /** The last event the panel was sent; null when it must be given everything. */
  private sentSeq: number | null = null;
  private statusChanged = false;
  private focusWanted = false;
  private frame: Disposable | null = null;

  constructor(chat: ChatSource, status: PanelStatus, schedule: FrameScheduler = clockFrames) {
    this.schedule = schedule;
    this.chat = chat;
    this.status = status;
    this.listening = chat.onEvent((event) => this.take(event));
  }

  /** The panel is about to load; it will say `ready`. Messages go to `post` from then on. */
  connect(post: PostToPanel): void {
    this.post = post;
    this.live = false;
    this.sentSeq = null;
  }

  /** The panel is hidden, which destroys its document: nothing is sent until the next `ready`. */
  pause(): void {
    this.live = false;
    this.cancelFrame();
  }

  /** The panel is there with the events of `chatId` up to `lastSeq`. It gets the missing ones where they are at hand, else everything. */
  ready(chatId: string | null, lastSeq: number): void {
    this.live = true;
    const continues = chatId === this.chat.chatId && lastSeq > 0 && lastSeq === this.sentSeq;
    this.cancelFrame();
    if (continues) {
      this.statusChanged = true;
      this.flush();
    } else {
      this.sendSnapshot();
    }
    if (this.focusWanted) this.focusComposer();
  }

  /** Shows another chat from its beginning. */
  show(chat: ChatSource): void {
    this.listening.dispose();
    this.chat = chat;
    this.queue = [];
    this.sentSeq = null;
    this.listening = chat.onEvent((event) => this.take(event));
    if (this.live) {
      this.cancelFrame();
      this.sendSnapshot();
    }
  }

  /** Shows a changed status with the next frame. */
  setStatus(status: PanelStatus): void {
    this.status = status;
    this.statusChanged = true;
    this.wantFrame();
  }

  /** Puts the cursor into the composer, now or as soon as the panel is there. */
  focusComposer(): void {
    this.focusWanted = !this.live;
    if (this.live) this.post?.({ type: "focus-composer" });
  }

  /** Gives the user a text to write on with. */
  compose(text: string): void {
    this.post?.({ type: "compose", text });
  }

  dispose(): void {
    this.listening.dispose();
    this.cancelFrame();
    this.post = null;
    this.live = false;
  }

  private take(event: TurnEvent): void {
    // What a hidden panel missed it gets as a snapshot; keeping it here as well would only cost memory.
    if (!this.live) {
      this.sentSeq = null;
      return;
    }
    mergeTurnEvent(this.queue, forPanel(event));
    this.wantFrame();
  }

  private wantFrame(): void {
    if (!this.live || this.frame) return;
    this.frame = this.schedule(() => {
      this.frame = null;
      this.flush();
    });
  }

  private flush(): void {
    const last = this.queue.at(-1);
    if (last) {
      this.post?.({ type: "events", chatId: this.chat.chatId, events: this.queue });
      this.queue = [];
      this.sentSeq = last.seq;
      if (this.statusChanged) this.wantFrame();
    } else if (this.statusChanged) {
      this.statusChanged = false;
      this.post?.({ type: "status", status: this.status });
    }
  }

  private sendSnapshot(): void {
    const events = this.chat.events().map(forPanel);
    this.queue = [];
    this.statusChanged = false;
    this.sentSeq = events.at(-1)?.seq ?? 0;
    this.post?.({ type: "snapshot", chatId: this.chat.chatId, events, status: this.status });
  }

  private cancelFrame(): void {
    this.frame?.dispose();
    this.frame = null;
  }
}

/** What a provider wants back is of no use in the panel, and may be large. */
function forPanel(event: TurnEvent): TurnEvent {
  return event.type === "provider-data" ? { ...event, message: {}, calls: {} } : event;
}
