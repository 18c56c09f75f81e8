import { candidateFiles } from "../../edits/combine/candidateFiles.ts";
import type { PendingReviewer } from "../../edits/review/pendingReviewer.ts";
import type { Usage } from "../../model/streamPart.ts";
import type { Workspace } from "../../ports/workspace.ts";
import type { AgentTurn } from "../../turns/turn.ts";
import type { CandidateChat } from "../candidates/askModels.ts";
import type { CandidateRole } from "../candidates/candidateRole.ts";
import type { Chat } from "./chat.ts";

/** Where a candidate answers. */
interface CandidatePlace {
  readonly workspace: Pick<Workspace, "resolve" | "read">;
  /** Ends the commands that its turn left running; settles when none is left. */
  endCommands?(turnId: string): Promise<void>;
}

/**
 * A chat of a model that answers beside others. What it proposes stays with its own reviewer, so that
 * candidates never meet in a file. With the answer its part ends.
 */
export function candidateChat(
  chat: Chat,
  model: string,
  role: CandidateRole,
  { workspace, endCommands }: CandidatePlace,
): CandidateChat {
  const { reviewer } = role;
  const resultOf = async (answer: AgentTurn | null) => {
    if (answer) await endCommands?.(answer.id);
    const proposed = await candidateFiles(reviewer, workspace, new AbortController().signal);
    settle(chat, reviewer);
    return { error: answer?.error ?? null, usage: answer && usageOf(answer), ...proposed };
  };
  return {
    chatId: chat.chatId,
    model,
    async answer({ text, attached }, signal) {
      const stop = () => chat.stop();
      signal.addEventListener("abort", stop);
      let answer: AgentTurn | null = null;
      // At once: what the user wrote in this chat meanwhile may begin the next turn.
      const over = chat.onBusy((busy) => {
        if (busy || role.ending) return;
        answer = lastAnswer(chat);
        role.answered();
      });
      try {
        const answering = chat.send(text, attached);
        // It may have been stopped before it began.
        if (signal.aborted) stop();
        const reason = await answering;
        return { reason, ...(await resultOf(answer)) };
      } finally {
        over.dispose();
        signal.removeEventListener("abort", stop);
        role.end();
      }
    },
  };
}

function lastAnswer({ tree }: Chat): AgentTurn | null {
  const turns = [...tree.turns.values()];
  const last = turns.findLast((turn) => turn.role === "agent" && !turn.within);
  return last?.role === "agent" ? last : null;
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
