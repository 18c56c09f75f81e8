/** What a provider sent with an answer and wants back unchanged, such as signatures of its thinking. Sent to its source only. */
export interface ProviderData {
  /** The endpoint and model that made it. */
  readonly source: string;
  /** Fields of the assistant message. */
  readonly message: Readonly<Record<string, unknown>>;
  /** Fields of its tool calls, by call id. */
  readonly calls: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
  /** The message field in which the provider wants the thinking back (https://api-docs.deepseek.com/guides/thinking_mode). */
  readonly reasoningField?: "reasoning_content" | undefined;
}

/** Message fields that are kept: `reasoning_details` of OpenRouter and MiniMax, `extra_content` of Gemini. */
export const MESSAGE_FIELDS = ["reasoning_details", "extra_content"] as const;

/** Tool call fields that are kept: https://ai.google.dev/gemini-api/docs/thought-signatures, and their names at gateways. */
export const CALL_FIELDS = ["extra_content", "thought_signature", "provider_specific_fields"] as const;

/** The fields with one of these names, without empty ones. */
export function pickFields(fields: Readonly<Record<string, unknown>>, names: readonly string[]): Record<string, unknown> {
  const kept: Record<string, unknown> = {};
  for (const name of names) if (fields[name] !== undefined && fields[name] !== null) kept[name] = fields[name];
  return kept;
}
