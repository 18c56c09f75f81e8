import { Deadline } from "../../base/deadline.ts";
import { err, ok, type Result } from "../../base/result.ts";
import { sentence } from "../../base/text/sentence.ts";
import type { Message } from "../../model/message.ts";
import { abortedError, type ModelError, type ModelFailure, modelError } from "../../model/modelFailure.ts";
import type { Usage } from "../../model/streamPart.ts";
import { clipText } from "../../tools/results/clippedResults.ts";
import { conversation } from "../../turns/conversation.ts";
import type { Turn } from "../../turns/turn.ts";
import type { ModelConnection } from "../chatOptions.ts";
import { clippedSummary, EARLIER_MESSAGES_OMITTED, shortenedMessage } from "../messages.ts";
import type { ContextWindow } from "./contextWindow.ts";
import { SUMMARY_PROMPT, SUMMARY_SYSTEM_PROMPT } from "./prompts.ts";

/** How long a summary may take, in milliseconds. */
const SUMMARY_LIMIT_MS = 180_000;
/** UTF-16 units of a long message, such as a tool's result, that the request has: its beginning and its end. */
const LONG_MESSAGE = 6_000;

/** The largest share of a request that a summary may take. */
const MAX_SHARE = 0.25;

/** Replaces turns in later requests. */
export interface Summary {
  readonly text: string;
  readonly usage: Usage | null;
}

/** Asks the model to summarize `turns`, without tools. Omits the oldest messages that do not fit. Never throws. */
export async function summarizeTurns(
  turns: readonly Turn[],
  { client, model }: ModelConnection,
  window: ContextWindow,
  signal: AbortSignal,
): Promise<Result<Summary, ModelError>> {
  const limit = new Deadline(signal);
  limit.restart(SUMMARY_LIMIT_MS);
  let text = "";
  let usage: Usage | null = null;
  let error: ModelError | null = null;
  const failed = (failure: ModelFailure) => modelError(failure, { baseUrl: client.baseUrl, model });
  try {
    for await (const part of client.stream({ model, messages: summaryRequest(turns, window), tools: [] }, limit.signal)) {
      if (part.type === "text-delta") text += part.text;
      else if (part.type === "usage") usage = part.usage;
      else if (part.type === "error") error = part.error;
    }
  } catch (reason) {
    error = failed({ code: "interrupted", said: sentence(reason) });
  } finally {
    limit.dispose();
  }
  if (signal.aborted) return err(abortedError());
  if (limit.expired) return err(failed({ code: "overtime", limitMs: SUMMARY_LIMIT_MS }));
  if (error) return err(error);
  return text.trim() === "" ? err(failed({ code: "empty" })) : ok({ text: fitting(text.trim(), window), usage });
}

/** Clips a runaway summary, which would leave no room in any later request. */
function fitting(text: string, window: ContextWindow): string {
  const most = window.limit * MAX_SHARE;
  const tokens = window.tokensOf({ role: "user", text });
  return tokens <= most ? text : clippedSummary(clipText(text, 0, Math.floor((text.length * most) / tokens)).text);
}

function summaryRequest(turns: readonly Turn[], window: ContextWindow): readonly Message[] {
  const system: Message = { role: "system", text: SUMMARY_SYSTEM_PROMPT };
  const told = conversation(turns, false, SUMMARY_PROMPT).map((message) => ({ ...message, text: shortened(message.text) }));
  let room = window.limit - window.tokensOf(system);
  const outside = told.findLastIndex((message) => {
    room -= window.tokensOf(message);
    return room < 0;
  });
  const kept = told.slice(Math.min(outside + 1, told.length - 1));
  // Strict providers want the user to speak first.
  const opening: readonly Message[] = kept[0]?.role === "user" ? [] : [{ role: "user", text: EARLIER_MESSAGES_OMITTED }];
  return [system, ...opening, ...kept];
}

/** A long message's beginning and end. */
function shortened(text: string): string {
  if (text.length <= LONG_MESSAGE) return text;
  const { text: start, end } = clipText(text, 0, (LONG_MESSAGE * 2) / 3);
  const rest = text.length - LONG_MESSAGE / 3;
  return shortenedMessage(start, rest - end, text.slice(rest).replace(/^[\udc00-\udfff]/, ""));
}
