import type { Message, ToolSpec } from "../model/message.ts";
import { partOf } from "../tools/keptResults.ts";
import { clippedResult } from "./messages.ts";

type ToolMessage = Message & { readonly role: "tool" };

/** Keeps a result of which the model is shown the first `end` UTF-16 units, and gives the note that tells it how to read on. */
export type ReadOn = (text: string, end: number) => string;

/** What the model is shown of a result, which has the first `length` UTF-16 units of it. */
interface Clip {
  readonly text: string;
  readonly length: number;
  readonly shown: string;
}

/** A request's messages as far as they could be made to fit. */
export interface FittedRequest {
  readonly messages: readonly Message[];
  readonly fits: boolean;
  /** Tokens of the request, about. */
  readonly tokens: number;
  /** Tokens that a request may have. */
  readonly limit: number;
  /** Whose message takes the most, or that all tools together do, and its tokens. */
  readonly largest: { readonly of: Message["role"] | "tools"; readonly tokens: number };
}

/** Kept free for the answer: a quarter of a small window, this much of a large one. */
const MAX_RESERVE = 16_000;
/** To how much of the limit, or of the room that the rest leaves to the newest, results are clipped at once, so that the beginning of the requests, which providers cache, changes seldom. */
const CLIP_TO = 0.6;
/** Results up to this length, in UTF-16 units, are not worth clipping. */
const SHORT_RESULT = 400;
/** What a message takes beside its texts, in tokens. */
const MESSAGE_TOKENS = 6;
/** Results that are clipped keep their beginning, in UTF-16 units: enough to tell what was done. */
const CLIPPED_RESULT = 200;
/** By how much the newest results are made shorter at a time, until they fit. */
const STEP = 0.7;
/** What the note behind a part of one of the newest results takes, in tokens. */
const NOTE_TOKENS = 50;
/** A server's count that is smaller than this part of ours is not believed: some leave out what they had cached. */
const MIN_RATIO = 0.5;
/** How far a server's count may raise ours. */
const MAX_RATIO = 4;
/** Texts whose token counts are remembered. */
const MAX_COUNTS = 10_000;

/**
 * What fits into one model's context window. Tokens are counted by what the server said of the last request, in proportion, and before
 * it has said anything by the estimate alone. Results that were clipped once stay clipped.
 */
export class ContextWindow {
  private readonly size: () => number;
  private ratio: number | null = null;
  /** By call ids, which may come again in a later turn with another text. */
  private readonly clips = new Map<string, Clip>();
  private readonly counts = new Map<string, number>();
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

  /** The server counted `inputTokens` for the last request. */
  measured(inputTokens: number): void {
    const ratio = inputTokens / this.lastCount;
    if (ratio >= MIN_RATIO && Number.isFinite(ratio)) this.ratio = Math.min(MAX_RATIO, ratio);
  }

  /** The server found the last request too large: a fifth of it has to go, and half of it where it was `again`. */
  refused(again: boolean): void {
    this.learnedLimit = Math.min(this.limit, this.inTokens(this.lastCount) * (again ? 0.5 : 0.8));
  }

  /**
   * Clips tool results where the request is too large, the oldest first; those of the last `kept` messages with calls stay whole. The
   * newest, where they alone are too large or none may stay whole, keep their beginnings as far as there is room.
   */
  fit(messages: readonly Message[], tools: readonly ToolSpec[], kept: number, readOn: ReadOn): FittedRequest {
    const { limit } = this;
    const { older, newest } = resultsOf(messages, kept);
    const toolCount = tools.length === 0 ? 0 : this.countText(JSON.stringify(tools));
    const always = toolCount + this.countShown(messages.filter(({ role }) => role === "system"));
    if (this.inTokens(always + this.countShown(newest)) > limit) this.clipNewest(newest, limit - this.inTokens(always), readOn);
    const size = () => toolCount + this.countShown(messages);
    let count = size();
    if (this.inTokens(count) > limit) {
      for (const { callId, text } of older) {
        if (this.inTokens(count) <= limit * CLIP_TO) break;
        const before = this.textOf(callId, text);
        if (before.length <= SHORT_RESULT) continue;
        const shown = clippedResult(partOf(text, 0, CLIPPED_RESULT).text, text);
        this.clips.set(callId, { text, length: CLIPPED_RESULT, shown });
        count -= this.countText(before) - this.countText(shown);
      }
      const others = this.inTokens(count - this.countShown(newest));
      if (kept === 0 && this.inTokens(count) > limit) this.clipNewest(newest, limit - others, readOn);
      count = size();
    }
    this.lastCount = count;
    const tokens = this.inTokens(count);
    return { messages: this.shown(messages), fits: tokens <= limit, tokens, limit, largest: this.largest(this.shown(messages), toolCount) };
  }

