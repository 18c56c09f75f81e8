import { err, ok, type Result } from "../../base/result.ts";
import { untilAborted } from "../../base/untilAborted.ts";
import { decisionReport } from "../../edits/messages.ts";
import { withoutImages } from "../../model/imageParts.ts";
import type { Message, ToolSpec } from "../../model/message.ts";
import { abortedError } from "../../model/modelFailure.ts";
import { withCost } from "../../model/usageCost.ts";
import type { Workspace } from "../../ports/workspace.ts";
import { branch } from "../../turns/branch.ts";
import { attachedTexts, beforeStep, conversation, fromStep, sentRules, stepSummaryOf, summaryOf } from "../../turns/conversation.ts";
import type { EmitTurnEvent } from "../../turns/streamRegistry.ts";
import type { AgentTurn, Turn, TurnTree } from "../../turns/turn.ts";
import type { TurnError } from "../../turns/turnError.ts";
import type { EditStatus } from "../../turns/turnEvent.ts";
import { untoldDecisions } from "../../turns/untoldDecisions.ts";
import type { ModelConnection } from "../chatOptions.ts";
import type { ContextWindow, FittedRequest, KeepRest } from "../request/contextWindow.ts";
import { createRulesReader, touchedPaths } from "../request/rules.ts";
import { summarizeTurns } from "../request/summarizeTurns.ts";
import type { ToolForm, TurnRequests } from "./askModel.ts";
import { type RetryPolicy, withRetries } from "./retry.ts";

/** How often a turn shrinks a request that the server refuses as too large: to a tenth in all. */
const MAX_REFUSALS = 4;
/** Messages with calls whose results stay whole as long as something else can be clipped or summarized. */
const KEPT = 2;
/** The share of a request that the steps take which a summary of a turn's earlier ones leaves. */
const KEPT_STEPS = 0.2;

/** What the requests of one agent turn are made of. */
interface TurnRequestParts {
  readonly turnId: string;
  /** Holds the turn, with everything that was emitted for it. */
  readonly tree: TurnTree;
  readonly emit: EmitTurnEvent;
  readonly connection: ModelConnection;
  readonly window: ContextWindow;
  readonly workspace: Workspace;
  readonly tools: readonly ToolSpec[];
  /** How the first request offers them. */
  readonly toolForm: ToolForm;
  readonly readOn: KeepRest;
  readonly retry: RetryPolicy;
  /** Called when the model no longer sees what its tools showed it. */
  forgetViews(): void;
  /** The beginning of every request. Stays the same as long as possible, for the providers' caches. */
  systemPrompt(tools: ToolForm): string;
  readonly signal: AbortSignal;
}

