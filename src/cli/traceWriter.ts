import type { Writable } from "node:stream";
import { errorCode } from "../node/files/systemError.ts";
import type { TurnEvent } from "../turns/turnEvent.ts";

/** Writes a trace, one JSON object per line. */
interface TraceWriter {
  write(event: TurnEvent): void;
  /** Settles when everything written so far has left the process, or its reader is gone. */
  flush(): Promise<void>;
}

/** Writes to `stream`. Calls `onClosed` once when its reader is gone, and then stops writing. */
export function createTraceWriter(stream: Writable, onClosed: () => void): TraceWriter {
  let open = true;
  stream.on("error", (error) => {
    if (!open) return;
    open = false;
    if (errorCode(error) !== "EPIPE") process.emitWarning(`The trace could not be written: ${error.message}`);
    onClosed();
  });
  return {
    write(event) {
      if (open) stream.write(`${JSON.stringify(event)}\n`);
    },
    flush: () => new Promise((resolve) => (open ? stream.write("", () => resolve()) : resolve())),
  };
}
