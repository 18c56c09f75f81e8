import { candidateFiles } from "../../edits/combine/candidateFiles.ts";
import type { PendingReviewer } from "../../edits/review/pendingReviewer.ts";
import type { Usage } from "../../model/streamPart.ts";
import type { Workspace } from "../../ports/workspace.ts";
import type { AgentTurn } from "../../turns/turn.ts";
import type { CandidateChat } from "../candidates/askModels.ts";
import type { Chat } from "./chat.ts";

/**
 * A chat of a model that answers beside others. What it proposes stays with its own reviewer, so that
 * candidates never meet in a file.
 */
export function candidateChat(
  chat: Chat,
  model: string,
  reviewer: PendingReviewer,
  workspace: Pick<Workspace, "resolve" | "read">,
): CandidateChat {
  return {
    chatId: chat.chatId,
    model,
    async answer({ text, attached }, signal) {
      const stop = () => chat.stop();
      signal.addEventListener("abort", stop);
      try {
        const answering = chat.send(text, attached);
        // It may have been stopped before it began.
        if (signal.aborted) stop();
        const reason = await answering;
        const turn = chat.tree.turns.get(chat.tree.headTurnId ?? "");
        const answer = turn?.role === "agent" ? turn : null;
        const proposed = await candidateFiles(reviewer, workspace, new AbortController().signal);
        settle(chat, reviewer);
        const usage = answer && usageOf(answer);
        return { reason, error: answer?.error ?? null, usage, ...proposed };
      } finally {
        signal.removeEventListener("abort", stop);
      }
    },
  };
}

/** Nothing waits in the candidate's own chat: the user chooses in the one that asked. */
function settle(chat: Chat, reviewer: PendingReviewer): void {
  const outcome = { status: "withdrawn", reason: { code: "compared" } } as const;
  for (const { file, blocks } of reviewer.allPending()) {
    for (const { origin, blockId } of blocks)
      chat.decided(origin, file.path, [{ blockId, ...outcome }], null);
    reviewer.settle(file);
  }
  for (const operation of [...reviewer.operations.pending]) {
    const { origin, file, blockId } = operation;
    chat.decided(origin, file.path, [{ blockId, ...outcome }], null);
    reviewer.settle(operation);
  }
}

function usageOf(turn: AgentTurn): Usage {
  const { inputTokens, outputTokens, cachedInputTokens, reasoningTokens, cost } = turn;
  const estimated = turn.estimatesTokens ? "tokens" : turn.estimatesCost ? "cost" : null;
  const usage = { inputTokens, outputTokens, cachedInputTokens, reasoningTokens };
  return { ...usage, ...(cost !== null && { cost }), ...(estimated && { estimated }) };
}
