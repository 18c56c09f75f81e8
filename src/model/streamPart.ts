import * as z from "zod/mini";
import type { ModelError } from "./modelFailure.ts";
import type { ProviderData } from "./providerData.ts";

/** {@link Usage} in a history file. */
export const usageSchema = z.object({
  inputTokens: z.nullable(z.int()),
  outputTokens: z.nullable(z.int()),
  /** Those of the input tokens that came from a cache. */
  cachedInputTokens: z.optional(z.int()),
  /** Those of the output tokens that the model only thought. */
  reasoningTokens: z.optional(z.int()),
  /** In US dollars. */
  cost: z.optional(z.number()),
  /** Set where Graft estimated the tokens, or computed the cost by a price. */
  estimated: z.optional(z.enum(["cost", "tokens"])),
});

/** Tokens as the server counts them, unless estimated; null or absent if it did not say. */
export type Usage = Readonly<z.infer<typeof usageSchema>>;

/**
 * Why the model stopped; `length` means cut off, `unknown` that the provider gave no reason.
 * `tool-calls` without any call: the calls were lost on the way.
 */
export type FinishReason = "stop" | "length" | "tool-calls" | "content-filter" | "unknown";

/** One step of a streamed answer. A stream ends with exactly one `finish` or `error`. */
export type StreamPart =
  | { readonly type: "text-delta"; readonly text: string }
  | { readonly type: "reasoning-delta"; readonly text: string }
  /**
   * All text of the answer so far was reasoning, whose beginning nobody marked; `callIds` are the
   * calls that it held as text.
   */
  | { readonly type: "text-was-reasoning"; readonly callIds: readonly string[] }
  /** A tag in the text may have ended reasoning: all text so far may be that. */
  | { readonly type: "text-may-be-reasoning" }
  | { readonly type: "tool-call-start"; readonly callId: string; readonly name: string }
  | { readonly type: "tool-call-delta"; readonly callId: string; readonly argsText: string }
  | {
      readonly type: "tool-call-end";
      readonly callId: string;
      readonly name: string;
      readonly argsText: string;
    }
  /**
   * A piece of the answer was unreadable: what follows does not continue what came before. The
   * stream ends with an error.
   */
  | { readonly type: "gap" }
  | { readonly type: "provider-data"; readonly data: ProviderData }
  | { readonly type: "usage"; readonly usage: Usage }
  | { readonly type: "finish"; readonly reason: FinishReason }
  | { readonly type: "error"; readonly error: ModelError };