/** Builds the requests of one agent turn: with the rules for the files it touches, and small enough for the model. */
export function turnRequests(parts: TurnRequestParts): TurnRequests & { readonly compact: () => Promise<Result<boolean, TurnError>> } {
  const { turnId, tree, emit, connection, window, readOn, signal } = parts;
  const readRules = createRulesReader(parts.workspace);
  let refusals = 0;
  /** What the last request carried. */
  let carries: { readonly tools: ToolForm | null; readonly images: boolean } = { tools: parts.toolForm, images: true };
  let lastForm = parts.toolForm;
  const nativeTools = () => (carries.tools === "native" ? parts.tools : []);

  function build(closing: string | null): readonly Message[] {
    const told = conversation(branch(tree, turnId), carries.tools === "native", closing);
    // The last request of a turn has no tools, but the same beginning.
    const system = { role: "system" as const, text: parts.systemPrompt(carries.tools ?? lastForm) };
    return [system, ...(carries.images ? told : told.map(withoutImages))];
  }

  function tellUse(messages: readonly Message[]): void {
    emit({ type: "context-use", use: window.use(messages, nativeTools(), attachedTexts(branch(tree, turnId))) });
  }

  async function tellRules(): Promise<void> {
    const turns = branch(tree, turnId);
    const rules = await untilAborted(readRules(touchedPaths(turns.slice(-2)), signal), signal);
    const told = sentRules(turns);
    for (const { path, text } of rules.ok ? rules.value : []) if (told.get(path) !== text) emit({ type: "rules", path, text });
  }

  /** Tells the model, once, what the user decided on its proposals, and again what is in one of the states `again`. */
  function tellDecisions(again: (status: EditStatus) => boolean = () => false): void {
    const untold = untoldDecisions(branch(tree, turnId), again);
    if (untold.length === 0) return;
    const told = untold.map(({ turnId: of, edit }) => ({ turnId: of, blockId: edit.blockId, status: edit.status }));
    emit({ type: "decisions", text: decisionReport(untold.map(({ edit }) => edit)), told });
  }

  /** Summarizes the turns before this one, unless there are none or it was done in this turn. */
  async function compactTurns(): Promise<Result<boolean, TurnError>> {
    const turns = branch(tree, turnId);
    const earlier = turns.slice(0, -2);
    if (earlier.length === 0 || summaryOf(turns.at(-1)) !== null) return ok(false);
    const compacted = await compact(earlier);
    if (compacted.ok) emit({ type: "notice", level: "info", code: "compacted" });
    return compacted;
  }

  /** Summarizes the earlier steps of this turn, unless there are none. */
  async function compactSteps(): Promise<Result<boolean, TurnError>> {
    const [asked, turn] = branch(tree, turnId).slice(-2);
    if (asked?.role !== "user" || asked.editFile !== null || turn?.role !== "agent") return ok(false);
    const before = firstKeptStep(turn, window);
    return before === null ? ok(false) : compact([asked, beforeStep(turn, before)], before);
  }

  /** Replaces turns, or the steps of this one before `before`, by a summary. What they said of rules and pending proposals is said again. */
  async function compact(turns: readonly Turn[], before?: number): Promise<Result<boolean, TurnError>> {
    const request = () => {
      emit({ type: "compaction-start" });
      return summarizeTurns(turns, connection, window, signal);
    };
    const summary = await withRetries(parts.retry, emit, signal, request, (result) => (result.ok ? null : result.error));
    if (!summary.ok) {
      const { error: cause } = summary;
      return err(
        signal.aborted ? abortedError() : { code: "compaction-failed", kind: "context-length", retryable: cause.retryable, cause },
      );
    }
    if (summary.value.usage) emit({ type: "usage", usage: withCost(summary.value.usage, connection.info?.price ?? null) });
    emit({ type: "compaction", summary: summary.value.text, ...(before !== undefined && { before }) });
    parts.forgetViews();
    await tellRules();
    tellDecisions((status) => status === "pending" || status === "conflict");
    return ok(true);
  }

  return {
    /** Summarizes the earlier turns now; false where there are none. */
    compact: compactTurns,
    /** Clips old results first, then summarizes the earlier turns, then this turn's earlier steps, then clips the newest results too. */
    async messages(tools, closing, withImages): Promise<Result<readonly Message[], TurnError>> {
      await tellRules();
      tellDecisions();
      carries = { tools, images: withImages };
      lastForm = tools ?? lastForm;
      const fitKeeping = (kept: number) => window.fit(build(closing), nativeTools(), kept, readOn);
      let fitted = fitKeeping(KEPT);
      for (const compactMore of [compactTurns, compactSteps]) {
        if (fitted.fits) break;
        const compacted = await compactMore();
        if (!compacted.ok) return compacted;
        fitted = fitKeeping(1);
      }
      if (!fitted.fits) fitted = fitKeeping(0);
      tellUse(fitted.messages);
      return fitted.fits ? ok(fitted.messages) : err(tooLarge(fitted));
    },
    tellUse: () => tellUse(build(null)),
    measured: (inputTokens) => window.measured(inputTokens),
    outgrown() {
      if (refusals === MAX_REFUSALS) return false;
      window.refused(refusals > 0);
      refusals += 1;
      return true;
    },
  };
}

function tooLarge({ tokens, limit, largest }: FittedRequest): TurnError {
  return { code: "request-too-large", kind: "context-length", retryable: false, tokens, limit, largest };
}

/** The first of a turn's newest steps that fit into their share of a request, at least one; null where no earlier one is left to summarize. */
function firstKeptStep(turn: AgentTurn, window: ContextWindow): number | null {
  const shown = turn.parts.flatMap(({ type, step }) => (type === "text" || type === "tool-call" ? [step] : []));
  const done = stepSummaryOf(turn)?.before ?? 0;
  const steps = [...new Set(shown)].filter((step) => step >= done).sort((a, b) => b - a);
  const fitting = steps.findIndex((step) => window.tokensOf(...conversation([fromStep(turn, step)], true)) > window.limit * KEPT_STEPS);
  const first = steps[fitting === -1 ? steps.length - 1 : Math.max(0, fitting - 1)];
  return first === undefined || first === steps.at(-1) ? null : first;
}
