import type { PanelMessage } from "../src/protocol/messages.ts";

/** What every view can do beyond its own element. */
export interface PanelContext {
  post(message: PanelMessage): void;
  /** True while a turn runs. */
  busy(): boolean;
  /** True while a file's diff lags behind its proposal. */
  isBehind(path: string): boolean;
  /** How many hunks of its file's proposal a block became, where they are several; else 1. */
  hunksOf(turnId: string, blockId: string): number;
  /** Shows at the composer why something was not done. */
  explain(sentence: string): void;
  /** Announces a sentence to screen readers, politely. */
  announce(text: string): void;
  /** Highlights a closed code block in idle time. */
  highlight(code: HTMLElement, language: string): void;
}
