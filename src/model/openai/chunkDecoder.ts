import { newId } from "../../base/ids.ts";
import { WholeCharacters } from "../../base/text/clip.ts";
import type { ModelRequest } from "../modelClient.ts";
import { offeredName } from "../offeredName.ts";
import type { FinishReason, StreamPart, Usage } from "../streamPart.ts";
import { TextCallScanner, type TextPiece } from "../textCalls/textCallScanner.ts";
import { type ChannelPiece, HarmonyReader } from "../thinking/harmonyReader.ts";
import { type ContentPiece, ThinkTagSplitter } from "../thinking/thinkTagSplitter.ts";
import { readOpenaiChunk } from "./openaiChunk.ts";
import { ProviderDataCollector } from "./providerDataCollector.ts";
import { ToolCallAssembler } from "./toolCallAssembler.ts";

/**
 * What each reason means, by its words: providers have their own names for the same, as Cohere,
 * Bedrock, Gemini, Anthropic and watsonx do. The first that fits counts.
 */
const FINISH_REASONS: readonly (readonly [FinishReason | "failure", RegExp])[] = [
  [
    // The provider failed: `error` is OpenRouter's, `abort` vLLM's and SGLang's,
    // `insufficient_system_resource` DeepSeek's, the calls that cannot be read are Gemini's.
    "failure",
    /error|abort|cancel|timeout|insufficient|malformed|unexpected|missing|too_many|call_filter/,
  ],
  [
    "content-filter",
    /filter|safety|sensitive|prohibit|recitation|blocklist|spii|guardrail|armor|refus|moderat/,
  ],
  ["length", /length|max|limit|window|incomplete/],
  ["tool-calls", /tool|function/],
  ["stop", /stop|end|eos|eot|complete|normal/],
];

/** The models whose own format has channels; only of these a call in one is no quotation. */
const WRITES_CHANNELS = /gpt[-_. ]?oss(?![a-z])/i;

/**
 * Turns the chunks of one streamed answer into stream parts. Never throws. Every quirk of a
 * provider's chunks ends here.
 */
export class ChunkDecoder {
  private readonly channels: HarmonyReader;
  private readonly splitter = new ThinkTagSplitter();
  private readonly calls: ToolCallAssembler;
  private readonly providerData = new ProviderDataCollector();
  /** Null unless the model was told to write its calls as text. */
  private textCalls: TextCallScanner | null;
  private readonly callNonce: string | undefined;
  private readonly offered: ReadonlySet<string>;
  /** The model was offered tools. */
  private readonly hasTools: boolean;
  /** The call that is being read from the text. */
  private textCall: { readonly callId: string; readonly name: string; argsText: string } | null =
    null;
  /** The calls that were read from the text. */
  private textCallIds: string[] = [];
  private readonly thinking = new WholeCharacters();
  private readonly written = new WholeCharacters();
  /** The choice whose text streams; null before the first text. */
  private lead: number | null = null;
  /** The text of other choices, which follows at the end. */
  private readonly aside = new Map<number, string>();
  /** The choices so far, and whether each has ended. */
  private readonly ended = new Map<number, boolean>();
  private content = false;
  /** Thinking came apart from the content. */
  private thought = false;
  private deltas = false;
  private gap = false;
  private foreign: string | null = null;
  /** Calls came in a form that is not known. */
  private lostCalls = false;
  private reason: FinishReason | null = null;
  private failure: string | null = null;
  private tokens: Usage = { inputTokens: null, outputTokens: null };

  constructor({
    messages,
    callNonce,
    model = "",
    tools = [],
  }: Pick<ModelRequest, "messages" | "callNonce"> &
    Partial<Pick<ModelRequest, "model" | "tools">>) {
    const calls = messages.flatMap((message) =>
      message.role === "assistant" ? message.toolCalls : [],
    );
    this.offered = new Set(tools.map(({ name }) => name));
    this.calls = new ToolCallAssembler(
      calls.map(({ callId }) => callId),
      this.offered,
    );
    // Of another model, or where the server reads the channels itself, it is a quotation.
    const writesChannels = tools.length > 0 && WRITES_CHANNELS.test(model);
    this.channels = new HarmonyReader(
      () => writesChannels && !this.thought && !this.calls.hasCalls,
    );
    this.callNonce = callNonce;
    this.hasTools = tools.length > 0 || callNonce !== undefined;
    this.textCalls = newScanner(callNonce);
  }

