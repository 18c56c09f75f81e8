import { newId } from "../base/ids.ts";
import type { ToolSpec } from "./message.ts";
import { readOpenaiChunk } from "./openaiChunk.ts";
import { ProviderDataCollector } from "./providerDataCollector.ts";
import type { FinishReason, StreamPart } from "./streamPart.ts";
import { TextCallScanner, type TextPiece } from "./textCallScanner.ts";
import { type ContentPiece, ThinkTagSplitter } from "./thinkTagSplitter.ts";
import { ToolCallAssembler } from "./toolCallAssembler.ts";

const FINISH_REASONS: ReadonlyMap<string, FinishReason> = new Map([
  ["stop", "stop"],
  ["end_turn", "stop"],
  ["eos", "stop"],
  ["eos_token", "stop"],
  ["stop_sequence", "stop"],
  ["length", "length"],
  ["max_tokens", "length"],
  ["model_length", "length"],
  ["model_context_window_exceeded", "length"],
  ["tool_calls", "tool-calls"],
  ["function_call", "tool-calls"],
  ["tool_call", "tool-calls"],
  ["tool_use", "tool-calls"],
  ["content_filter", "content-filter"],
  ["safety", "content-filter"],
  ["sensitive", "content-filter"],
  ["prohibited_content", "content-filter"],
  ["recitation", "content-filter"],
]);

/**
 * Reasons that say the provider failed: `error` is OpenRouter's (https://openrouter.ai/docs/api-reference/streaming), `abort` vLLM's
 * and SGLang's, `insufficient_system_resource` DeepSeek's (https://api-docs.deepseek.com/api/create-chat-completion), `network_error`
 * Zhipu's (https://docs.bigmodel.cn/api-reference/模型-api/对话补全); the last two are Gemini's for a call that it could not read.
 */
const FAILURE_REASONS: ReadonlySet<string> = new Set([
  "error",
  "abort",
  "insufficient_system_resource",
  "network_error",
  "malformed_function_call",
  "function_call_filter",
]);

/**
 * Turns the chunks of one streamed answer into stream parts. Total: no chunk, however odd, throws.
 * Every quirk of a provider's chunks is dealt with here or in what this calls, and nowhere else; `eventError` knows what is no chunk.
 */
export class OpenaiParts {
  private readonly splitter = new ThinkTagSplitter();
  private readonly calls: ToolCallAssembler;
  private readonly providerData = new ProviderDataCollector();
  /** Null where the request had no tools, so that no text can be a call. */
  private readonly textCalls: TextCallScanner | null;
  private hasTextCalls = false;
  private over = false;
  private content = false;
  private deltas = false;
  private reason: FinishReason | null = null;
  private reasonBesideCall = false;
  private failure: string | null = null;
  private inputTokens: number | null = null;
  private outputTokens: number | null = null;

  /**
   * `takenCallIds` are the call ids the conversation holds already; no new call gets one of them. `tools` and `blocksAreContent` are
   * those of the request.
   */
  constructor(takenCallIds: Iterable<string>, tools: readonly ToolSpec[] = [], blocksAreContent = false) {
    this.calls = new ToolCallAssembler(takenCallIds);
    this.textCalls = tools.length === 0 ? null : new TextCallScanner(tools, blocksAreContent);
  }

  /** True once the provider said why the model stopped; usage may still follow. */
  get finished(): boolean {
    return this.reason !== null;
  }

  /** True where the latest chunk with a finish reason brought a call too: OpenRouter's DeepInfra gives the reason with each of several. */
  get callsMayFollow(): boolean {
    return this.reasonBesideCall;
  }

  /** The provider's word for its own failure given in place of a finish reason, else null. */
  get failureReason(): string | null {
    return this.reason === null ? this.failure : null;
  }

  /** True when anything of an answer came, given out or held back. */
  get hasContent(): boolean {
    return this.content || this.calls.hasCalls;
  }

