import type { OpenChatState, PanelAction } from "../src/protocol/messages.ts";
import type { AttachmentRef } from "../src/turns/attachment.ts";
import type { ChatMode } from "../src/turns/plan/chatMode.ts";
import type { AgentTurn } from "../src/turns/turn.ts";
import type { DrawDiagram } from "./markdown/diagramDrawer.ts";

/** What every view can do beyond its own element. */
export interface PanelContext {
  post(message: PanelAction): void;
  /** Sends a message to a chat, by default the shown one. */
  send(text: string, attached?: readonly AttachmentRef[], chatId?: string): void;
  /** Shows a new chat, in a tab beside it; gives its id, or the shown one's where that is empty. */
  newChat(): string | undefined;
  /** Chooses how later messages of the shown chat are answered. */
  setMode(mode: ChatMode): void;
  /** True while a turn runs. */
  busy(): boolean;
  /** True while a file's diff lags behind its proposal. */
  isBehind(path: string): boolean;
  /** True for a pending protected file, which is only accepted by itself. */
  isProtected(path: string): boolean;
  /** What the user asked on the shown branch, in order. */
  requests(): readonly string[];
  /** The turn of this id, where an agent answers in it; null for none. */
  agentTurn(turnId: string): AgentTurn | null;
  /** What another open chat of the window does; null for one that is idle or not open. */
  chatState(chatId: string): OpenChatState["state"] | null;
  /** The answers of the whole chat, on all branches. */
  answers(): readonly AgentTurn[];
  /** What a form held when the panel was last shown; null for one that was not open. */
  formKept(key: string): readonly string[] | null;
  /** Keeps what a form holds over reloads; null once it is sent or closed. */
  keepForm(key: string, values: readonly string[] | null): void;
  /** Shows at the composer why something was not done. */
  explain(sentence: string): void;
  /** Announces a sentence to screen readers, politely. */
  announce(text: string): void;
  /** Highlights a closed code block in idle time. */
  highlight(code: HTMLElement, language: string): void;
  /** Draws a formula, given as its source, in idle time. */
  readonly typeset: (formula: HTMLElement) => void;
  readonly drawDiagram: DrawDiagram;
}
