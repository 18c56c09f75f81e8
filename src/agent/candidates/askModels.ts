import type { Usage } from "../../model/streamPart.ts";
import { type AttachmentRef, refOf } from "../../turns/attachment.ts";
import type { CandidateEnd } from "../../turns/candidates/candidateEvents.ts";
import type { UserTurn } from "../../turns/turn.ts";
import type { TurnEndReason } from "../../turns/turnEvent.ts";
import { internalError } from "../loop/agentLoop.ts";
import type { StreamHub } from "../loop/streamHub.ts";

/** How many models answer one request at most. */
export const MAX_CANDIDATES = 4;

/** A request to several models. */
export interface CandidateRequest {
  readonly text: string;
  readonly attached: readonly AttachmentRef[];
}

/** How a model's answer beside others ended, and what it took, where that is known. */
export interface CandidateAnswer extends Omit<CandidateEnd, "chatId" | "usage"> {
  readonly usage: Usage | null;
}

/** A model that answers a request beside others, in a chat of its own. */
export interface CandidateChat {
  readonly chatId: string;
  readonly model: string;
  /** Settles when the answer is over, also once `signal` aborted. */
  answer(request: CandidateRequest, signal: AbortSignal): Promise<CandidateAnswer>;
}

/**
 * Has candidates answer `asked` at the same time, as the agent turn `turnId`. Each one's end is an
 * event. The turn ends with the last one, as an error where all failed. Stopping it stops all. Never
 * throws.
 */
export async function askModels(
  hub: StreamHub,
  asked: UserTurn,
  turnId: string,
  candidates: readonly CandidateChat[],
  signal: AbortSignal,
): Promise<TurnEndReason> {
  const emit = hub.emitter(turnId);
  const named = candidates.map(({ chatId, model }) => ({ chatId, model }));
  emit({
    type: "turn-start",
    role: "agent",
    parentTurnId: asked.id,
    text: null,
    model: named.map(({ model }) => model).join(", "),
    editFile: null,
    activeFile: null,
  });
  emit({ type: "candidates", candidates: named });
  const request = { text: asked.text, attached: (asked.attachments ?? []).map(refOf) };
  const answers = candidates.map(async (candidate) => {
    const { usage, ...end } = await answerOf(candidate, request, signal);
    if (usage) emit({ type: "usage", usage });
    emit({
      type: "candidate-end",
      chatId: candidate.chatId,
      ...end,
      ...(usage && { usage }),
    });
    return end;
  });
  const ends = await Promise.all(answers);
  const hasFailed = ends.every((end) => end.reason === "error");
  const reason = signal.aborted ? "cancelled" : hasFailed ? "error" : "done";
  emit({ type: "turn-end", reason, error: reason === "error" ? (ends[0]?.error ?? null) : null });
  return reason;
}

async function answerOf(
  candidate: CandidateChat,
  request: CandidateRequest,
  signal: AbortSignal,
): Promise<CandidateAnswer> {
  try {
    return await candidate.answer(request, signal);
  } catch (reason) {
    const error = internalError(reason);
    return { reason: "error", error, files: [], left: [], usage: null };
  }
}
