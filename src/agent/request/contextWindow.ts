import { estimateTokens } from "../../base/text/estimateTokens.ts";
import { imageTokens } from "../../model/imageParts.ts";
import type { Message, ToolSpec } from "../../model/message.ts";
import type { ServerWindow } from "../../model/modelClient.ts";
import {
  leastTokens,
  MESSAGE_TOKENS,
  messageTokens,
  toolTokens,
} from "../../model/requestTokens.ts";
import { clipText } from "../../tools/results/clippedResults.ts";
import type { ContextUse } from "../../turns/turnEvent.ts";
import { clippedResult } from "../messages.ts";

type ToolMessage = Message & { readonly role: "tool" };

/**
 * Keeps a result of which the model sees the first `end` UTF-16 units, and returns the note that
 * tells it how to read on.
 */
export type KeepRest = (text: string, end: number) => string;

/** The first `length` UTF-16 units of a result, as the model sees them. */
interface Clip {
  readonly text: string;
  readonly length: number;
  readonly shown: string;
}

/** A request's messages, clipped as far as possible. Token counts are estimates. */
export interface FittedRequest {
  readonly messages: readonly Message[];
  readonly fits: boolean;
  readonly tokens: number;
  /** Tokens that a request may have. */
  readonly limit: number;
  /** Whose message is the largest, or that all tools together are. */
  readonly largest: { readonly of: Message["role"] | "tools"; readonly tokens: number };
}

/** The most tokens that are reserved for the answer; a quarter of a small window. */
const MAX_RESERVE = 16_000;
const RESERVED = 0.25;
/**
 * Results are clipped to this share of the limit at once, so that the beginning of requests, which
 * providers cache, seldom changes.
 */
const CLIP_TO = 0.6;
/** Results up to this length, in UTF-16 units, stay whole. */
const SHORT_RESULT = 400;
/** UTF-16 units that remain of a clipped result. */
const CLIPPED_RESULT = 200;
/** The factor by which the newest results are shortened until they fit. */
const STEP = 0.7;
/** Tokens of the note after a clipped newest result. */
const NOTE_TOKENS = 50;
/**
 * The lowest credible ratio of the server's count to the estimate: some servers omit cached tokens.
 */
const MIN_RATIO = 0.5;
/** The fewest tokens that a cut leaves: no server has a smaller window. A lower count is no count. */
const SMALLEST_CUT = 1_000;
/** The fewest tokens that are added, by estimate, and the most by which a count that stays may differ. */
const GROWN = 40;
const SAME_COUNT = 4;
/** How far what a server counts beside its cache may be from what was added. */
const CACHED_SLACK = 0.4;
/**
 * How much more than the estimate a window may hold for an empty answer to be worth a smaller
 * request. It only limits what is tried: that one's answer is the proof.
 */
const WORTH_TRYING = 1.5;
/** The highest ratio that is used. */
const MAX_RATIO = 4;

/**
 * Fits requests into one model's context window. Scales its token estimates by the server's count
 * of the last request. Clipped results stay clipped.
 */
export class ContextWindow {
  private readonly sizeBy: (server: ServerWindow | null) => number;
  /** What the server said last. */
  private server: ServerWindow | null = null;
  private ratio: number | null = null;
  /** By call id. A later turn may reuse an id for another text. */
  private readonly clips = new Map<string, Clip>();
  /** The estimate for the last request, unscaled. */
  private lastCount = 0;
  /** Below the setting once the server refused a request that should have fitted. */
  private learnedLimit = Number.POSITIVE_INFINITY;
  /** The same before the refusals of the last request, but for a window that the server named. */
  private limitBefore = Number.POSITIVE_INFINITY;
  /** Below the window once the server cut a request in silence. */
  private cutLimit = Number.POSITIVE_INFINITY;
  private last: Parameters<typeof leastTokens>[0] | null = null;
  /** What the request before the last one took, by estimate; null before the second one. */
  private countBefore: number | null = null;
  /** The last request that the server counted: its estimate, unscaled, and the count. */
  private counted: { readonly estimate: number; readonly tokens: number } | null = null;

  /** `size` returns the window in tokens, by what the server says and the settings. */
  constructor(size: (server: ServerWindow | null) => number) {
    this.sizeBy = size;
  }

  private size(): number {
    return this.sizeBy(this.server);
  }

  /** The window, request and answer together. */
  get tokens(): number {
    const limit = Math.min(this.learnedLimit, this.cutLimit);
    const inferred = Math.min(limit / (1 - RESERVED), limit + MAX_RESERVE);
    return Math.floor(Math.min(this.size(), inferred));
  }

  /** Records what the server said of its window. One that is loaded ends what was only inferred. */
  asServed(server: ServerWindow | null): void {
    this.server = server;
    if (server?.isLoaded) this.cutLimit = Number.POSITIVE_INFINITY;
  }

