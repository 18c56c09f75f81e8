import { err, ok, type Result } from "../../base/result.ts";
import { untilAborted } from "../../base/untilAborted.ts";
import { decisionReport } from "../../edits/messages.ts";
import type { Message, ToolSpec } from "../../model/message.ts";
import { abortedError } from "../../model/modelFailure.ts";
import type { Workspace } from "../../ports/workspace.ts";
import { branch } from "../../turns/branch.ts";
import { conversation, sentRules, summaryOf } from "../../turns/conversation.ts";
import type { EmitTurnEvent } from "../../turns/streamRegistry.ts";
import type { TurnTree } from "../../turns/turn.ts";
import type { TurnError } from "../../turns/turnError.ts";
import { untoldDecisions } from "../../turns/untoldDecisions.ts";
import type { ModelConnection } from "../chatOptions.ts";
import type { ContextWindow, FittedRequest, KeepRest } from "../request/contextWindow.ts";
import { createRulesReader, touchedPaths } from "../request/rules.ts";
import { summarizeTurns } from "../request/summarizeTurns.ts";
import type { TurnRequests } from "./askModel.ts";
import { type RetryPolicy, withRetries } from "./retry.ts";

/** How often a turn shrinks a request that the server refuses as too large: to a tenth in all. */
const MAX_REFUSALS = 4;
/** Messages with calls whose results stay whole as long as something else can be clipped. */
const KEPT = 2;

/** What the requests of one agent turn are made of. */
export interface TurnRequestParts {
  readonly turnId: string;
  /** Holds the turn, with everything that was emitted for it. */
  readonly tree: TurnTree;
  readonly emit: EmitTurnEvent;
  readonly connection: ModelConnection;
  readonly window: ContextWindow;
  readonly workspace: Workspace;
  readonly tools: readonly ToolSpec[];
  readonly readOn: KeepRest;
  readonly retry: RetryPolicy;
  /** The beginning of every request. Stays the same as long as possible, for the providers' caches. */
  systemPrompt(): string;
  readonly signal: AbortSignal;
}

/** Builds the requests of one agent turn: with the rules for the files it touches, and small enough for the model. */
export function turnRequests(parts: TurnRequestParts): TurnRequests {
  const { turnId, tree, emit, connection, window, readOn, signal } = parts;
  const readRules = createRulesReader(parts.workspace);
  let refusals = 0;

  async function tellRules(): Promise<void> {
    const turns = branch(tree, turnId);
    const rules = await untilAborted(readRules(touchedPaths(turns.slice(-2)), signal), signal);
    const told = sentRules(turns);
    for (const { path, text } of rules.ok ? rules.value : []) if (told.get(path) !== text) emit({ type: "rules", path, text });
  }

  /** Tells the model, once, what the user decided on its proposals. */
  function tellDecisions(): void {
    const untold = untoldDecisions(branch(tree, turnId));
    if (untold.length === 0) return;
    const told = untold.map(({ turnId: of, edit }) => ({ turnId: of, blockId: edit.blockId, status: edit.status }));
    emit({ type: "decisions", text: decisionReport(untold.map(({ edit }) => edit)), told });
  }

  /** Summarizes the turns before this one, unless there are none or it was done in this turn. */
  async function compact(): Promise<Result<null, TurnError>> {
    const turns = branch(tree, turnId);
    const earlier = turns.slice(0, -2);
    if (earlier.length === 0 || summaryOf(turns.at(-1)) !== null) return ok(null);
    const request = () => {
      emit({ type: "compaction-start" });
      return summarizeTurns(earlier, connection, window, signal);
    };
    const summary = await withRetries(parts.retry, emit, signal, request, (result) => (result.ok ? null : result.error));
    if (!summary.ok) {
      const { error: cause } = summary;
      return err(
        signal.aborted ? abortedError() : { code: "compaction-failed", kind: "context-length", retryable: cause.retryable, cause },
      );
    }
    if (summary.value.usage) emit({ type: "usage", usage: summary.value.usage });
    emit({ type: "compaction", summary: summary.value.text });
    emit({ type: "notice", level: "info", code: "compacted" });
    await tellRules();
    return ok(null);
  }

  return {
    /** Clips old results first, then summarizes the earlier turns, then clips the newest results too. */
    async messages(withTools, closing): Promise<Result<readonly Message[], TurnError>> {
      await tellRules();
      tellDecisions();
      const build = (): Message[] => [
        { role: "system", text: parts.systemPrompt() },
        ...conversation(branch(tree, turnId), withTools, closing),
      ];
      const fitKeeping = (kept: number) => window.fit(build(), withTools ? parts.tools : [], kept, readOn);
      let fitted = fitKeeping(KEPT);
      if (fitted.fits) return ok(fitted.messages);
      const compacted = await compact();
      if (!compacted.ok) return compacted;
      for (let kept = KEPT - 1; kept >= 0 && !fitted.fits; kept--) fitted = fitKeeping(kept);
      return fitted.fits ? ok(fitted.messages) : err(tooLarge(fitted));
    },
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
