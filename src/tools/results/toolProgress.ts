import type { Disposable } from "../../base/disposable.ts";
import { lastPart } from "../../base/text/clip.ts";
import type { ToolContext } from "../tool.ts";

/**
 * The shortest time between two updates, in milliseconds, and the most output shown, in UTF-16
 * units.
 */
const INTERVAL_MS = 200;
const SHOWN = 2_000;

/** Shows the user the last output of a running tool. */
export interface ToolProgress extends Disposable {
  /** Adds output. */
  push(text: string): void;
}

/**
 * The progress of one call: emits `tool-progress` at once, then at most five times a second until
 * disposed.
 */
export function createToolProgress({
  emit,
  callId,
}: Pick<ToolContext, "emit" | "callId">): ToolProgress {
  let tail = "";
  let timer: ReturnType<typeof setTimeout> | null = null;
  let changed = false;
  const show = () => {
    timer = null;
    if (!changed) return;
    changed = false;
    emit({ type: "tool-progress", callId, text: tail });
    timer = setTimeout(show, INTERVAL_MS);
  };
  let over = false;
  return {
    push(text) {
      if (over || text === "") return;
      tail = lastPart(tail + text.slice(-SHOWN), SHOWN);
      changed = true;
      if (timer === null) show();
    },
    dispose() {
      over = true;
      if (timer !== null) clearTimeout(timer);
    },
  };
}
