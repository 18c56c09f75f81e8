import type { RequestPart } from "../learnedCapabilities.ts";
import type { Message } from "../message.ts";
import type { ErrorResponse } from "./errorResponse.ts";
import { errorText } from "./errorText.ts";

/** What a request has that a server may refuse. */
export interface RequestShape {
  readonly messages: readonly Message[];
  readonly tools: readonly unknown[];
  readonly temperature: number | undefined;
  readonly reasoningEffort: string | undefined;
  readonly cacheControl: boolean;
}

interface PartRow {
  readonly part: RequestPart;
  /** What a refusal of this part mentions. A repeated request proves it. */
  readonly hint: RegExp;
  /**
   * What it mentions where it also names tools, which others take away: by default such a refusal
   * is not about this part.
   */
  readonly besideTools?: RegExp;
  /** What was sent, where a refusal may name it in quotes in place of its field. */
  value?(shape: RequestShape): string | undefined;
  /** Set where only a refusal that names it can be about it: the other way may be refused, too. */
  readonly isNamed?: true;
  isSent(shape: RequestShape): boolean;
}

const STREAM_OPTIONS = /stream_options|include_usage/i;
const STREAM = /stream/i;
const CALL_ID = /tool[_ -]?(?:call|use)s?(?:\[\d+\]|\.\d+)?[._ ]?id\b/i;
const ORDER = /\brole\b.{0,80}\b(?:after|follow)|alternat|\b(?:after|follow\w*)\b.{0,30}\btool/i;
const NO_REASONING =
  /reasoning_content.{0,80}(?:missing|required|must)|missing.{0,40}reasoning_content/i;
const REASONING_WITH_TOOLS =
  /\b(?:tool|function)s?\b.{0,60}reasoning[_ ]effort|reasoning[_ ]effort.{0,60}\b(?:tool|function)s?\b/i;
const SEVERAL =
  /parallel|single|multiple|more than one|number of|\bone\b.{0,20}\bcall|at once|at a time/i;
const RESPONSES = /\bv\d\/responses\b|\bresponses api\b/i;
const TOOL_NAME =
  /function_?response\.name|\btool\b.{0,40}\bname\b.{0,40}(?:empty|required|missing)/i;

/** Each part by what refusals of it mention, the most exact first. */
const PARTS: readonly PartRow[] = [
  {
    part: "stream-options",
    hint: STREAM_OPTIONS,
    besideTools: STREAM_OPTIONS,
    isSent: () => true,
  },
  {
    part: "cache-control",
    hint: /cache_control/i,
    isSent: ({ cacheControl }) => cacheControl,
  },
  {
    part: "no-reasoning-content",
    hint: NO_REASONING,
    besideTools: NO_REASONING,
    isNamed: true,
    isSent: ({ messages }) => messages.some(({ role }) => role === "assistant"),
  },
  {
    part: "unsigned-calls",
    hint: /missing.{0,20}thought_?signature/i,
    besideTools: /missing.{0,20}thought_?signature/i,
    isNamed: true,
    isSent: ({ messages }) => hasCalls(messages),
  },
  {
    part: "provider-data",
    hint: /reasoning_content|reasoning_details|extra_content|thought_signature|encrypted|\bitems?\b.{0,80}(?:not found|persisted|following item)/i,
    isSent: () => true,
  },
  {
    part: "temperature",
    hint: /temperature/i,
    isSent: ({ temperature }) => temperature !== undefined,
  },
  {
    part: "chat-api",
    hint: RESPONSES,
    besideTools: RESPONSES,
    isNamed: true,
    isSent: () => true,
  },
  {
    part: "reasoning-with-tools",
    hint: REASONING_WITH_TOOLS,
    besideTools: REASONING_WITH_TOOLS,
    isNamed: true,
    isSent: ({ tools }) => tools.length > 0,
  },
  {
    part: "reasoning-effort",
    hint: /reasoning|effort|thinking/i,
    besideTools: /reasoning_?effort/i,
    value: ({ reasoningEffort }) => reasoningEffort,
    isSent: ({ reasoningEffort }) => reasoningEffort !== undefined,
  },
  {
    part: "max-tokens-name",
    hint: /max_completion_tokens/i,
    isNamed: true,
    isSent: () => true,
  },
  {
    part: "no-max-tokens",
    hint: /max[_ ]?(?:completion_|output_|new_)?tokens/i,
    isNamed: true,
    isSent: () => true,
  },
  {
    part: "call-ids",
    hint: CALL_ID,
    besideTools: CALL_ID,
    isSent: ({ messages }) => hasCalls(messages),
  },
  {
    part: "tool-names",
    hint: TOOL_NAME,
    besideTools: TOOL_NAME,
    isNamed: true,
    isSent: ({ messages }) => messages.some(({ role }) => role === "tool"),
  },
  {
    part: "user-after-calls",
    hint: ORDER,
    besideTools: ORDER,
    isSent: ({ messages }) =>
      messages.some(({ role }, index) => role === "user" && messages[index - 1]?.role === "tool"),
  },
  { part: "streaming", hint: STREAM, besideTools: STREAM, isSent: () => true },
  {
    part: "parallel-calls",
    hint: SEVERAL,
    besideTools: SEVERAL,
    isSent: ({ messages }) =>
      messages.some((message) => message.role === "assistant" && message.toolCalls.length > 1),
  },
  {
    part: "null-content",
    hint: /\bnull\b|\bnone\b|\bnil\b|content|empty|not set/i,
    besideTools: /\bnull\b|\bnone\b|\bnil\b|content|empty/i,
    isSent: ({ messages }) => hasCalls(messages, (text) => text === ""),
  },
  {
    part: "empty-content",
    hint: /empty|blank|whitespace|content/i,
    besideTools: /empty|blank|whitespace/i,
    isSent: ({ messages }) =>
      hasCalls(messages, (text) => text === "") ||
      messages.some(({ role, text }) => role === "tool" && text.trim() === ""),
  },
  {
    part: "text-with-calls",
    hint: /content|tool_calls|unprocessable|^$/i,
    besideTools: /content|tool_calls|unprocessable|^$/i,
    isSent: ({ messages }) => hasCalls(messages, (text) => text !== ""),
  },
  {
    part: "system-role",
    hint: /system|developer|\brole|instruction|alternat/i,
    besideTools:
      /\brole\b.{0,40}(?:should be|expected|must be|one of)|(?:unsupported|unknown|invalid).{0,20}\brole\b|system (?:message|role|prompt)/i,
    isSent: ({ messages }) => messages.some(({ role }) => role === "system"),
  },
];

