import { newId } from "../base/ids.ts";
import { pause } from "../base/pause.ts";
import type { ModelClient } from "../model/modelClient.ts";
import { abortedError } from "../model/modelFailure.ts";
import type { StreamPart } from "../model/streamPart.ts";
import { type DemoAnswer, demoScript } from "./demoScript.ts";
import type { DemoPorts } from "./demoSource.ts";

/** The longest answer, in milliseconds. Longer ones stream faster. */
const LONGEST_MS = 20_000;

/** A scripted model without AI or network. `delayMs` is the pause between two chunks. */
export function createDemoClient(ports: DemoPorts, delayMs = 12): ModelClient {
  return {
    baseUrl: "http://demo.invalid/v1",
    async *stream(request, signal) {
      const parts = answerParts(await demoScript(request, ports, signal));
      const delay = Math.min(delayMs, LONGEST_MS / parts.length);
      for (const part of parts) {
        if (delay > 0) await pause(delay, signal);
        if (signal.aborted) {
          yield { type: "error", error: abortedError() };
          return;
        }
        yield part;
      }
    },
  };
}

/** No model reads or writes. */
const NO_TOKENS: StreamPart = { type: "usage", usage: { inputTokens: 0, outputTokens: 0 } };

/** Only what the user watches comes in pieces: the first diff should be there soon. */
function answerParts({ lead, text, call }: DemoAnswer): readonly StreamPart[] {
  const said = [...(lead === undefined ? [] : [lead]), ...(call ? [text] : tokens(text))].map(
    (piece): StreamPart => ({ type: "text-delta", text: piece }),
  );
  if (!call) return [...said, NO_TOKENS, { type: "finish", reason: "stop" }];
  const { name } = call;
  const callId = newId("call");
  const argsText = JSON.stringify(call.args);
  return [
    ...said,
    { type: "tool-call-start", callId, name },
    { type: "tool-call-delta", callId, argsText },
    { type: "tool-call-end", callId, name, argsText },
    NO_TOKENS,
    { type: "finish", reason: "tool-calls" },
  ];
}

/** Splits a text into pieces the size of model tokens. */
function tokens(text: string): readonly string[] {
  return text.match(/\s?\p{L}{1,7}|\s?\p{N}{1,3}|[^\S\n]+|\n+|[^\s\p{L}\p{N}]{1,3}/gu) ?? [];
}
