import type { ModelClient, ModelRequest, ModelTimeLimits } from "../../../src/model/modelClient.ts";
import type { ModelError } from "../../../src/model/modelFailure.ts";
import type { FinishReason, StreamPart, Usage } from "../../../src/model/streamPart.ts";

/** Limits that no test waits for. */
export const GENEROUS: ModelTimeLimits = {
  connectMs: 60_000,
  firstTokenMs: 60_000,
  idleMs: 60_000,
};

/** A request that says hello. */
export const HELLO: ModelRequest = {
  model: "test-model",
  messages: [{ role: "user", text: "Hello" }],
  tools: [],
};

/** A whole answer, its deltas joined. */
export interface Collected {
  readonly text: string;
  readonly reasoning: string;
  readonly calls: readonly {
    readonly callId: string;
    readonly name: string;
    readonly args: string;
    readonly deltas: string;
  }[];
  readonly usage: Usage | null;
  readonly finish: FinishReason | null;
  readonly error: ModelError | null;
}

/** Joins the parts of an answer. Throws where the parts break the contract of a stream. */
export function collect(parts: readonly StreamPart[]): Collected {
  const read = { text: "", reasoning: "" };
  const calls = new Map<
    string,
    { callId: string; name: string; args: string; deltas: string; ended: boolean }
  >();
  let usage: Usage | null = null;
  let last: StreamPart | null = null;
  const open = (callId: string) => {
    const call = calls.get(callId);
    if (!call || call.ended) throw new Error(`A part names the call ${callId}, which is not open.`);
    return call;
  };
  for (const part of parts) {
    if (last?.type === "finish" || last?.type === "error")
      throw new Error(`${part.type} follows the end`);
    last = part;
    if (part.type === "text-delta") read.text += part.text;
    else if (part.type === "reasoning-delta") read.reasoning += part.text;
    else if (part.type === "usage") usage = part.usage;
    else if (part.type === "tool-call-start") {
      if (calls.has(part.callId)) throw new Error(`The call ${part.callId} starts twice.`);
      calls.set(part.callId, {
        callId: part.callId,
        name: part.name,
        args: "",
        deltas: "",
        ended: false,
      });
    } else if (part.type === "tool-call-delta") open(part.callId).deltas += part.argsText;
    else if (part.type === "tool-call-end")
      Object.assign(open(part.callId), { args: part.argsText, ended: true });
  }
  return {
    ...read,
    calls: [...calls.values()].map(({ callId, name, args, deltas }) => ({
      callId,
      name,
      args,
      deltas,
    })),
    usage,
    finish: last?.type === "finish" ? last.reason : null,
    error: last?.type === "error" ? last.error : null,
  };
}

/** Reads a whole answer. */
export async function partsOf(
  client: ModelClient,
  request: ModelRequest,
  signal: AbortSignal,
): Promise<StreamPart[]> {
  const parts: StreamPart[] = [];
  for await (const part of client.stream(request, signal)) parts.push(part);
  return parts;
}

/** Reads and joins a whole answer. */
export async function answerOf(
  client: ModelClient,
  request: ModelRequest = HELLO,
): Promise<Collected> {
  return collect(await partsOf(client, request, new AbortController().signal));
}
