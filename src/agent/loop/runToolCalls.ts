import { changeCounts } from "../../tools/command/changeCounts.ts";
import { MAX_NAMED } from "../../tools/notes.ts";
import type { ShadowResult, ToolContext, ToolMetadata, ToolResult } from "../../tools/tool.ts";
import type { ReadCall } from "../../tools/toolArguments.ts";
import { toolResultText } from "../../tools/toolResultText.ts";
import type { RoutedCall, ToolRouter } from "../../tools/toolRouter.ts";
import type { EmitTurnEvent } from "../../turns/streamRegistry.ts";

/** Reads that run at once. */
const MAX_CONCURRENT = 8;

/** Runs between the end of a call and its result, which waits for it; must not reject. */
type HoldResult = (call: ReadCall, output: string) => Promise<void>;

/** Keeps an image of a result, as base64, and shows it to the user and the model; never rejects. */
export type ShowImage = (data: string) => Promise<void>;

/**
 * Runs the calls of one message and records each result as soon as it is there and `hold` allows
 * it. Consecutive reads run together; everything else runs alone and in order, so that a read after
 * a write sees the change. Never throws; after an abort the remaining calls are answered as
 * cancelled.
 */
export async function runToolCalls(
  calls: readonly ReadCall[],
  router: ToolRouter,
  context: Omit<ToolContext, "callId">,
  hold: HoldResult,
  showImage: ShowImage | null = null,
): Promise<void> {
  const run = async ({ call, routed }: CheckedCall) => {
    const outcome = await routed.run({ ...context, callId: call.callId });
    await hold(call, toolResultText(outcome));
    emitToolResult(context.emit, call.callId, outcome, outcome.metadata);
    for (const image of (outcome.ok && outcome.images) || []) await showImage?.(image);
  };
  const checked = calls.map((call) => ({ call, routed: router.prepare(call) }));
  for (const group of callGroups(checked)) await Promise.all(group.map(run));
}

/** Records the result of a call. */
export function emitToolResult(
  emit: EmitTurnEvent,
  callId: string,
  result: ToolResult,
  metadata: ToolMetadata,
): void {
  const { executionTimeMs: durationMs, retriesUsed } = metadata;
  const common = {
    type: "tool-result" as const,
    callId,
    output: toolResultText(result),
    durationMs,
  };
  const counted = retriesUsed > 0 ? { ...common, retries: retriesUsed } : common;
  if (result.ok) {
    const { views, command, hits, shadow } = result;
    emit({
      ...counted,
      ...(views?.length && { views: [...views] }),
      ...(command && { command }),
      ...(shadow && { onProposals: onProposalsOf(shadow) }),
      ...(hits && { hits }),
      status: "success",
      error: null,
    });
  } else {
    const { category, message } = result.error;
    emit({
      ...counted,
      status: category === "cancelled" ? "cancelled" : "error",
      error: { category, message },
    });
  }
}

function onProposalsOf({ proposed, unshown, backend, sandbox }: ShadowResult) {
  return {
    ...changeCounts(proposed.map(({ did }) => did)),
    ...(unshown.length > 0 && { unproposed: unshown.slice(0, MAX_NAMED) }),
    ...{ backend, ...(sandbox && { sandbox }) },
  };
}

interface CheckedCall {
  readonly call: ReadCall;
  readonly routed: RoutedCall;
}

/** Consecutive reads together, up to eight, anything else alone. */
function callGroups(calls: readonly CheckedCall[]): readonly (readonly CheckedCall[])[] {
  const groups: CheckedCall[][] = [];
  for (const call of calls) {
    const last = groups.at(-1);
    const isReading = [call, last?.[0]].every((each) => each?.routed.effect === "read");
    if (isReading && last && last.length < MAX_CONCURRENT) last.push(call);
    else groups.push([call]);
  }
  return groups;
}
