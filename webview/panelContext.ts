import type { PanelMessage } from "../src/protocol/messages.ts";

/** What every view may do beyond its own element. */
export interface PanelContext {
  post(message: PanelMessage): void;
  /** True while a turn runs. */
  busy(): boolean;
  /** True while a file's diff has fallen behind its proposal. */
  isBehind(path: string): boolean;
  /** Says at the composer why something was not done. */
  explain(sentence: string): void;
  /** Says a sentence to screen readers, politely. */
  announce(text: string): void;
  /** Colours a closed code block when there is time. */
  highlight(code: HTMLElement, language: string): void;
}

/** Why a request is not made while another one is being answered. */
export const STILL_ANSWERING = "Graft is still answering. Stop it first, or wait until it is done.";
