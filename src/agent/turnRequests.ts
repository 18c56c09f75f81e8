import { err, ok, type Result } from "../base/result.ts";
import { sentence } from "../base/sentence.ts";
import { untilAborted } from "../base/untilAborted.ts";
import type { ToolSpec } from "../model/message.ts";
import { abortedError } from "../model/modelFailure.ts";
import type { ModelError } from "../model/streamPart.ts";
import type { Workspace } from "../ports/workspace.ts";
import { branch } from "../turns/branch.ts";
import { conversation, summaryOf, toldRules } from "../turns/conversation.ts";
import type { EmitTurnEvent } from "../turns/streamRegistry.ts";
import type { TurnTree } from "../turns/turn.ts";
import type { AgentTurnOptions } from "./agentLoop.ts";
import type { ModelConnection } from "./chatOptions.ts";
import type { ContextWindow, ReadOn } from "./contextWindow.ts";
import { prepareRequest } from "./prepareRequest.ts";
import { COMPACTED } from "./prompts.ts";
import type { RetryPolicy } from "./retryPolicy.ts";
import { createRulesReader, touchedPaths } from "./rules.ts";
import { summarizeTurns } from "./summarizeTurns.ts";
import { withRetries } from "./withRetries.ts";

/** So often a request is made smaller in a turn because the server finds it too large: to a tenth. */
const MOST_REFUSALS = 4;

/** What the requests of one agent turn are made of. */
export interface TurnRequestParts {
  readonly turnId: string;
  /** Holds the turn, with all that was emitted for it. */
  readonly tree: TurnTree;
  readonly emit: EmitTurnEvent;
  readonly connection: ModelConnection;
  readonly window: ContextWindow;
  readonly workspace: Workspace;
  readonly tools: readonly ToolSpec[];
  readonly readOn: ReadOn;
  readonly retry: RetryPolicy;
  /** What every request begins with; the same for as long as can be, for the providers' caches. */
  systemPrompt(): string;
  readonly signal: AbortSignal;
}

/** Makes the requests of one agent turn: with the rules that hold for what it touches, and small enough for the model. */
export function turnRequests(parts: TurnRequestParts): Pick<AgentTurnOptions, "messages" | "measured" | "outgrown"> {
  const { turnId, tree, emit, connection, window, signal } = parts;
  const readRules = createRulesReader(parts.workspace);
  let refusals = 0;

  async function tellRules(): Promise<void> {
    const turns = branch(tree, turnId);
    const rules = await untilAborted(readRules(touchedPaths(turns.slice(-2)), signal), signal);
    const told = toldRules(turns);
    for (const { path, text } of rules.ok ? rules.value : []) if (told.get(path) !== text) emit({ type: "rules", path, text });
  }

  /** What sums up the turns before this one; null where there are none, or it was done in this turn. */
  function compaction(): (() => Promise<Result<null, ModelError>>) | null {
    const turns = branch(tree, turnId);
    const earlier = turns.slice(0, -2);
    if (earlier.length === 0 || summaryOf(turns.at(-1)) !== null) return null;
    return async () => {
      const request = () => {
        emit({ type: "compaction-start" });
        return summarizeTurns(earlier, connection, window, signal);
      };
      const summary = await withRetries(parts.retry, emit, signal, request, (result) => (result.ok ? null : result.error));
      if (!summary.ok) return err(signal.aborted ? abortedError() : unsummed(summary.error));
      if (summary.value.usage) emit({ type: "usage", usage: summary.value.usage });
      emit({ type: "compaction", summary: summary.value.text });
      emit({ type: "notice", level: "info", text: COMPACTED });
      await tellRules();
      return ok(null);
    };
  }

  return {
    async messages(withTools, closing) {
      await tellRules();
      return prepareRequest({
        window,
        tools: withTools ? parts.tools : [],
        readOn: parts.readOn,
        build: () => [{ role: "system", text: parts.systemPrompt() }, ...conversation(branch(tree, turnId), withTools, closing)],
        compact: compaction(),
      });
    },
    measured: (inputTokens) => window.measured(inputTokens),
    outgrown() {
      if (refusals === MOST_REFUSALS) return false;
      window.refused(refusals > 0);
      refusals += 1;
      return true;
    },
  };
}

function unsummed({ message: why, retryable }: ModelError): ModelError {
  const message = `The conversation is too long for the model's context window, and its earlier turns could not be summed up. ${sentence(why)} Retry, or start a new chat.`;
  return { kind: "context-length", message, status: null, retryable };
}
