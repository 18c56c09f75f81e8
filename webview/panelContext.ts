import type { PanelMessage } from "../src/protocol/messages.ts";

/** What every view may do beyond its own element. */
export interface PanelContext {
  post(message: PanelMessage): void;
  /** True while a turn runs. */
  busy(): boolean;
  /** Says a sentence to screen readers, politely. */
  announce(text: string): void;
  /** Colours a closed code block when there is time. */
  highlight(code: HTMLElement, language: string): void;
}
