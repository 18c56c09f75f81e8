import { newId } from "../base/ids.ts";
import { pause } from "../base/pause.ts";
import { parseDemoRequest } from "./demoRequest.ts";
import { type DemoAnswer, demoScript } from "./demoScript.ts";
import type { DemoPorts } from "./demoSource.ts";

/** An answer that would stream longer than this streams faster. */
const LONGEST_MS = 20_000;

/** A `fetch` that answers chat completions from a script, without AI or network. `delayMs` is the pause between two chunks. */
export function createDemoFetch(ports: DemoPorts, delayMs = 12): typeof fetch {
  return async (input, init) => {
    const http = new Request(input, init);
    const request = parseDemoRequest(await http.text());
    if (!request) {
      return new Response(JSON.stringify({ error: { message: "Demo mode answers chat completions only." } }), { status: 400 });
    }
    const answer = await demoScript(request, ports, http.signal);
    http.signal.throwIfAborted();
    return new Response(eventStream(answer, delayMs, http.signal), { headers: { "content-type": "text/event-stream; charset=utf-8" } });
  };
}

/** Aborting `signal` fails the stream with its reason. */
function eventStream(answer: DemoAnswer, delayMs: number, signal: AbortSignal): ReadableStream<Uint8Array> {
  const encoder = new TextEncoder();
  const events = completionEvents(answer);
  const delay = Math.min(delayMs, LONGEST_MS / events.length);
  let next = 0;
  return new ReadableStream({
    async pull(controller) {
      if (delay > 0) await pause(delay, signal);
      if (signal.aborted) return controller.error(signal.reason);
      const event = events[next++];
      if (event === undefined) controller.close();
      else controller.enqueue(encoder.encode(`data: ${event}\n\n`));
    },
  });
}

function completionEvents({ text, call }: DemoAnswer): readonly string[] {
  const head = { id: newId("chatcmpl"), object: "chat.completion.chunk", created: Math.floor(Date.now() / 1000), model: "demo" };
  const chunk = (delta: object, finish: string | null = null) =>
    JSON.stringify({ ...head, choices: [{ index: 0, delta, finish_reason: finish }] });
  const events = tokens(text).map((content) => chunk({ role: "assistant", content }));
  if (call) {
    events.push(chunk({ tool_calls: [{ index: 0, id: newId("call"), type: "function", function: { name: call.name, arguments: "" } }] }));
    for (const part of tokens(JSON.stringify(call.args))) events.push(chunk({ tool_calls: [{ index: 0, function: { arguments: part } }] }));
  }
  return [...events, chunk({}, call ? "tool_calls" : "stop"), "[DONE]"];
}

/** Pieces the size of a model's tokens. Joined they are the text. */
function tokens(text: string): readonly string[] {
  return text.match(/\s?\p{L}{1,7}|\s?\p{N}{1,3}|[^\S\n]+|\n+|[^\s\p{L}\p{N}]{1,3}/gu) ?? [];
}
