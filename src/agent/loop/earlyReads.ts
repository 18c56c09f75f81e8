import { Semaphore } from "../../base/semaphore.ts";
import type { ToolCall } from "../../model/message.ts";
import type { ToolContext } from "../../tools/tool.ts";
import type { ToolRouter } from "../../tools/toolRouter.ts";
import { runToolCall } from "./runToolCalls.ts";

/** Reads that run at once. */
const MAX_CONCURRENT = 8;

/**
 * The calls of one message that run while the rest still streams: reads that need no approval, as long as the message has called
 * nothing else. Each result is recorded as soon as it is there.
 */
export class EarlyReads {
  /** Shared with the reads that run once the message is over. */
  readonly slots = new Semaphore(MAX_CONCURRENT);
  private readonly router: ToolRouter;
  private readonly context: Omit<ToolContext, "callId">;
  private readonly mayStart: (call: ToolCall) => boolean;
  private readonly outputs = new Map<string, Promise<string>>();
  private readonly running = new Set<string>();
  /** Calls that may have side effects. */
  private readonly unsure = new Set<string>();

  /** Calls `mayStart` once for each read, when its arguments are complete. */
  constructor(router: ToolRouter, context: Omit<ToolContext, "callId">, mayStart: (call: ToolCall) => boolean) {
    this.router = router;
    this.context = context;
    this.mayStart = mayStart;
  }

  /** The message begins to call a tool. */
  callBegan(callId: string, name: string): void {
    if (this.router.effectOf(name) !== "read") this.unsure.add(callId);
  }

  /** The arguments of a call are complete; `more` says that the answer continues after it. */
  callEnded(call: ToolCall, more: boolean): void {
    const { callId, name, argsText } = call;
    if (this.unsure.has(callId) && this.router.effectOf(name, argsText) === "read") this.unsure.delete(callId);
    if (!this.router.onlyLooks(name, argsText) || !this.mayStart(call) || !more) return;
    if (this.unsure.size === 0 && this.slots.tryTake()) this.outputs.set(callId, this.run(call));
  }

  /** The output of a call that was started here; undefined for any other. */
  outputOf(callId: string): Promise<string> | undefined {
    return this.outputs.get(callId);
  }

  /** True once a call that was started here has its result. */
  isAnswered(callId: string): boolean {
    return this.outputs.has(callId) && !this.running.has(callId);
  }

  /** Settles when nothing runs that was started here. */
  async settled(): Promise<void> {
    await Promise.all(this.outputs.values());
  }

  private async run(call: ToolCall): Promise<string> {
    this.running.add(call.callId);
    try {
      return await runToolCall(call, this.router, { ...this.context, callId: call.callId });
    } finally {
      this.running.delete(call.callId);
      this.slots.give();
    }
  }
}
