import { newId } from "../base/ids.ts";
import type { DemoAnswer } from "./demoAnswer.ts";

/** How an answer is streamed. */
export interface StreamPace {
  readonly model: string;
  readonly includeUsage: boolean;
  /** Milliseconds between two chunks; long answers go faster, so that none takes more than about 20 seconds. */
  readonly delayMs: number;
}

const LONGEST_MS = 20_000;

/** The answer as the server-sent events of a streamed chat completion, in chunks the size of tokens. Aborting `signal` fails the stream with its reason. */
export function completionStream(answer: DemoAnswer, pace: StreamPace, signal: AbortSignal): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder();
  const events = completionEvents(answer, pace.model, pace.includeUsage);
  const delayMs = Math.min(pace.delayMs, LONGEST_MS / events.length);
  let next = 0;
  const cancelled = new AbortController();
  const stop = AbortSignal.any([signal, cancelled.signal]);
  return new ReadableStream({
    async pull(controller) {
      if (delayMs > 0) await pause(delayMs, stop);
      if (signal.aborted) return controller.error(signal.reason);
      const event = events[next++];
      if (event === undefined) controller.close();
      else controller.enqueue(encoder.encode(`data: ${event}\n\n`));
    },
    cancel: () => cancelled.abort(),
  });
}

/** The answer as one chat completion, for a request that does not stream. */
export function wholeCompletion(answer: DemoAnswer, model: string): object {
  const toolCalls = answer.calls.map(({ name, args }) => ({
    id: newId("call"),
    type: "function",
    function: { name, arguments: JSON.stringify(args) },
  }));
  const message = { role: "assistant", content: answer.text, ...(toolCalls.length > 0 ? { tool_calls: toolCalls } : {}) };
  return {
    id: newId("chatcmpl"),
    object: "chat.completion",
    created: Math.floor(Date.now() / 1000),
    model,
    choices: [{ index: 0, message, finish_reason: finishReason(answer) }],
    usage: usage(answer),
  };
}

function completionEvents(answer: DemoAnswer, model: string, includeUsage: boolean): readonly string[] {
  const head = { id: newId("chatcmpl"), object: "chat.completion.chunk", created: Math.floor(Date.now() / 1000), model };
  const chunk = (delta: object, finish: string | null = null) =>
    JSON.stringify({ ...head, choices: [{ index: 0, delta, finish_reason: finish }] });
  const events = [chunk({ role: "assistant", content: "" }), ...tokens(answer.text).map((content) => chunk({ content }))];
  answer.calls.forEach(({ name, args }, index) => {
    events.push(chunk({ tool_calls: [{ index, id: newId("call"), type: "function", function: { name, arguments: "" } }] }));
    for (const part of tokens(JSON.stringify(args))) events.push(chunk({ tool_calls: [{ index, function: { arguments: part } }] }));
  });
  events.push(chunk({}, finishReason(answer)));
  if (includeUsage) events.push(JSON.stringify({ ...head, choices: [], usage: usage(answer) }));
  return [...events, "[DONE]"];
}

/** Pieces the size of a model's tokens; joined they are the text. */
function tokens(text: string): readonly string[] {
  return text.match(/\s?\p{L}{1,7}|\s?\p{N}{1,3}|[^\S\n]+|\n+|[^\s\p{L}\p{N}]{1,3}/gu) ?? [];
}

function finishReason(answer: DemoAnswer): string {
  return answer.calls.length > 0 ? "tool_calls" : "stop";
}

/** A script reads and writes no tokens. */
function usage(answer: DemoAnswer): object {
  const completion = tokens(answer.text).length;
  return { prompt_tokens: 0, completion_tokens: completion, total_tokens: completion };
}

function pause(milliseconds: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) return resolve();
    const done = () => {
      clearTimeout(timer);
      signal.removeEventListener("abort", done);
      resolve();
    };
    const timer = setTimeout(done, milliseconds);
    signal.addEventListener("abort", done);
  });
}
