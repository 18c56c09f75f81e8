import { err, ok, type Result } from "../../base/result.ts";
import type { ModelClient, ModelRequest } from "../modelClient.ts";
import { abortedError, type ModelError } from "../modelFailure.ts";
import type { StreamPart } from "../streamPart.ts";

/** What a short question to a model showed. */
export interface ModelMeasurement {
  readonly firstTokenMs: number;
  /** Null where the answer was too short, or came at once. */
  readonly tokensPerSecond: number | null;
  /** True when the model called a tool that it was asked to call. */
  readonly tools: boolean;
}

/** An answer that came within fewer milliseconds says nothing about speed. */
const SHORTEST_MS = 50;

const tool = {
  name: "connection_test",
  description: "Reports that tools work.",
  parameters: { type: "object", properties: { text: { type: "string" } }, required: ["text"] },
};

/**
 * Asks a model to call a tool and then to count. The window is left alone: both requests are small.
 */
export async function measureModel(
  client: ModelClient,
  model: string,
  signal: AbortSignal,
): Promise<Result<ModelMeasurement, ModelError>> {
  const called = await timeAnswer(
    client,
    {
      model,
      messages: [{ role: "user", text: 'Call the tool connection_test with the text "ok".' }],
      tools: [tool],
    },
    signal,
  );
  if (!called.ok && called.error.kind !== "tools-refused") return called;
  const counted = await timeAnswer(
    client,
    {
      model,
      messages: [{ role: "user", text: "Count from 1 to 40, separated by commas." }],
      tools: [],
    },
    signal,
  );
  if (!counted.ok) return counted;
  const { firstMs, lastMs, tokens } = counted.value;
  const streamedMs = lastMs - firstMs;
  return ok({
    firstTokenMs: firstMs,
    tokensPerSecond: streamedMs < SHORTEST_MS || tokens < 2 ? null : (tokens * 1000) / streamedMs,
    tools: called.ok && called.value.calledTool,
  });
}

interface Answer {
  /** Milliseconds from the request to the first and to the last piece of the answer. */
  readonly firstMs: number;
  readonly lastMs: number;
  /** As the server counts; else the number of pieces. */
  readonly tokens: number;
  readonly calledTool: boolean;
}

async function timeAnswer(
  client: ModelClient,
  request: ModelRequest,
  signal: AbortSignal,
): Promise<Result<Answer, ModelError>> {
  const started = performance.now();
  let firstMs: number | null = null;
  let lastMs = 0;
  let pieces = 0;
  let tokens: number | null = null;
  let calledTool = false;
  for await (const part of client.stream(request, signal)) {
    if (part.type === "error") return err(part.error);
    if (part.type === "usage") tokens = part.usage.outputTokens;
    if (part.type === "tool-call-end") calledTool = true;
    if (!isPiece(part)) continue;
    lastMs = performance.now() - started;
    firstMs ??= lastMs;
    pieces++;
  }
  if (signal.aborted) return err(abortedError());
  return ok({
    firstMs: firstMs ?? performance.now() - started,
    lastMs,
    tokens: tokens ?? pieces,
    calledTool,
  });
}

function isPiece({ type }: StreamPart): boolean {
  return (
    type === "text-delta" ||
    type === "reasoning-delta" ||
    type === "tool-call-start" ||
    type === "tool-call-delta"
  );
}
