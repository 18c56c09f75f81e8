import { Deadline } from "../base/deadline.ts";
import { english, type Localize } from "../base/localize.ts";
import { pause } from "../base/pause.ts";
import { err, ok, type Result } from "../base/result.ts";
import { thrownText } from "../base/text/sentence.ts";
import { untilAborted } from "../base/untilAborted.ts";
import type { ToolSpec } from "../model/message.ts";
import { offeredName } from "../model/offeredName.ts";
import type { Approval, ApprovalDecision, ChosenPlace } from "../ports/approval.ts";
import type { ToolOrigin } from "../turns/turnEvent.ts";
import { failed, toolError } from "./messages.ts";
import { commandPrefix } from "./permissions/permissionRule.ts";
import { ClippedResults, clipText } from "./results/clippedResults.ts";
import { createReadResult, readOnNote } from "./results/readResult.ts";
import type {
  Effect,
  PreparedCall,
  Tool,
  ToolContext,
  ToolError,
  ToolOutcome,
  ToolResult,
} from "./tool.ts";
import type { ReadCall } from "./toolArguments.ts";

/** The length at which results are clipped, in UTF-16 units. */
export const MAX_RESULT_LENGTH = 60_000;

/** The time limit of a tool that states none, in milliseconds. */
const DEFAULT_TIMEOUT_MS = 30_000;

/** The wait before the first retry, in milliseconds; it doubles with each one. */
const FIRST_RETRY_MS = 100;

/** A call of the model, with its arguments checked. */
export interface RoutedCall {
  /** What it does; "read" for an unknown tool, whose call only fails. */
  readonly effect: Effect;
  /**
   * Gets approval, runs the tool within its time limit and with retries, and clips the result.
   * Never throws and never outlasts an abort: every failure is a result. Emits `approval-request`,
   * `approval-decision` and `tool-start`; the caller emits the result.
   */
  run(context: ToolContext): Promise<ToolOutcome>;
}

/** Which tools may run, whatever the model calls. */
export interface ToolLimit {
  /** The mode that says so, for the model. */
  readonly mode: string;
  allows(tool: Tool): boolean;
}

/** Graft's own tools that change nothing. What a server or an extension says of its tools is no proof. */
export function readOnlyLimit(mode: string): ToolLimit {
  return { mode, allows: ({ effect, category }) => effect === "read" && category !== "mcp" };
}

/** Runs the model's tool calls. */
export interface ToolRouter {
  /** The tools as the model sees them, in a stable order. */
  readonly specs: readonly ToolSpec[];
  /** Whose tool a call names; undefined for one of Graft's, and for none. */
  originOf(name: string): ToolOrigin | undefined;
  /** Checks the arguments of a call, once: what is asked and what runs are the same. */
  prepare(call: ReadCall): RoutedCall;
  /**
   * Keeps a result of turn `turnId` that the model sees clipped at `end`, and returns the note on
   * how to read on.
   */
  keepRest(turnId: string, output: string, end: number): string;
  /**
   * A router with more tools at the end, except those whose name is taken. It shares the clipped
   * results of this one.
   */
  withTools(more: readonly Tool[]): ToolRouter;
  /** A router that neither offers nor runs what `limit`, or the limit of this one, does not allow. */
  within(limit: ToolLimit): ToolRouter;
}

/**
 * A router over `tools`, whose names are unique, and `read_result`. `t` words the approval prompts.
 */
export function createToolRouter(
  tools: readonly Tool[],
  approval: Approval,
  t: Localize = english,
): ToolRouter {
  const kept = new ClippedResults();
  return routerOver([...tools, createReadResult(kept)], kept, approval, t, []);
}

function routerOver(
  all: readonly Tool[],
  kept: ClippedResults,
  approval: Approval,
  t: Localize,
  limits: readonly ToolLimit[],
): ToolRouter {
  const refusing = (tool: Tool) => limits.find((limit) => !limit.allows(tool));
  const offered = all.filter((tool) => refusing(tool) === undefined);
  const byName = new Map(all.map((tool) => [tool.name, tool]));
  const names = new Set(byName.keys());

  function keepRest(turnId: string, output: string, end: number): string {
    return readOnNote(kept.keep(turnId, output), end, output.length);
  }

  function clipped(output: string, turnId: string): string {
    if (output.length <= MAX_RESULT_LENGTH) return output;
    const { text, end } = clipText(output, 0, MAX_RESULT_LENGTH);
    return text + keepRest(turnId, output, end);
  }

  return {
    specs: offered.map(({ name, description, parameters }) => ({ name, description, parameters })),
    originOf: (name) => byName.get(offeredName(name, names))?.origin,
    prepare(call) {
      const tool = byName.get(offeredName(call.name, names));
      if (!tool) {
        const known = offered.map(({ name }) => name);
        return failing("read", toolError("unknown-tool", { name: call.name, known }));
      }
      const limit = refusing(tool);
      if (limit) {
        const facts = { name: tool.name, mode: limit.mode };
        return failing("read", toolError("not-in-mode", facts));
      }
      const prepared = prepareCall(tool, call, t);
      if (!prepared.ok) return failing(tool.effect, prepared.error);
      return {
        effect: prepared.value.effect,
        async run(context) {
          const outcome = await runRouted(tool, prepared.value, approval, context);
          return outcome.ok
            ? { ...outcome, output: clipped(outcome.output, context.turnId) }
            : outcome;
        },
      };
    },
    keepRest,
    withTools(more) {
      return more.length === 0
        ? this
        : routerOver(
            [...all, ...more.filter(({ name }) => !byName.has(name))],
            ...([kept, approval, t, limits] as const),
          );
    },
    within: (limit) => routerOver(all, kept, approval, t, [...limits, limit]),
  };
}

