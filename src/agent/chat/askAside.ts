import type { Disposable } from "../../base/disposable.ts";
import { Emitter } from "../../base/emitter.ts";
import { newId } from "../../base/ids.ts";
import { err, ok, type Result } from "../../base/result.ts";
import { abortedError } from "../../model/modelFailure.ts";
import { withCost } from "../../model/usageCost.ts";
import type { AttachmentRef } from "../../turns/attachment.ts";
import { branch } from "../../turns/branch.ts";
import { attachedText } from "../../turns/promptText.ts";
import type { TurnError } from "../../turns/turnError.ts";
import { completeText } from "../request/completeText.ts";
import { ContextWindow } from "../request/contextWindow.ts";
import { ASIDE_SYSTEM_PROMPT } from "../request/prompts.ts";
import { requestOver } from "../request/summarizeTurns.ts";
import type { AnswerParts } from "./answeringTurn.ts";

/** How long an answer may take, in milliseconds. */
const ASIDE_LIMIT_MS = 180_000;
/** The most of a conversation that a side question is asked over, in tokens. */
const MAX_WINDOW = 64_000;

/**
 * Answers a question about the conversation that is shown, once and without tools. The answer is on
 * record in the last turn of that conversation, and no request of it has either. Another maker's
 * agent cannot be asked beside its turn.
 */
export async function askAside(
  { options, tools, tree, hub }: Pick<AnswerParts, "options" | "tools" | "tree" | "hub">,
  question: string,
  refs: readonly AttachmentRef[],
  signal: AbortSignal,
): Promise<Result<null, TurnError | "agent" | "no-turn">> {
  const turns = branch(tree, tree.headTurnId);
  const shown = turns.findLast(({ role }) => role === "agent");
  if (!shown) return err("no-turn");
  const connected = await options.connect();
  if (!connected.ok) return connected;
  const connection = connected.value;
  if ("agent" in connection) return err("agent");
  const attachments = await tools.attach(newId("aside"), refs, signal);
  const set = options.contextWindow?.(connection.model) ?? null;
  const known = set ?? connection.info?.contextWindow ?? MAX_WINDOW;
  const window = new ContextWindow(() => Math.min(known, MAX_WINDOW));
  const asked = attachedText({ text: question, attachments });
  const messages = requestOver(turns, window, ASIDE_SYSTEM_PROMPT, asked);
  const answer = await completeText(messages, connection, ASIDE_LIMIT_MS, signal);
  if (!answer.ok) return answer;
  if (signal.aborted) return err(abortedError());
  const { text, usage } = answer.value;
  const used = usage && withCost(usage, connection.info?.price ?? null);
  hub.emit(shown.id, { type: "aside", question, text, ...(used && { usage: used }) });
  return ok(null);
}

/** The side questions of a chat that are being asked. */
export class Asides {
  private readonly changes = new Emitter<void>();
  private readonly asked = new Set<AbortController>();

  /** True while one is asked. */
  get isAsking(): boolean {
    return this.asked.size > 0;
  }

  /** Calls `listener` when one is asked, and when it is answered or ended. */
  onChange(listener: () => void): Disposable {
    return this.changes.on(listener);
  }

  /** Counts as asked until `answer` settles. */
  async ask<T>(answer: (signal: AbortSignal) => Promise<T>): Promise<T> {
    const controller = new AbortController();
    this.asked.add(controller);
    this.changes.fire();
    try {
      return await answer(controller.signal);
    } finally {
      this.asked.delete(controller);
      this.changes.fire();
    }
  }

  /** Ends all that are asked. */
  stop(): void {
    for (const controller of this.asked) controller.abort();
  }
}
