import type { Disposable } from "../base/disposable.ts";
import type { ToolContext } from "./tool.ts";

/** How often progress is shown at most, in milliseconds, and how much of the output, in UTF-16 units. */
const INTERVAL_MS = 200;
const SHOWN = 2_000;

/** Shows the user the end of a running tool's output. */
export interface ToolProgress extends Disposable {
  /** Adds output; the cost does not depend on what came before. */
  push(text: string): void;
}

/** Progress of one call: emits `tool-progress` at once and then at most five times a second, until disposed of. */
export function createToolProgress({ emit, callId }: Pick<ToolContext, "emit" | "callId">): ToolProgress {
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
      tail = (tail + text.slice(-SHOWN)).slice(-SHOWN);
      changed = true;
      if (timer === null) show();
    },
    dispose() {
      over = true;
      if (timer !== null) clearTimeout(timer);
    },
  };
}
