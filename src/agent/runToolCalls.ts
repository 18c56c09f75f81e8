import type { ToolCall } from "../model/message.ts";
import type { ToolContext } from "../tools/tool.ts";
import type { ToolRouter } from "../tools/toolRouter.ts";
import type { EarlyReads } from "./earlyReads.ts";
import { type HoldResult, runToolCall } from "./runToolCall.ts";

/**
 * Runs the calls of one message and puts a result of each on record as soon as it is there: neighbouring reads together, up to eight
 * at once, everything else alone and in order, so that a read that follows a write sees what was written. Calls that `early` has
 * started are waited for. Never throws; after an abort the rest is answered as cancelled. Each result waits for `hold`, but for those
 * of early calls, of which `hold` hears in the order of the calls.
 */
export async function runToolCalls(
  calls: readonly ToolCall[],
  router: ToolRouter,
  context: Omit<ToolContext, "callId">,
  hold: HoldResult,
  early: EarlyReads,
): Promise<void> {
  const run = (call: ToolCall) => runToolCall(call, router, { ...context, callId: call.callId }, hold);
  const read = async (call: ToolCall) => {
    await early.slots.take();
    await run(call).finally(() => early.slots.give());
  };
  const hearEarly = async (reads: readonly ToolCall[]) => {
    for (const call of reads) {
      const output = await early.outputOf(call.callId);
      if (output !== undefined) await hold(call, output);
    }
  };
  for (const { reading, calls: group } of callGroups(calls, router)) {
    const rest = group.filter(({ callId }) => early.outputOf(callId) === undefined);
    await Promise.all([hearEarly(group), ...rest.map((call) => (reading ? read(call) : run(call)))]);
  }
}

interface CallGroup {
  readonly reading: boolean;
  readonly calls: ToolCall[];
}

/** Neighbouring reads together, anything else alone. */
function callGroups(calls: readonly ToolCall[], router: ToolRouter): readonly CallGroup[] {
  const groups: CallGroup[] = [];
  for (const call of calls) {
    const reading = (router.effectOf(call.name, call.argsText) ?? "read") === "read";
    const last = groups.at(-1);
    if (reading && last?.reading) last.calls.push(call);
    else groups.push({ reading, calls: [call] });
  }
  return groups;
}