/** The result of a call that was cancelled before it returned. */
export function cancelledResult(tool: string): ToolResult {
  return failed("cancelled", { tool, begun: false });
}

function prepareCall(
  tool: Tool,
  { input }: ReadCall,
  t: Localize,
): Result<PreparedCall, ToolError> {
  return input.ok
    ? tool.prepare(input.value, t)
    : err(toolError("invalid-json", { tool: tool.name, detail: input.error }));
}

function failing(effect: Effect, error: ToolError): RoutedCall {
  return { effect, run: async () => neverStarted(error) };
}

async function runRouted(
  tool: Tool,
  written: PreparedCall,
  approval: Approval,
  context: ToolContext,
): Promise<ToolOutcome> {
  try {
    const meant = (await written.meant?.(context.signal)) ?? ok(written);
    if (!meant.ok) return neverStarted(meant.error);
    const call = meant.value;
    const { caution = null, proposed = false } = (await call.look?.()) ?? {};
    // What only proposes changes nothing, and its review shows what is protected.
    const asked = caution === "secret" || (caution !== null && !proposed);
    const looked = { ...context, proposed, asked };
    const refusal = await askPermission(tool, call, approval, looked);
    return refusal ? neverStarted(refusal) : await runLimited(tool, call, looked);
  } catch (reason) {
    return neverStarted(toolError("crashed", { tool: tool.name, detail: thrownText(reason) }));
  }
}

/** The error of a call that may not run; null where it may. */
async function askPermission(
  tool: Tool,
  call: PreparedCall,
  approval: Approval,
  context: ToolContext,
  chosen?: ChosenPlace,
): Promise<ToolError | null> {
  const { turnId, callId, signal, emit, proposed = false, asked = false } = context;
  const { name, unasked, reviewed: onlyProposes } = tool;
  const isOutside = call.server !== undefined || call.host !== undefined;
  if ((call.effect === "read" || unasked) && !isOutside && !asked) return null;
  const reviewed = onlyProposes === true || proposed;
  const wanted = await questionOf(tool, call, context, chosen);
  emit({ type: "approval-request", ...wanted });
  const decision = await untilAborted(
    approval.request({ turnId, reviewed, ...wanted }, signal),
    signal,
  );
  const {
    allowed,
    by,
    rule,
    scope,
    again,
    chosen: chosenPlace,
  }: ApprovalDecision = decision.ok ? decision.value : { allowed: false, by: "cancel" };
  emit({
    type: "approval-decision",
    callId,
    allowed,
    by,
    ...(rule !== undefined && { rule }),
    ...(scope && { scope }),
  });
  if (!decision.ok) return toolError("cancelled", { tool: name, begun: false });
  if (again) return askPermission(tool, call, approval, context, chosenPlace ?? chosen);
  return allowed ? null : toolError("denied", { tool: name, by, rule: rule ?? null });
}

/** What the user is asked, with what is true now. */
async function questionOf(
  tool: Tool,
  call: PreparedCall,
  { callId, signal, asked }: ToolContext,
  chosen: ChosenPlace | undefined,
) {
  const { run: _, look: __, meant: ___, details, command, ...subject } = call;
  const prefix = command && commandPrefix(command.text);
  const { programs = [], ...shown } = (await details?.(signal, chosen)) ?? {};
  return {
    callId,
    tool: tool.name,
    ...subject,
    ...shown,
    ...(command && { command: { ...command, ...(prefix && { prefix }) } }),
    ...(asked && { eachTime: true as const }),
    ...(programs.length > 0 && { programs }),
  };
}

async function runLimited(
  tool: Tool,
  call: PreparedCall,
  context: ToolContext,
): Promise<ToolOutcome> {
  const {
    name,
    timeoutMs = DEFAULT_TIMEOUT_MS,
    maxRetries = 0,
    timeoutRecovery: advice = null,
  } = tool;
  if (context.signal.aborted)
    return neverStarted(toolError("cancelled", { tool: name, begun: false }));
  const limit = new Deadline(context.signal);
  limit.restart(timeoutMs);
  const startedAt = performance.now();
  let retriesUsed = 0;
  try {
    context.emit({ type: "tool-start", callId: context.callId });
    let result = await runOnce(tool, call, { ...context, signal: limit.signal });
    while (retriesUsed < maxRetries && !limit.signal.aborted && mayPass(result)) {
      await pause(FIRST_RETRY_MS * 2 ** retriesUsed, limit.signal);
      if (limit.signal.aborted) break;
      retriesUsed += 1;
      result = await runOnce(tool, call, { ...context, signal: limit.signal });
    }
    if (context.signal.aborted)
      result = failed("cancelled", { tool: name, begun: call.effect !== "read" });
    else if (limit.expired)
      result = failed("timed-out", { tool: name, seconds: timeoutMs / 1000, advice });
    return {
      ...result,
      metadata: { executionTimeMs: Math.round(performance.now() - startedAt), retriesUsed },
    };
  } finally {
    limit.dispose();
  }
}

async function runOnce(tool: Tool, call: PreparedCall, context: ToolContext): Promise<ToolResult> {
  try {
    const result = await untilAborted(call.run(context), context.signal);
    return result.ok ? result.value : cancelledResult(tool.name);
  } catch (reason) {
    return failed("crashed", { tool: tool.name, detail: thrownText(reason) });
  }
}

/** A failure that may not occur in another run. */
function mayPass(result: ToolResult): boolean {
  return (
    !result.ok && (result.error.category === "execution" || result.error.category === "network")
  );
}

function neverStarted(error: ToolError): ToolOutcome {
  return { ok: false, error, metadata: { executionTimeMs: 0, retriesUsed: 0 } };
}
