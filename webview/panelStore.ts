import * as z from "zod/mini";
import { type HostMessage, hostMessageSchema, type PanelMessage, type PanelStatus } from "../src/protocol/messages.ts";
import type { AgentTurn, TurnTree } from "../src/turns/turn.ts";
import type { TurnEvent } from "../src/turns/turnEvent.ts";
import { applyTurnEvent, emptyTree } from "../src/turns/turnReducer.ts";
import { applyAndNote, type FrameChanges, noChanges } from "./turnChanges.ts";

const savedStateSchema = z.object({
  /** What the user typed and did not send. */
  draft: z.string(),
  /** Distance from the top in pixels, or null when the end was in view. */
  scrollTop: z.nullable(z.number()),
});

/** What the panel keeps while it is hidden. */
export type SavedState = z.infer<typeof savedStateSchema>;

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
  /** Called once a frame, with all changes since the last one. */
  frame(changes: FrameChanges): void;
  focusComposer(): void;
  /** Puts a text into the composer. */
  compose(text: string): void;
}

/** What the panel knows. Messages change it at once; the page is drawn once a frame. */
export class PanelStore {
  private readonly host: HostConnection;
  private listener: StoreListener | null = null;
  private changes = noChanges();
  private frameAsked = false;
  private saved: SavedState;
  private chat: string | null = null;
  private shown: TurnTree = emptyTree();
  private latestStatus: PanelStatus | null = null;
  private latestAgentTurn = "";

  constructor(host: HostConnection) {
    this.host = host;
    const saved = savedStateSchema.safeParse(host.getState());
    this.saved = saved.success ? saved.data : { draft: "", scrollTop: null };
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

  get savedState(): SavedState {
    return this.saved;
  }

  /** Sends what happens to `listener` from now on, and tells the host that the panel is ready and which events it has. */
  start(listener: StoreListener): void {
    this.listener = listener;
    this.post({ type: "ready", chatId: this.chat, lastSeq: this.shown.lastSeq });
  }

  post(message: PanelMessage): void {
    this.host.postMessage(message);
  }

  save(change: Partial<SavedState>): void {
    this.saved = { ...this.saved, ...change };
    this.host.setState(this.saved);
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
        this.chat = message.chatId;
        this.shown = emptyTree();
        this.changes = noChanges();
        for (const event of message.events) {
          applyTurnEvent(this.shown, event);
          this.noteStart(event);
        }
        this.setStatus(message.status);
        this.listener?.reset();
        return;
      case "events":
        // Events of another chat: ask the host for all of that chat.
        if (message.chatId !== this.chat) this.post({ type: "ready", chatId: null, lastSeq: 0 });
        else
          for (const event of message.events) {
            applyAndNote(this.shown, event, this.changes);
            this.noteStart(event);
          }
        this.askFrame();
        return;
      case "status":
        this.setStatus(message.status);
        return;
      case "focus-composer":
        this.listener?.focusComposer();
        return;
      case "compose":
        this.listener?.compose(message.text);
        return;
    }
  }

  private noteStart(event: TurnEvent): void {
    if (event.type === "turn-start" && event.role === "agent") this.latestAgentTurn = event.turnId;
  }

  private setStatus(status: PanelStatus): void {
    this.latestStatus = status;
    this.listener?.status(status);
  }

  private askFrame(): void {
    if (this.frameAsked) return;
    this.frameAsked = true;
    requestAnimationFrame(() => {
      this.frameAsked = false;
      const changes = this.changes;
      this.changes = noChanges();
      this.listener?.frame(changes);
    });
  }
}