  /** Takes the next wire chunk, already parsed from JSON. */
  push(wire: unknown): StreamPart[] {
    const chunk = readOpenaiChunk(wire, this.deltas);
    this.deltas ||= chunk.isDelta;
    const parts: StreamPart[] = [];
    this.content ||= chunk.reasoning !== "" || chunk.content !== "";
    if (chunk.reasoning !== "") parts.push({ type: "reasoning-delta", text: chunk.reasoning });
    if (chunk.content !== "") {
      parts.push(...this.calls.settle());
      this.addPieces(parts, this.splitter.push(chunk.content));
    }
    if (chunk.toolCalls.length > 0) parts.push(...this.calls.push(chunk.toolCalls));
    this.providerData.push(chunk);
    this.inputTokens = chunk.inputTokens ?? this.inputTokens;
    this.outputTokens = chunk.outputTokens ?? this.outputTokens;
    if (chunk.finishReason !== "") {
      this.reasonBesideCall = chunk.toolCalls.length > 0;
      this.stop(chunk.finishReason);
    }
    return parts;
  }

  /**
   * The answer is complete: gives what was held back, the ends of the calls, what `source` wants back with it, the usage where known,
   * and `finish`.
   */
  finish(source = ""): StreamPart[] {
    const parts: StreamPart[] = [];
    this.over = true;
    this.addPieces(parts, this.splitter.flush());
    this.addTextCalls(parts, this.textCalls?.end(this.reason !== "length") ?? []);
    parts.push(...this.calls.end());
    const data = this.providerData.data(source, this.calls.extras());
    if (data) parts.push({ type: "provider-data", data });
    parts.push(...this.usage(), { type: "finish", reason: this.finishReason() });
    return parts;
  }

  /** The answer broke off: gives what was held back, as text, and the usage where known. */
  breakOff(): StreamPart[] {
    const parts: StreamPart[] = [];
    this.addPieces(parts, this.splitter.flush());
    this.addTextCalls(parts, this.textCalls?.end(false) ?? []);
    return [...parts, ...this.usage()];
  }

  /** The usage as far as the server told it. */
  usage(): StreamPart[] {
    const { inputTokens, outputTokens } = this;
    return inputTokens === null && outputTokens === null ? [] : [{ type: "usage", usage: { inputTokens, outputTokens } }];
  }

  private stop(finishReason: string): void {
    // Gemini's may go on after a colon.
    const word = finishReason.toLowerCase().replace(/:.*/, "");
    if (FAILURE_REASONS.has(word)) {
      this.failure = word;
      return;
    }
    const reason = FINISH_REASONS.get(word) ?? "unknown";
    // Of several reasons, the first counts, but that the answer was cut off must not be lost.
    if (this.reason === null || this.reason === "unknown" || reason === "length") this.reason = reason;
  }

  /** Some say `stop` although there are calls, or the other way round. */
  private finishReason(): FinishReason {
    const reason = this.reason ?? "unknown";
    if (reason === "length" || reason === "content-filter") return reason;
    if (this.calls.hasCalls || this.hasTextCalls) return "tool-calls";
    return reason === "tool-calls" ? "stop" : reason;
  }

  private addPieces(parts: StreamPart[], pieces: readonly ContentPiece[]): void {
    for (const { type, text } of pieces) {
      if (type === "reasoning") parts.push({ type: "reasoning-delta", text });
      else if (this.textCalls) this.addTextCalls(parts, this.textCalls.push(text));
      else parts.push({ type: "text-delta", text });
    }
  }

  private addTextCalls(parts: StreamPart[], pieces: readonly TextPiece[]): void {
    for (const piece of pieces) {
      if (piece.type === "text") {
        parts.push({ type: "text-delta", text: piece.text });
        continue;
      }
      const { name, argsText } = piece;
      const callId = newId("call");
      this.hasTextCalls = true;
      parts.push({ type: "tool-call-start", callId, name }, { type: "tool-call-delta", callId, argsText });
      parts.push({ type: "tool-call-end", callId, name, argsText, ...(this.over ? {} : { more: true }) });
    }
  }
}