  /** True once the provider said why the model stopped; usage may still follow. */
  get finished(): boolean {
    return this.reason !== null && [...this.ended.values()].every((ended) => ended);
  }

  /** The finish reason by which the provider reported its own failure, or null. */
  get failureReason(): string | null {
    return this.reason === null ? this.failure : null;
  }

  /** True if any part of an answer arrived. */
  get hasContent(): boolean {
    return this.content || this.calls.hasCalls;
  }

  /** What came in place of an answer, in JSON of a form that is not known; null without. */
  get foreignJson(): string | null {
    return this.hasContent || this.ended.size > 0 ? null : this.foreign;
  }

  /** True if a piece of the answer was lost before its finish reason. */
  get hasGap(): boolean {
    return this.gap;
  }

  /** Takes the next wire chunk, parsed from JSON; `undefined` for one that is not JSON. */
  push(wire: unknown): StreamPart[] {
    if (wire === undefined) return this.lose();
    const chunk = readOpenaiChunk(wire, this.deltas);
    const { toolCalls } = chunk;
    if (chunk.choices.length === 0 && !chunk.usage) this.foreign ??= foreignText(wire);
    this.deltas ||= chunk.isDelta;
    const parts: StreamPart[] = [];
    const content = this.written.push(this.leadText(chunk.choices));
    const reasoning = this.thinking.push(chunk.reasoning);
    this.content ||= reasoning !== "" || content !== "" || this.aside.size > 0;
    if (reasoning !== "") {
      parts.push({ type: "reasoning-delta", text: reasoning });
      this.thought = true;
      this.splitter.thinksApart();
    }
    if (content !== "") {
      parts.push(...this.calls.settle());
      this.addChannels(parts, this.channels.push(content));
    }
    if (toolCalls.length > 0) parts.push(...this.calls.push(toolCalls));
    this.lostCalls ||= chunk.losesCalls;
    this.providerData.push(chunk);
    const { inputTokens, outputTokens } = this.tokens;
    const { usage } = chunk;
    if (usage) {
      const known = {
        inputTokens: usage.inputTokens ?? inputTokens,
        outputTokens: usage.outputTokens ?? outputTokens,
      };
      this.tokens = { ...this.tokens, ...usage, ...known };
    }
    for (const { finishReason } of chunk.choices) if (finishReason !== "") this.stop(finishReason);
    return parts;
  }

  /** The text of the choice that streams; keeps that of others, since two at once would mix. */
  private leadText(choices: ReturnType<typeof readOpenaiChunk>["choices"]): string {
    let text = "";
    for (const { index, content, finishReason } of choices.toSorted((a, b) => a.index - b.index)) {
      this.ended.set(index, this.ended.get(index) === true || finishReason !== "");
      if (content === "") continue;
      this.lead ??= index;
      if (index === this.lead) text += content;
      else this.aside.set(index, (this.aside.get(index) ?? "") + content);
    }
    return text;
  }

  /**
   * Ends a complete answer: held-back text, ends of calls, data that `source` wants back, usage,
   * `finish`.
   */
  finish(source = ""): StreamPart[] {
    const parts: StreamPart[] = [];
    this.release(parts, true);
    parts.push(...this.calls.end());
    const data = this.providerData.data(source, this.calls.extras());
    if (data) parts.push({ type: "provider-data", data });
    parts.push(...this.usage(), { type: "finish", reason: this.finishReason() });
    return parts;
  }

  /** Ends an answer that broke off: held-back text and usage. */
  breakOff(): StreamPart[] {
    const parts: StreamPart[] = [];
    this.release(parts, false);
    return [...parts, ...this.usage()];
  }

  private lose(): StreamPart[] {
    if (this.finished) return [];
    this.gap = true;
    return [{ type: "gap" }];
  }

  private usage(): StreamPart[] {
    const { tokens: usage } = this;
    return usage.inputTokens === null && usage.outputTokens === null
      ? []
      : [{ type: "usage", usage }];
  }

