import type { ProviderData } from "./providerData.ts";

/** A tool call; `argsText` is JSON text. */
export interface ToolCall {
  readonly callId: string;
  readonly name: string;
  readonly argsText: string;
}

/** An image of the conversation; its bytes go along with the request, by `id`. */
export interface MessageImage {
  readonly id: string;
  /** The file's name; "" for none. */
  readonly name: string;
  readonly width: number;
  readonly height: number;
  /** Set for one that the user did not attach. */
  readonly ofResult?: true;
}

/**
 * One message of a conversation. The arguments of its calls are JSON objects, since several
 * providers refuse anything else.
 */
export type Message =
  | { readonly role: "system"; readonly text: string }
  | { readonly role: "user"; readonly text: string; readonly images?: readonly MessageImage[] }
  | {
      readonly role: "assistant";
      readonly text: string;
      readonly toolCalls: readonly ToolCall[];
      /** Sent to its source only. */
      readonly providerData?: ProviderData;
      /** The thinking before it, for a provider that wants it back. */
      readonly reasoning?: string;
    }
  | { readonly role: "tool"; readonly callId: string; readonly text: string };

/** A tool as the model sees it; `parameters` is a JSON Schema object. */
export interface ToolSpec {
  readonly name: string;
  readonly description: string;
  readonly parameters: Readonly<Record<string, unknown>>;
}