  /** Tokens that a request may have. */
  get limit(): number {
    return Math.floor(Math.min(this.size() - this.reserve, this.learnedLimit, this.cutLimit));
  }

  private get reserve(): number {
    return reserveOf(this.size());
  }

  /**
   * What a request with these messages and tools takes; `attached` are the texts in them that were
   * attached.
   */
  use(
    messages: readonly Message[],
    tools: readonly ToolSpec[],
    attached: readonly string[],
  ): ContextUse {
    const { limit, tokens: window } = this;
    const toolCount = toolTokens(tools);
    const all = this.inTokens(toolCount + this.countShown(messages));
    const system = this.tokensOf(...messages.filter(({ role }) => role === "system"));
    const images = messages.flatMap((message) =>
      message.role === "user" ? (message.images ?? []) : [],
    );
    const texts = attached.reduce((sum, text) => sum + estimateTokens(text), 0);
    const attachments = this.inTokens(
      images.reduce((sum, image) => sum + imageTokens(image), texts),
    );
    const ofTools = this.inTokens(toolCount);
    const history = Math.max(0, all - system - ofTools - attachments);
    return { window, reserve: window - limit, system, tools: ofTools, attachments, history };
  }

  /**
   * Records the server's count of the last request. What was sent, in tokens, where it counted far
   * less: then it cut the request, and later ones are kept as small as what it took.
   */
  measured(inputTokens: number): { readonly sent: number } | null {
    this.limitBefore = this.learnedLimit;
    const sent = this.inTokens(this.lastCount);
    const isFull = this.isFull(inputTokens);
    this.counted = { estimate: this.lastCount, tokens: inputTokens };
    if (isFull || this.isCut(inputTokens, sent)) {
      this.cutLimit = inputTokens - reserveOf(inputTokens);
      return { sent };
    }
    this.record(inputTokens);
    return null;
  }

  /**
   * Whether a smaller request is worth trying, since the last one may have left no room in the window
   * that the server has loaded: by the server's count of it, which proves it, else by the estimate,
   * which proves nothing.
   */
  mayBeFull(counted: number | null): boolean {
    if (!this.server?.isLoaded) return false;
    return (counted ?? this.inTokens(this.lastCount) * WORTH_TRYING) >= this.server.tokens;
  }

  /** A request that grew and has the same count as the one before fills a window that cuts it. */
  private isFull(counted: number): boolean {
    const { counted: before } = this;
    return (
      before !== null &&
      counted >= SMALLEST_CUT &&
      this.lastCount - before.estimate >= GROWN &&
      Math.abs(counted - before.tokens) <= SAME_COUNT
    );
  }

  /**
   * A count below the fewest tokens that were sent is a cut, unless it is what was added since the
   * last request: some servers do not count what they had cached.
   */
  private isCut(counted: number, sent: number): boolean {
    if (counted < SMALLEST_CUT || this.last === null || counted >= leastTokens(this.last))
      return false;
    const added = this.countBefore === null ? 0 : sent - this.inTokens(this.countBefore);
    return added <= 0 || Math.abs(counted - added) > Math.max(added * CACHED_SLACK, 200);
  }

  private record(inputTokens: number): void {
    const ratio = inputTokens / this.lastCount;
    if (ratio >= MIN_RATIO && Number.isFinite(ratio)) this.ratio = Math.min(MAX_RATIO, ratio);
  }

  /**
   * The server refused the last request as too large: the next one shrinks by a fifth, or by half
   * if it was refused `again`, and to a window of `window` tokens where the server named one.
   */
  refused(again: boolean, window: number | null = null): void {
    if (!again) this.limitBefore = this.learnedLimit;
    const smaller = this.inTokens(this.lastCount) * (again ? 0.5 : 0.8);
    this.learnedLimit = Math.min(this.limit, smaller);
    if (window === null) return;
    const named = window - reserveOf(window);
    this.learnedLimit = Math.min(this.learnedLimit, named);
    this.limitBefore = Math.min(this.limitBefore, named);
  }

  /** It refused every smaller request too, so their sizes say nothing of its window. */
  refusedAll(): void {
    this.learnedLimit = this.limitBefore;
  }

