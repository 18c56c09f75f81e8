/**
 * What a provider sent beside an answer and wants back with it, word for word: signatures of its thinking. Opaque; it goes to nobody
 * but its source.
 */
export interface ProviderData {
  /** The endpoint and the model that made it. */
  readonly source: string;
  /** Fields of the assistant message. */
  readonly message: Readonly<Record<string, unknown>>;
  /** Fields of its tool calls, by call id. */
  readonly calls: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
  /** Set where the thinking itself is wanted back, in this field of the message (https://api-docs.deepseek.com/guides/thinking_mode). */
  readonly reasoningField?: "reasoning_content" | undefined;
}

/** Fields of a message that are kept: OpenRouter's and MiniMax's `reasoning_details`, Gemini's `extra_content`. */
export const MESSAGE_FIELDS = ["reasoning_details", "extra_content"] as const;

/** Fields of a tool call that are kept: https://ai.google.dev/gemini-api/docs/thought-signatures and what gateways make of it. */
export const CALL_FIELDS = ["extra_content", "thought_signature", "provider_specific_fields"] as const;

/** The part of `fields` that has one of these names. */
export function pickFields(fields: Readonly<Record<string, unknown>>, names: readonly string[]): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(fields).filter(([name, value]) => names.includes(name) && value !== undefined && value !== null),
  );
}