  /** Cuts the longest of the newest results down to one length, so that all of them take a part of `room`, in tokens. */
  private clipNewest(newest: readonly ToolMessage[], room: number, readOn: ReadOn): void {
    const long = newest.filter(({ text }) => text.length > SHORT_RESULT);
    const lengthOf = ({ callId, text }: ToolMessage) => this.clipOf(callId, text)?.length ?? text.length;
    const isLonger = (result: ToolMessage, length: number) => lengthOf(result) > length;
    const countAt = (length: number) => {
      const cut = long.filter((result) => isLonger(result, length));
      const whole = newest.filter((result) => !cut.includes(result));
      const parts = cut.map(({ text }) => MESSAGE_TOKENS + NOTE_TOKENS + this.countText(partOf(text, 0, length).text));
      return this.countShown(whole) + parts.reduce((sum, each) => sum + each, 0);
    };
    let length = Math.max(0, ...long.map(lengthOf));
    while (length > CLIPPED_RESULT && this.inTokens(countAt(length)) > room * CLIP_TO)
      length = Math.max(CLIPPED_RESULT, Math.floor(length * STEP));
    for (const result of long) {
      if (!isLonger(result, length)) continue;
      const { callId, text } = result;
      const part = partOf(text, 0, length);
      this.clips.set(callId, { text, length, shown: part.text + readOn(text, part.end) });
    }
  }

  private shown(messages: readonly Message[]): readonly Message[] {
    return messages.map((message) => (message.role === "tool" ? { ...message, text: this.textOf(message.callId, message.text) } : message));
  }

  private textOf(callId: string, text: string): string {
    return this.clipOf(callId, text)?.shown ?? text;
  }

  private clipOf(callId: string, text: string): Clip | undefined {
    const clip = this.clips.get(callId);
    return clip?.text === text ? clip : undefined;
  }

  /** Tokens of one message, about. */
  tokensOf(message: Message): number {
    return this.inTokens(this.countMessage(message));
  }

  private largest(messages: readonly Message[], toolCount: number): FittedRequest["largest"] {
    let largest: FittedRequest["largest"] = { of: "tools", tokens: this.inTokens(toolCount) };
    for (const message of messages) {
      const tokens = this.tokensOf(message);
      if (tokens > largest.tokens) largest = { of: message.role, tokens };
    }
    return largest;
  }

  private countShown(messages: readonly Message[]): number {
    return this.shown(messages).reduce((sum, message) => sum + this.countMessage(message), 0);
  }

  private countMessage(message: Message): number {
    let count = MESSAGE_TOKENS + this.countText(message.text);
    if (message.role === "assistant") {
      for (const { name, argsText } of message.toolCalls) count += MESSAGE_TOKENS + this.countText(name + argsText);
      if (message.reasoning) count += this.countText(message.reasoning);
    }
    return count;
  }

  private countText(text: string): number {
    const known = this.counts.get(text);
    if (known !== undefined) return known;
    if (this.counts.size === MAX_COUNTS) this.counts.clear();
    const count = estimateTokens(text);
    this.counts.set(text, count);
    return count;
  }

  private inTokens(count: number): number {
    return Math.ceil(count * (this.ratio ?? 1));
  }
}

/** The results that may be clipped to little, the oldest first, and those of the last message with calls. */
function resultsOf(
  messages: readonly Message[],
  kept: number,
): { readonly older: readonly ToolMessage[]; readonly newest: readonly ToolMessage[] } {
  const calling = messages.flatMap((message, index) => (message.role === "assistant" && message.toolCalls.length > 0 ? [index] : []));
  const toolMessages = (part: readonly Message[]) => part.filter((message): message is ToolMessage => message.role === "tool");
  return {
    older: toolMessages(messages.slice(0, calling.at(-Math.max(1, kept)) ?? 0)),
    newest: toolMessages(messages.slice(calling.at(-1) ?? messages.length)),
  };
}

/** A low average of characters per token in source code and English, so that estimates are high rather than low. */
const CHARS_PER_TOKEN = 3.5;
/** Chinese, Japanese and Korean characters, each about one token. */
const WIDE = /[\u2e80-\uffff]/g;

/** Estimates a text's tokens from its length alone: within 15 % for source code and English. */
export function estimateTokens(text: string): number {
  const wide = text.match(WIDE)?.length ?? 0;
  return Math.ceil((text.length - wide) / CHARS_PER_TOKEN) + wide;
}