  /**
   * Where the request is too large, clips tool results, oldest first, except those of the last
   * `kept` messages with calls. The newest results keep their beginnings where they alone are too
   * large, or `kept` is 0.
   */
  fit(
    messages: readonly Message[],
    tools: readonly ToolSpec[],
    kept: number,
    readOn: KeepRest,
  ): FittedRequest {
    const { limit } = this;
    const { older, newest } = resultsOf(messages, kept);
    const toolCount = toolTokens(tools);
    const always = toolCount + this.countShown(messages.filter(({ role }) => role === "system"));
    if (this.inTokens(always + this.countShown(newest)) > limit)
      this.clipNewest(newest, limit - this.inTokens(always), readOn);
    const size = () => toolCount + this.countShown(messages);
    let count = size();
    if (this.inTokens(count) > limit) {
      for (const { callId, text } of older) {
        if (this.inTokens(count) <= limit * CLIP_TO) break;
        const before = this.textOf(callId, text);
        if (before.length <= SHORT_RESULT) continue;
        const shown = clippedResult(clipText(text, 0, CLIPPED_RESULT).text, text);
        this.clips.set(callId, { text, length: CLIPPED_RESULT, shown });
        count -= estimateTokens(before) - estimateTokens(shown);
      }
      const others = this.inTokens(count - this.countShown(newest));
      if (kept === 0 && this.inTokens(count) > limit)
        this.clipNewest(newest, limit - others, readOn);
      count = size();
    }
    this.countBefore = this.lastCount === 0 ? null : this.lastCount;
    this.lastCount = count;
    this.last = { messages: this.shown(messages), tools };
    const tokens = this.inTokens(count);
    return {
      messages: this.shown(messages),
      fits: tokens <= limit,
      tokens,
      limit,
      largest: this.largest(this.shown(messages), toolCount),
    };
  }

  /**
   * Cuts the longest of the newest results to one length, so that all of them fit into a part of
   * `room`, in tokens.
   */
  private clipNewest(newest: readonly ToolMessage[], room: number, readOn: KeepRest): void {
    const long = newest.filter(({ text }) => text.length > SHORT_RESULT);
    const lengthOf = ({ callId, text }: ToolMessage) =>
      this.clipOf(callId, text)?.length ?? text.length;
    const isLonger = (result: ToolMessage, length: number) => lengthOf(result) > length;
    const countAt = (length: number) => {
      const cut = long.filter((result) => isLonger(result, length));
      const whole = newest.filter((result) => !cut.includes(result));
      const parts = cut.map(
        ({ text }) => MESSAGE_TOKENS + NOTE_TOKENS + estimateTokens(clipText(text, 0, length).text),
      );
      return this.countShown(whole) + parts.reduce((sum, each) => sum + each, 0);
    };
    let length = Math.max(0, ...long.map(lengthOf));
    while (length > CLIPPED_RESULT && this.inTokens(countAt(length)) > room * CLIP_TO)
      length = Math.max(CLIPPED_RESULT, Math.floor(length * STEP));
    for (const result of long) {
      if (!isLonger(result, length)) continue;
      const { callId, text } = result;
      const part = clipText(text, 0, length);
      this.clips.set(callId, { text, length, shown: part.text + readOn(text, part.end) });
    }
  }

  private shown(messages: readonly Message[]): readonly Message[] {
    return messages.map((message) =>
      message.role === "tool"
        ? { ...message, text: this.textOf(message.callId, message.text) }
        : message,
    );
  }

  private textOf(callId: string, text: string): string {
    return this.clipOf(callId, text)?.shown ?? text;
  }

  private clipOf(callId: string, text: string): Clip | undefined {
    const clip = this.clips.get(callId);
    return clip?.text === text ? clip : undefined;
  }

  /** Estimates the tokens of the tools' descriptions. */
  tokensOfTools(tools: readonly ToolSpec[]): number {
    return this.inTokens(toolTokens(tools));
  }

  /** Estimates the tokens of messages; results that were clipped count as clipped. */
  tokensOf(...messages: readonly Message[]): number {
    return this.inTokens(this.countShown(messages));
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
    return this.shown(messages).reduce((sum, message) => sum + messageTokens(message), 0);
  }

  private inTokens(count: number): number {
    return Math.ceil(count * (this.ratio ?? 1));
  }
}

/** Tokens that are kept free for the answer. */
function reserveOf(window: number): number {
  return Math.floor(Math.min(window * RESERVED, MAX_RESERVE));
}

/**
 * The results that may be clipped to almost nothing, oldest first, and those of the last message
 * with calls.
 */
function resultsOf(
  messages: readonly Message[],
  kept: number,
): { readonly older: readonly ToolMessage[]; readonly newest: readonly ToolMessage[] } {
  const calling = messages.flatMap((message, index) =>
    message.role === "assistant" && message.toolCalls.length > 0 ? [index] : [],
  );
  const toolMessages = (part: readonly Message[]) =>
    part.filter((message): message is ToolMessage => message.role === "tool");
  return {
    older: toolMessages(messages.slice(0, calling.at(-Math.max(1, kept)) ?? 0)),
    newest: toolMessages(messages.slice(calling.at(-1) ?? messages.length)),
  };
}