/** Statuses of a request that may be refused for one of its parts; local servers use 500. */
const STATUSES: ReadonlySet<number> = new Set([400, 403, 404, 405, 406, 415, 422, 500, 501]);
/** What only tools are refused with. Those are taken away by whoever offers them. */
const ABOUT_TOOLS = /\btools?\b|\btool[_ -]?(?:use|choice|call)|\bfunctions?\b/i;
const ABOUT_IMAGES = /image|vision|multi-?modal/i;

/** The parts that may be why a request of this shape was refused, the likeliest first. */
export function suspectedParts(
  { status, body }: ErrorResponse,
  shape: RequestShape,
): readonly RequestPart[] {
  if (!STATUSES.has(status)) return [];
  const namesTools = shape.tools.length > 0 && ABOUT_TOOLS.test(body);
  // A validator's message with its place, and the codes beside it.
  const said = `${errorText(body)}\n${body}`.trim();
  return PARTS.filter(({ hint, besideTools, value, isSent }) => {
    const isNamed = namesTools ? besideTools?.test(said) : hint.test(said);
    return (isNamed || quotes(said, value?.(shape))) && isSent(shape);
  }).map(({ part }) => part);
}

/**
 * The parts that a refusal may be about which names none: all that are sent, those that matter least
 * first. None where it names tools or images, which whoever sends them takes away.
 */
export function unnamedParts({ body }: ErrorResponse, shape: RequestShape): readonly RequestPart[] {
  if ((shape.tools.length > 0 && ABOUT_TOOLS.test(body)) || ABOUT_IMAGES.test(body)) return [];
  return PARTS.filter(({ isNamed, isSent }) => !isNamed && isSent(shape)).map(({ part }) => part);
}

function quotes(said: string, value: string | undefined): boolean {
  return value !== undefined && ["'", '"', "`"].some((mark) => said.includes(mark + value + mark));
}

/** Words of a server that does not take something, rather than of one that failed. */
const REFUSES =
  /support|allow|permit|enabled|must|invalid|unknown|unrecogni|unexpected|unsupported|require|expect|only|alternat|implement|should|ensure|deprecat|missing|disabled|accept|empty|\bnot?\b|n't|cannot/i;

/** Whether a refusal proves by itself that a part is not taken: else it may have passed by itself. */
export function isRefusal({ status, body }: ErrorResponse): boolean {
  if (status === 500) return false;
  return (
    status === 405 ||
    status === 406 ||
    status === 415 ||
    status === 422 ||
    status === 501 ||
    REFUSES.test(body)
  );
}

function hasCalls(
  messages: readonly Message[],
  isText: (text: string) => boolean = () => true,
): boolean {
  return messages.some(
    (message) =>
      message.role === "assistant" && message.toolCalls.length > 0 && isText(message.text),
  );
}