  private stop(finishReason: string): void {
    // Gemini appends details after a colon.
    const word = finishReason.toLowerCase().replace(/:.*/, "");
    const [reason] = FINISH_REASONS.find(([, words]) => words.test(word)) ?? ["unknown" as const];
    if (reason === "failure") {
      this.failure = word;
      return;
    }
    // The first of several reasons counts, unless a later one says the answer was cut off.
    if (this.reason === null || this.reason === "unknown" || reason === "length")
      this.reason = reason;
  }

  /** Some providers say `stop` although there are calls. Where they say calls, one is missing. */
  private finishReason(): FinishReason {
    const reason = this.reason ?? "unknown";
    if (reason === "length" || reason === "content-filter") return reason;
    if (this.calls.hasCalls || this.textCallIds.length > 0) return "tool-calls";
    if (this.lostCalls && this.hasTools) return "tool-calls";
    return reason === "tool-calls" && !this.hasTools ? "stop" : reason;
  }

  private release(parts: StreamPart[], complete: boolean): void {
    const thought = this.thinking.flush();
    if (thought !== "") parts.push({ type: "reasoning-delta", text: thought });
    this.addChannels(parts, this.channels.push(this.written.flush()));
    this.addChannels(parts, this.channels.end(complete));
    const isWhole = complete && this.reason !== "length";
    this.addPieces(parts, this.splitter.flush(isWhole ? "whole" : "cut"));
    for (const text of this.aside.values())
      this.addPieces(parts, [{ type: "text", text: `\n\n${text}` }]);
    this.aside.clear();
    this.addTextCalls(parts, this.textCalls?.end(complete) ?? []);
  }

  private addChannels(parts: StreamPart[], pieces: readonly ChannelPiece[]): void {
    for (const piece of pieces) {
      if (piece.type === "plain") this.addPieces(parts, this.splitter.push(piece.text));
      else if (piece.type === "text" || piece.type === "reasoning")
        this.addPieces(parts, [{ type: piece.type, text: piece.text }]);
      else if (piece.type === "call-start")
        this.addTextCalls(parts, [{ ...piece, name: offeredName(piece.name, this.offered) }]);
      else this.addTextCalls(parts, [piece]);
    }
  }

  private addPieces(parts: StreamPart[], pieces: readonly ContentPiece[]): void {
    for (const { type, text } of pieces) {
      if (type === "reasoning") parts.push({ type: "reasoning-delta", text });
      else if (type === "was-reasoning") this.takeBackText(parts);
      else if (type === "may-be-reasoning") parts.push({ type: "text-may-be-reasoning" });
      else this.addTextCalls(parts, this.textCalls?.push(text) ?? [{ type: "text", text }]);
    }
  }

  private takeBackText(parts: StreamPart[]): void {
    parts.push({ type: "text-was-reasoning", callIds: this.textCallIds });
    this.textCallIds = [];
    this.textCall = null;
    this.textCalls = newScanner(this.callNonce);
  }

  private addTextCalls(parts: StreamPart[], pieces: readonly TextPiece[]): void {
    for (const piece of pieces) {
      if (piece.type === "text") parts.push({ type: "text-delta", text: piece.text });
      else if (piece.type === "call-start") {
        const call = { callId: newId("call"), name: piece.name };
        this.textCall = { ...call, argsText: "" };
        this.textCallIds.push(call.callId);
        parts.push({ type: "tool-call-start", ...call });
      } else if (this.textCall && piece.type === "call-arguments") {
        this.textCall.argsText += piece.text;
        parts.push({ type: "tool-call-delta", callId: this.textCall.callId, argsText: piece.text });
      } else if (this.textCall) {
        const { callId, name, argsText } = this.textCall;
        parts.push({ type: "tool-call-end", callId, name, argsText: argsText.trim() || "{}" });
        this.textCall = null;
      }
    }
  }
}

function newScanner(nonce: string | undefined): TextCallScanner | null {
  return nonce === undefined ? null : new TextCallScanner(nonce);
}

/** The most that is kept of JSON of another form, in UTF-16 units. */
const MAX_FOREIGN = 1_000;

function foreignText(wire: unknown): string | null {
  if (typeof wire !== "object" || wire === null || "choices" in wire) return null;
  return Object.keys(wire).length === 0 ? null : JSON.stringify(wire).slice(0, MAX_FOREIGN);
}
