import type { RequestPart } from "../learnedCapabilities.ts";
import type { Message } from "../message.ts";
import type { ErrorResponse } from "./errorResponse.ts";

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
  isSent(shape: RequestShape): boolean;
}

/** Each part by what refusals of it mention, the most exact first. */
const PARTS: readonly PartRow[] = [
  { part: "stream-options", hint: /stream_options|include_usage/i, isSent: () => true },
  {
    part: "cache-control",
    hint: /cache_control/i,
    isSent: ({ cacheControl }) => cacheControl,
  },
  {
    part: "provider-data",
    hint: /reasoning_content|reasoning_details|extra_content|thought_signature/i,
    isSent: () => true,
  },
  {
    part: "temperature",
    hint: /temperature/i,
    isSent: ({ temperature }) => temperature !== undefined,
  },
  {
    part: "reasoning-effort",
    hint: /reasoning|effort|thinking/i,
    isSent: ({ reasoningEffort }) => reasoningEffort !== undefined,
  },
  {
    part: "max-tokens-name",
    hint: /max_completion_tokens/i,
    isSent: () => true,
  },
  {
    part: "no-max-tokens",
    hint: /max[_ ]?(?:completion_|output_|new_)?tokens/i,
    isSent: () => true,
  },
  { part: "streaming", hint: /stream/i, isSent: () => true },
  {
    part: "parallel-calls",
    hint: /parallel|single|multiple|more than one|number of|\bone\b.{0,20}\bcall|at once|at a time/i,
    isSent: ({ messages }) =>
      messages.some((message) => message.role === "assistant" && message.toolCalls.length > 1),
  },
  {
    part: "null-content",
    hint: /\bnull\b|\bnone\b|\bnil\b|content|empty/i,
    isSent: ({ messages }) => hasCalls(messages, (text) => text === ""),
  },
  {
    part: "text-with-calls",
    hint: /content|tool_calls|unprocessable|^$/i,
    isSent: ({ messages }) => hasCalls(messages, (text) => text !== ""),
  },
  {
    part: "system-role",
    hint: /system|developer|\brole|instruction|alternat/i,
    isSent: ({ messages }) => messages.some(({ role }) => role === "system"),
  },
];

/** Statuses of a request that may be refused for one of its parts; local servers use 500. */
const STATUSES: ReadonlySet<number> = new Set([400, 403, 404, 405, 406, 415, 422, 500, 501]);
/** What only tools are refused with. Those are taken away by whoever offers them. */
const ABOUT_TOOLS = /\btools?\b|\btool[_ -]?(?:use|choice|call)|\bfunctions?\b/i;
const ABOUT_IMAGES = /image|vision|multi-?modal/i;
/** The parts that such words may also be about. */
const OF_CALLS: ReadonlySet<RequestPart> = new Set([
  ...(["parallel-calls", "null-content", "text-with-calls"] as const),
  ...(["streaming", "stream-options"] as const),
]);

/** The parts that may be why a request of this shape was refused, the likeliest first. */
export function suspectedParts(
  { status, body }: ErrorResponse,
  shape: RequestShape,
): readonly RequestPart[] {
  if (!STATUSES.has(status)) return [];
  const namesTools = shape.tools.length > 0 && ABOUT_TOOLS.test(body);
  return PARTS.filter(
    ({ part, hint, isSent }) =>
      hint.test(body.trim()) && isSent(shape) && (!namesTools || OF_CALLS.has(part)),
  ).map(({ part }) => part);
}

/** Parts that a server can only want where it names them. */
const NAMED: ReadonlySet<RequestPart> = new Set(["no-max-tokens", "max-tokens-name"] as const);

/**
 * The parts that a refusal may be about which names none: all that are sent, those that matter least
 * first. None where it names tools or images, which whoever sends them takes away.
 */
export function unnamedParts({ body }: ErrorResponse, shape: RequestShape): readonly RequestPart[] {
  if ((shape.tools.length > 0 && ABOUT_TOOLS.test(body)) || ABOUT_IMAGES.test(body)) return [];
  return PARTS.filter(({ part, isSent }) => !NAMED.has(part) && isSent(shape)).map(
    ({ part }) => part,
  );
}

/** Words of a server that does not take something, rather than of one that failed. */
const REFUSES =
  /support|allow|permit|enabled|must|invalid|unknown|unrecogni|unexpected|unsupported|require|expect|only|alternat|implement|\bnot?\b|n't|cannot/i;

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

function hasCalls(messages: readonly Message[], isText: (text: string) => boolean): boolean {
  return messages.some(
    (message) =>
      message.role === "assistant" && message.toolCalls.length > 0 && isText(message.text),
  );
}
