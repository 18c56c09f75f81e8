import type { Disposable } from "../src/base/disposable.ts";
import { Emitter } from "../src/base/emitter.ts";
import { type HostMessage, hostMessageSchema, type PanelMessage, type PanelStatus } from "../src/protocol/messages.ts";
import type { AgentTurn, TurnTree } from "../src/turns/turn.ts";
import type { TurnEvent } from "../src/turns/turnEvent.ts";
import { applyTurnEvent, emptyTree } from "../src/turns/turnReducer.ts";
import { parseSavedState, type SavedState } from "./savedState.ts";
import { applyAndNote, type FrameChanges, noChanges } from "./turnChanges.ts";

/** The one door between the panel and the host: `acquireVsCodeApi` in the editor, a recorder in tests. */
export interface HostDoor {
  postMessage(message: unknown): void;
  getState(): unknown;
  setState(state: SavedState): unknown;
}

/** What the panel knows. Messages change it at once; drawing is asked for once a frame. */
export class PanelStore {
  private readonly door: HostDoor;
  private readonly drawn = new Emitter<FrameChanges>();
  private readonly wasReset = new Emitter<void>();
  private readonly statusChanged = new Emitter<PanelStatus>();
  private readonly focusAsked = new Emitter<void>();
  private readonly composed = new Emitter<string>();
  private changes = noChanges();
  private frameAsked = false;
  private saved: SavedState;
  private chat: string | null = null;
  private shown: TurnTree = emptyTree();
  private latestStatus: PanelStatus | null = null;
  private latestAgentTurn = "";

  constructor(door: HostDoor) {
    this.door = door;
    this.saved = parseSavedState(door.getState());
  }

  get tree(): TurnTree {
    return this.shown;
  }

  /** The turn that runs, on whichever branch, else null. */
  get running(): AgentTurn | null {
    const turn = this.shown.turns.get(this.latestAgentTurn);
    return turn?.role === "agent" && turn.endReason === null ? turn : null;
  }

  /** Null until the host has spoken. */
  get status(): PanelStatus | null {
    return this.latestStatus;
  }

  get savedState(): SavedState {
    return this.saved;
  }

  /** Called once a frame, with everything that changed since. */
  onFrame(listener: (changes: FrameChanges) => void): Disposable {
    return this.drawn.on(listener);
  }

  /** Called when the chat was replaced by another, or by the same from its beginning. */
  onReset(listener: () => void): Disposable {
    return this.wasReset.on(listener);
  }

  onStatus(listener: (status: PanelStatus) => void): Disposable {
    return this.statusChanged.on(listener);
  }

  onFocusComposer(listener: () => void): Disposable {
    return this.focusAsked.on(listener);
  }

  /** Called with a text that the user is to write on with. */
  onCompose(listener: (text: string) => void): Disposable {
    return this.composed.on(listener);
  }

  /** Tells the host that the panel is there and what it has. */
  ready(): void {
    this.post({ type: "ready", chatId: this.chat, lastSeq: this.shown.lastSeq });
  }

  post(message: PanelMessage): void {
    this.door.postMessage(message);
  }

  save(change: Partial<SavedState>): void {
    this.saved = { ...this.saved, ...change };
    this.door.setState(this.saved);
  }

  /** Takes a message as it came; one that is not of the protocol is reported to the console and changes nothing. */
  receive(data: unknown): void {
    const parsed = hostMessageSchema.safeParse(data);
    if (parsed.success) this.take(parsed.data);
    else console.error("Graft: a message from the host was not understood.", parsed.error.issues);
  }

  private take(message: HostMessage): void {
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
        this.wasReset.fire();
        return;
      case "events":
        // Events of a chat the panel does not have: the host is asked for that chat from its beginning.
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
        this.focusAsked.fire();
        return;
      case "compose":
        this.composed.fire(message.text);
        return;
    }
  }

  private noteStart(event: TurnEvent): void {
    if (event.type === "turn-start" && event.role === "agent") this.latestAgentTurn = event.turnId;
  }

  private setStatus(status: PanelStatus): void {
    this.latestStatus = status;
    this.statusChanged.fire(status);
  }

  private askFrame(): void {
    if (this.frameAsked) return;
    this.frameAsked = true;
    requestAnimationFrame(() => {
      this.frameAsked = false;
      const changes = this.changes;
      this.changes = noChanges();
      this.drawn.fire(changes);
    });
  }
}
