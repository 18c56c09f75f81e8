import * as z from "zod/mini";
import { newId } from "../../base/ids.ts";
import { parseJson } from "../../base/text/parseJson.ts";
import { userParts } from "../imageParts.ts";
import type { Message } from "../message.ts";
import type { ProviderData } from "../providerData.ts";

const metadataSchema = z.record(z.string(), z.unknown());
const keptSchema = z.object({
  value: z.string(),
  id: z.optional(z.string()),
  metadata: metadataSchema,
});

/** Thinking with what its provider wants back with it, such as a signature. */
type KeptThinking = Readonly<z.infer<typeof keptSchema>>;

/**
 * A message as VS Code's language model API knows it, without its classes. It has no system role.
 */
export interface LanguageModelMessage {
  readonly role: "user" | "assistant";
  readonly parts: readonly LanguageModelMessagePart[];
}

/** A part of a message; `input` is a JSON object. */
export type LanguageModelMessagePart =
  | { readonly type: "text"; readonly text: string }
  | { readonly type: "image"; readonly mimeType: string; readonly data: Uint8Array }
  | ({ readonly type: "thinking" } & KeptThinking)
  | {
      readonly type: "tool-call";
      readonly callId: string;
      readonly name: string;
      readonly input: object;
    }
  | { readonly type: "tool-result"; readonly callId: string; readonly text: string };

/** A part of a response. Providers are other extensions, so its facts are unchecked. */
export type LanguageModelPart =
  | { readonly type: "text"; readonly text: unknown }
  | {
      readonly type: "thinking";
      readonly text: unknown;
      readonly id?: unknown;
      readonly metadata?: unknown;
    }
  | {
      readonly type: "tool-call";
      readonly callId: unknown;
      readonly name: unknown;
      readonly input: unknown;
    }
  | { readonly type: "data"; readonly mimeType: unknown; readonly data: unknown }
  | { readonly type: "unknown" };

/**
 * The conversation as the API wants it, with the bytes of `images`: instructions are a user's
 * message, and the results of a message's calls come together in the next one. Providers refuse
 * empty assistant messages, and want their kept thinking back, which goes to its `source` only.
 */
export function languageModelMessages(
  messages: readonly Message[],
  source: string | null = null,
  images?: ReadonlyMap<string, Uint8Array>,
): LanguageModelMessage[] {
  const converted: { role: LanguageModelMessage["role"]; parts: LanguageModelMessagePart[] }[] = [];
  let previous: Message["role"] | null = null;
  for (const message of messages) {
    const parts =
      message.role === "user" ? [...userParts(message, images)] : messageParts(message, source);
    if (message.role === "tool" && previous === "tool") converted.at(-1)?.parts.push(...parts);
    else if (parts.length > 0)
      converted.push({ role: message.role === "assistant" ? "assistant" : "user", parts });
    previous = message.role;
  }
  return converted;
}

function messageParts(
  message: Exclude<Message, { readonly role: "user" }>,
  source: string | null,
): LanguageModelMessagePart[] {
  const { role, text } = message;
  if (role === "tool") return [{ type: "tool-result", callId: message.callId, text }];
  const said: LanguageModelMessagePart[] = text === "" ? [] : [{ type: "text", text }];
  if (role !== "assistant") return said;
  for (const { callId, name, argsText } of message.toolCalls)
    said.push({ type: "tool-call", callId, name, input: inputOf(argsText) });
  const { providerData } = message;
  return said.length > 0 && providerData?.source === source
    ? [...keptThinking(providerData), ...said]
    : said;
}

/**
 * A part of a response as a chunk of the OpenAI API; `index` numbers the calls. Null for what Graft
 * has no use for.
 */
export function chunkOfPart(part: LanguageModelPart, index: number): unknown {
  switch (part.type) {
    case "text":
      return chunk({ content: plainTextOf(part.text) });
    case "thinking":
      return chunk({ reasoning: plainTextOf(part.text), reasoning_details: detailsOf(part) });
    case "tool-call": {
      const id = plainTextOf(part.callId) || newId("call");
      return chunk({
        tool_calls: [
          {
            index,
            id,
            function: { name: plainTextOf(part.name), arguments: argumentsText(part.input) },
          },
        ],
      });
    }
    case "data":
      return part.mimeType === "usage" ? { usage: decodedUsage(part.data) } : null;
    case "unknown":
      return null;
  }
}

/** The chunk with which an answer ends. */
export function finishChunk(reason: "stop" | "length"): unknown {
  return { choices: [{ index: 0, delta: {}, finish_reason: reason }] };
}

function chunk(delta: object): unknown {
  return { choices: [{ index: 0, delta }] };
}

/** Thinking with metadata, in the field where a provider's data is kept. */
function detailsOf({
  text,
  id,
  metadata,
}: LanguageModelPart & { readonly type: "thinking" }): unknown {
  const kept = { value: plainTextOf(text), ...(typeof id === "string" && { id }), metadata };
  return keptSchema.safeParse(kept).success ? [kept] : [];
}

function keptThinking({ message }: ProviderData): LanguageModelMessagePart[] {
  const details = z.array(keptSchema).safeParse(message.reasoning_details).data ?? [];
  return details.map((kept) => ({ type: "thinking", ...kept }));
}

/** Thinking can be a list of texts. */
function plainTextOf(value: unknown): string {
  if (typeof value === "string") return value;
  return Array.isArray(value) ? value.map(plainTextOf).join("") : "";
}

function inputOf(argsText: string): object {
  const value = parseJson(argsText);
  return typeof value === "object" && value !== null && !Array.isArray(value) ? value : {};
}

/** Arguments as JSON text; a provider's text is passed on as it is. */
function argumentsText(input: unknown): string {
  if (typeof input === "string") return input;
  try {
    return JSON.stringify(input) ?? "{}";
  } catch {
    return "{}";
  }
}

/**
 * Copilot and VS Code's own providers end with their token counts, in the fields of the OpenAI API.
 */
function decodedUsage(data: unknown): unknown {
  return data instanceof Uint8Array ? parseJson(new TextDecoder().decode(data)) : null;
}
