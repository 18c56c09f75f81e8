import { sentence } from "../../base/text/sentence.ts";
import type { ToolCall } from "../../model/message.ts";
import type { ModelClient, ModelRequest } from "../../model/modelClient.ts";
import { modelError } from "../../model/modelFailure.ts";
import type { ModelPrice } from "../../model/modelInfo.ts";
import type { FinishReason, StreamPart, Usage } from "../../model/streamPart.ts";
import { withCost } from "../../model/usageCost.ts";
import { parseArguments } from "../../tools/toolArguments.ts";
import type { EmitTurnEvent } from "../../turns/streamRegistry.ts";
import type { TurnError } from "../../turns/turnError.ts";

/** One answer of the model, complete or not. */
export interface Answer {
  readonly reason: FinishReason | "error" | "cancelled";
  /** Set when the reason is `error`. */
  readonly error: TurnError | null;
  /** Every call that began, in order; one that was cut off has no arguments. */
  readonly calls: readonly ToolCall[];
  /** True when there was neither text nor a call. */
  readonly empty: boolean;
  /** True when anything arrived, including thinking. */
  readonly begun: boolean;
  /** The server's token count, or null. */
  readonly usage: Usage | null;
}

/** Where the parts of an answer go. */
interface AnswerTarget {
  readonly emit: EmitTurnEvent;
  /** What the model's tokens cost; null where unknown. */
  readonly price: ModelPrice | null;
  /** Called before the first part is emitted. */
  begins?(): unknown;
}

/** Streams one answer and emits its parts as they arrive. Never throws. */
export async function streamAnswer(client: ModelClient, request: ModelRequest, target: AnswerTarget, signal: AbortSignal): Promise<Answer> {
  const recorder = new AnswerRecorder(target);
  try {
    for await (const part of client.stream(request, signal)) {
      if (signal.aborted) break;
      recorder.take(part);
    }
  } catch (reason) {
    recorder.fail(modelError({ code: "interrupted", said: sentence(reason) }, { baseUrl: client.baseUrl, model: request.model }));
  }
  return recorder.finish(signal.aborted);
}

class AnswerRecorder {
  private readonly calls = new Map<string, ToolCall>();
  private usage: Usage | null = null;
  private end: { readonly reason: FinishReason | "error"; readonly error: TurnError | null } | null = null;
  private hasText = false;
  private begun = false;
  private readonly target: AnswerTarget;

  constructor(target: AnswerTarget) {
    this.target = target;
  }

  take(part: StreamPart): void {
    if (!this.begun && part.type !== "usage" && part.type !== "finish" && part.type !== "error") {
      this.begun = true;
      this.target.begins?.();
    }
    switch (part.type) {
      case "text-delta":
        this.hasText ||= part.text.trim() !== "";
        this.target.emit(part);
        return;
      case "reasoning-delta":
        this.target.emit(part);
        return;
      case "tool-call-start":
        this.calls.set(part.callId, { callId: part.callId, name: part.name, argsText: "" });
        this.target.emit(part);
        return;
      case "tool-call-delta":
        this.target.emit(part);
        return;
      case "tool-call-end":
        this.complete(part);
        return;
      case "provider-data":
        this.target.emit({ ...part.data, type: "provider-data" });
        return;
      case "usage":
        this.usage = withCost(part.usage, this.target.price);
        return;
      case "finish":
        this.end ??= { reason: part.reason, error: null };
        return;
      case "error":
        this.fail(part.error);
        return;
    }
  }

  fail(error: TurnError): void {
    this.end ??= { reason: "error", error };
  }

  finish(aborted: boolean): Answer {
    if (this.usage) this.target.emit({ type: "usage", usage: this.usage });
    const calls = [...this.calls.values()];
    const { begun, usage } = this;
    const empty = !this.hasText && calls.length === 0;
    if (aborted) return { reason: "cancelled", error: null, calls, empty, begun, usage };
    return { reason: "unknown", error: null, ...this.end, calls, empty, begun, usage };
  }

  private complete({ callId, name, argsText }: StreamPart & { type: "tool-call-end" }): void {
    const input = parseArguments(argsText);
    this.calls.set(callId, { callId, name, argsText });
    this.target.emit({ type: "tool-call", callId, name, argsText, input: input.ok ? input.value : argsText });
  }
}
