import { ok, type Result } from "../../base/result.ts";
import { withoutImages } from "../../model/imageParts.ts";
import type { Message } from "../../model/message.ts";
import type { ModelError } from "../../model/modelFailure.ts";
import { clipText } from "../../tools/results/clippedResults.ts";
import { joinUserMessages, separateMessages } from "../../turns/conversation.ts";
import type { Turn } from "../../turns/turn.ts";
import type { ModelConnection } from "../chatOptions.ts";
import { clippedSummary, EARLIER_MESSAGES_OMITTED, shortenedMessage } from "../messages.ts";
import { type Completion, completeText } from "./completeText.ts";
import type { ContextWindow } from "./contextWindow.ts";
import { SUMMARY_PROMPT, SUMMARY_SYSTEM_PROMPT } from "./prompts.ts";

/** How long a summary may take, in milliseconds. */
const SUMMARY_LIMIT_MS = 180_000;
/**
 * UTF-16 units of a long message, such as a tool's result, that the request has: its beginning and
 * its end. The first with which all messages fit.
 */
const LONG_MESSAGE = [6_000, 2_000, 600] as const;

/** The largest share of a request that a summary may take. */
const MAX_SHARE = 0.25;

/**
 * Asks the model to summarize `turns`, without tools. Omits the oldest messages that do not fit.
 * Never throws.
 */
export async function summarizeTurns(
  turns: readonly Turn[],
  connection: ModelConnection,
  window: ContextWindow,
  signal: AbortSignal,
): Promise<Result<Completion, ModelError>> {
  const summary = await completeText(
    requestOver(turns, window, SUMMARY_SYSTEM_PROMPT, SUMMARY_PROMPT),
    connection,
    SUMMARY_LIMIT_MS,
    signal,
  );
  return summary.ok ? ok({ ...summary.value, text: fitting(summary.value.text, window) }) : summary;
}

/** Clips a runaway summary, which would leave no room in any later request. */
function fitting(text: string, window: ContextWindow): string {
  const most = window.limit * MAX_SHARE;
  const tokens = window.tokensOf({ role: "user", text });
  return tokens <= most
    ? text
    : clippedSummary(clipText(text, 0, Math.floor((text.length * most) / tokens)).text);
}

/**
 * A request without tools over a conversation, with `asked` at its end. Long messages are cut, and
 * the oldest that do not fit are left out.
 */
export function requestOver(
  turns: readonly Turn[],
  window: ContextWindow,
  instructions: string,
  asked: string,
): readonly Message[] {
  const system: Message = { role: "system", text: instructions };
  const prompt: Message = { role: "user", text: asked };
  const room = window.limit - window.tokensOf(system, prompt);
  const told = separateMessages(turns, false).map(withoutImages);
  const cut = LONG_MESSAGE.map((length) =>
    told.map((message) => ({ ...message, text: withoutMiddle(message.text, length) })),
  );
  const shown = cut.find((messages) => window.tokensOf(...messages) <= room) ?? cut.at(-1) ?? [];
  let left = room;
  const outside = shown.findLastIndex((message) => {
    left -= window.tokensOf(message);
    return left < 0;
  });
  const kept = shown.slice(outside + 1);
  // Strict providers want the user to speak first, and never twice.
  const opening: readonly Message[] =
    kept[0]?.role === "user" ? [] : [{ role: "user", text: EARLIER_MESSAGES_OMITTED }];
  return [system, ...joinUserMessages([...opening, ...kept, prompt])];
}

/** A long message's beginning and end. */
function withoutMiddle(text: string, length: number): string {
  if (text.length <= length) return text;
  const { text: start, end } = clipText(text, 0, Math.floor((length * 2) / 3));
  const rest = text.length - Math.floor(length / 3);
  return shortenedMessage(start, rest - end, text.slice(rest).replace(/^[\udc00-\udfff]/, ""));
}
