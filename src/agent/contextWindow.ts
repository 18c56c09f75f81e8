import { countLines } from "../base/text.ts";
import type { Message, ToolSpec } from "../model/message.ts";
import { partOf } from "../tools/keptResults.ts";
import { type CountTokens, estimateTokens } from "./countTokens.ts";

type ToolMessage = Message & { readonly role: "tool" };

/** A request's messages as far as they could be made to fit. */
export interface FittedRequest {
  readonly messages: readonly Message[];
  readonly fits: boolean;
  /** Tokens of the request, about. */
  readonly tokens: number;
  /** Tokens that a request may have. */
  readonly limit: number;
  /** The message that takes the most, and its tokens; null without messages. */
  readonly largest: { readonly message: Message; readonly tokens: number } | null;
}

/** Kept free for the answer: a quarter of a small window, this much of a large one. */
const MAX_RESERVE = 16_000;
/** To how much of the limit results are clipped at once, so that the beginning of the requests, which providers cache, changes seldom. */
const CLIP_TO = 0.6;
/** Results up to this length, in UTF-16 units, are not worth clipping. */
const SHORT_RESULT = 400;
/** What a message takes beside its texts, in tokens. */
const MESSAGE_TOKENS = 6;
/** Results that are clipped keep their beginning, in UTF-16 units: enough to tell what was done. */
const CLIPPED_RESULT = 200;
/** A server's count that is smaller than this part of ours is not believed: some leave out what they had cached. */
const MIN_RATIO = 0.5;
/** How far a server's count may raise ours. */
const MAX_RATIO = 4;

/**
 * What fits into one model's context window. Tokens are counted by what the server said of the last request, in proportion, and before
 * it has said anything by the counter alone. Results that were clipped once stay clipped.
 */
export class ContextWindow {
  private readonly size: () => number;
  private count: CountTokens = estimateTokens;
  private ratio: number | null = null;
  /** Clipped results: the texts by their call ids, which may come again in a later turn. */
  private readonly clipped = new Map<string, string>();
  private counts = new Map<string, number>();
  /** Of the last request, before the proportion. */
  private lastCount = 0;
  /** Lower than the setting where the server refused a request that should have fitted. */
  private learnedLimit = Number.POSITIVE_INFINITY;

  /** `size` gives the window's tokens as they are set. */
  constructor(size: () => number) {
    this.size = size;
  }

  /** Tokens that a request may have. */
  get limit(): number {
    const size = this.size();
    return Math.floor(Math.min(size - Math.min(size / 4, MAX_RESERVE), this.learnedLimit));
  }

  /** True while the server has not said how it counts and the estimate is near enough to the limit that a tokenizer is worth loading. */
  wantsTokenizer(messages: readonly Message[]): boolean {
    return this.ratio === null && this.count === estimateTokens && this.countAll(messages) > this.limit / 2;
  }

  /** Counts with a tokenizer from now on. */
  useTokenizer(count: CountTokens): void {
    this.count = count;
    this.counts.clear();
  }

  /** The server counted `inputTokens` for the last request. */
  measured(inputTokens: number): void {
    const ratio = inputTokens / this.lastCount;
    if (ratio >= MIN_RATIO && Number.isFinite(ratio)) this.ratio = Math.min(MAX_RATIO, ratio);
  }

  /** The server found the last request too large: a fifth of it has to go. */
  refused(): void {
    this.learnedLimit = Math.min(this.limit, this.inTokens(this.lastCount) * 0.8);
  }

  /** Clips tool results, the oldest first, where the request is too large; those of the last `kept` messages with calls stay whole. */
  fit(messages: readonly Message[], tools: readonly ToolSpec[], kept: number): FittedRequest {
    const toolTokens = tools.length === 0 ? 0 : this.countText(JSON.stringify(tools));
    const size = (shown: readonly Message[]) => this.countAll(shown) + toolTokens;
    const { limit } = this;
    let shown = this.shown(messages);
    let count = size(shown);
    if (this.inTokens(count) > limit) {
      for (const { callId, text } of oldResults(shown, kept)) {
        if (this.inTokens(count) <= limit * CLIP_TO) break;
        this.clipped.set(callId, text);
        count -= this.countText(text) - this.countText(clippedText(text));
      }
      shown = this.shown(messages);
      count = size(shown);
    }
    this.lastCount = count;
    const tokens = this.inTokens(count);
    return { messages: shown, fits: tokens <= limit, tokens, limit, largest: this.largest(shown) };
  }

  private shown(messages: readonly Message[]): readonly Message[] {
    return messages.map((message) =>
      message.role === "tool" && this.clipped.get(message.callId) === message.text
        ? { ...message, text: clippedText(message.text) }
        : message,
    );
  }

  /** Tokens of one message, about. */
  tokensOf(message: Message): number {
    return this.inTokens(this.countMessage(message));
  }

  private largest(messages: readonly Message[]): FittedRequest["largest"] {
    let largest: FittedRequest["largest"] = null;
    for (const message of messages) {
      const tokens = this.tokensOf(message);
      if (!largest || tokens > largest.tokens) largest = { message, tokens };
    }
    return largest;
  }

  private countAll(messages: readonly Message[]): number {
    const before = this.counts;
    this.counts = new Map();
    let count = 0;
    for (const message of messages) count += this.countMessage(message, before);
    return count;
  }

  private countMessage(message: Message, before = this.counts): number {
    let count = MESSAGE_TOKENS + this.countText(message.text, before);
    if (message.role === "assistant") {
      for (const { name, argsText } of message.toolCalls) count += MESSAGE_TOKENS + this.countText(name + argsText, before);
      if (message.reasoning) count += this.countText(message.reasoning, before);
    }
    return count;
  }

  /** Texts of the last request are not counted again. */
  private countText(text: string, before = this.counts): number {
    const count = this.counts.get(text) ?? before.get(text) ?? this.count(text);
    this.counts.set(text, count);
    return count;
  }

  private inTokens(count: number): number {
    return Math.ceil(count * (this.ratio ?? 1));
  }
}

/** The results that may be clipped, the oldest first. */
function oldResults(messages: readonly Message[], kept: number): readonly ToolMessage[] {
  const calling = messages.flatMap((message, index) => (message.role === "assistant" && message.toolCalls.length > 0 ? [index] : []));
  return messages
    .slice(0, calling.at(-kept) ?? 0)
    .filter((message): message is ToolMessage => message.role === "tool" && message.text.length > SHORT_RESULT);
}

function clippedText(text: string): string {
  const { text: start } = partOf(text, 0, CLIPPED_RESULT);
  return `${start.trimEnd()}\n[clipped: ${countLines(text)} lines in all; look again to see them]`;
}
