import { Deadline } from "../../base/deadline.ts";
import { err, ok, type Result } from "../../base/result.ts";
import type { Message } from "../../model/message.ts";
import {
  abortedError,
  type ModelError,
  type ModelFailure,
  modelError,
} from "../../model/modelFailure.ts";
import type { Usage } from "../../model/streamPart.ts";
import type { ModelConnection } from "../chatOptions.ts";

/** The text of one answer. */
export interface Completion {
  readonly text: string;
  readonly usage: Usage | null;
}

/**
 * Asks the model once, without tools, for at most `limitMs` milliseconds. An empty answer is an
 * error. Never throws.
 */
export async function completeText(
  messages: readonly Message[],
  { client, model }: ModelConnection,
  limitMs: number,
  signal: AbortSignal,
): Promise<Result<Completion, ModelError>> {
  const limit = new Deadline(signal);
  limit.restart(limitMs);
  let text = "";
  let usage: Usage | null = null;
  let error: ModelError | null = null;
  const failed = (failure: ModelFailure) => modelError(failure, { baseUrl: client.baseUrl, model });
  try {
    for await (const part of client.stream({ model, messages, tools: [] }, limit.signal)) {
      if (part.type === "text-delta") text += part.text;
      else if (part.type === "text-was-reasoning") text = "";
      else if (part.type === "usage") usage = part.usage;
      else if (part.type === "error") error = part.error;
    }
  } finally {
    limit.dispose();
  }
  if (signal.aborted) return err(abortedError());
  if (limit.expired) return err(failed({ code: "overtime", limitMs }));
  if (error) return err(error);
  return text.trim() === "" ? err(failed({ code: "empty" })) : ok({ text: text.trim(), usage });
}
