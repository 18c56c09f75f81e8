import * as z from "zod/mini";

const fields = z.record(z.string(), z.unknown());

/** {@link ProviderData} in a history file. */
export const providerDataSchema = z.object({
  /** The endpoint and model that made it. */
  source: z.string(),
  /** Fields of the assistant message. */
  message: fields,
  /** Fields of its tool calls, by call id. */
  calls: z.record(z.string(), fields),
  /**
   * The message field in which the provider wants the thinking back
   * (https://api-docs.deepseek.com/guides/thinking_mode).
   */
  reasoningField: z.optional(z.literal("reasoning_content")),
});

/**
 * What a provider sent with an answer and wants back unchanged, such as signatures of its thinking.
 * Sent to its source only.
 */
export type ProviderData = Readonly<z.infer<typeof providerDataSchema>>;

/** Names the endpoint and model that data a provider wants back belongs to. */
export function providerSource({
  baseUrl,
  model,
}: {
  readonly baseUrl: string;
  readonly model: string;
}): string {
  return `${baseUrl} ${model}`;
}

/**
 * Message fields that are kept: `reasoning_details` of OpenRouter and MiniMax, `extra_content` of
 * Gemini.
 */
export const MESSAGE_FIELDS = ["reasoning_details", "extra_content"] as const;

/**
 * Tool call fields that are kept: https://ai.google.dev/gemini-api/docs/thought-signatures, and
 * their names at gateways.
 */
export const CALL_FIELDS = [
  "extra_content",
  "thought_signature",
  "provider_specific_fields",
] as const;

/** The fields with one of these names, without empty ones. */
export function pickFields(
  fields: Readonly<Record<string, unknown>>,
  names: readonly string[],
): Record<string, unknown> {
  const kept: Record<string, unknown> = {};
  for (const name of names)
    if (fields[name] !== undefined && fields[name] !== null) kept[name] = fields[name];
  return kept;
}
