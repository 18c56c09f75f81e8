import * as z from "zod/mini";

const itemSchema = z.object({
  id: z.optional(z.string()),
  type: z.string(),
  name: z.optional(z.string()),
  call_id: z.optional(z.string()),
  arguments: z.optional(z.string()),
  content: z.optional(z.array(z.object({ text: z.optional(z.nullable(z.string())), transcript: z.optional(z.nullable(z.string())) }))),
});

const errorSchema = z.object({
  type: z.optional(z.nullable(z.string())),
  code: z.optional(z.nullable(z.string())),
  message: z.optional(z.nullable(z.string())),
  event_id: z.optional(z.nullable(z.string())),
});

const responseSchema = z.object({
  id: z.optional(z.string()),
  status: z.optional(z.string()),
  status_details: z.optional(
    z.nullable(z.object({ reason: z.optional(z.nullable(z.string())), error: z.optional(z.nullable(errorSchema)) })),
  ),
  output: z.optional(z.array(itemSchema)),
  usage: z.optional(
    z.nullable(
      z.object({
        input_tokens: z.optional(z.number()),
        output_tokens: z.optional(z.number()),
        input_token_details: z.optional(z.nullable(z.object({ cached_tokens: z.optional(z.number()) }))),
      }),
    ),
  ),
});

const ofResponse = { response_id: z.optional(z.string()), item_id: z.optional(z.string()) };

const eventSchema = z.discriminatedUnion("type", [
  z.object({ type: z.enum(["session.created", "session.updated"]), session: z.looseObject({ modalities: z.optional(z.unknown()) }) }),
  z.object({ type: z.literal("response.created"), response: responseSchema }),
  z.object({ type: z.literal("response.done"), response: responseSchema }),
  z.object({ type: z.enum(["response.output_item.added", "response.output_item.done"]), ...ofResponse, item: itemSchema }),
  z.object({ type: z.literal("response.function_call_arguments.delta"), ...ofResponse, delta: z.string() }),
  z.object({
    type: z.enum([
      "response.output_text.delta",
      "response.output_audio_transcript.delta",
      "response.output_audio.delta",
      // Names of the beta.
      "response.text.delta",
      "response.audio_transcript.delta",
      "response.audio.delta",
    ]),
    ...ofResponse,
    delta: z.string(),
  }),
  z.object({ type: z.literal("error"), error: errorSchema }),
]);

/** An item of the conversation, as the server describes it. */
export type RealtimeItem = z.infer<typeof itemSchema>;
/** A response that is over. */
export type RealtimeResponse = z.infer<typeof responseSchema>;
/** Why the server refused or failed something. */
export type RealtimeError = z.infer<typeof errorSchema>;

/** What a Realtime server says, of its current API or the beta. `responseId` is null where the server leaves it out. */
export type RealtimeEvent =
  | { readonly type: "session"; readonly isBeta: boolean }
  | { readonly type: "created"; readonly responseId: string | null }
  | { readonly type: "text"; readonly responseId: string | null; readonly text: string }
  | { readonly type: "audio"; readonly responseId: string | null; readonly itemId: string; readonly pcm: Int16Array }
  | { readonly type: "item"; readonly responseId: string | null; readonly item: RealtimeItem; readonly isDone: boolean }
  | { readonly type: "arguments"; readonly responseId: string | null; readonly itemId: string; readonly text: string }
  | { readonly type: "done"; readonly responseId: string | null; readonly response: RealtimeResponse }
  | { readonly type: "error"; readonly error: RealtimeError };

/** Parses a message of a Realtime server; null for what is of no use here. */
export function parseRealtimeEvent(message: string): RealtimeEvent | null {
  const event = eventSchema.safeParse(parseJson(message)).data;
  if (!event) return null;
  const { responseId, itemId } = "response_id" in event || "item_id" in event ? idsOf(event) : NO_IDS;
  switch (event.type) {
    case "session.created":
    case "session.updated":
      return { type: "session", isBeta: event.session.modalities !== undefined };
    case "response.created":
      return { type: "created", responseId: event.response.id ?? null };
    case "response.done":
      return { type: "done", responseId: event.response.id ?? null, response: event.response };
    case "response.output_item.added":
    case "response.output_item.done":
      return { type: "item", responseId, item: event.item, isDone: event.type === "response.output_item.done" };
    case "response.function_call_arguments.delta":
      return { type: "arguments", responseId, itemId, text: event.delta };
    case "response.output_audio.delta":
    case "response.audio.delta": {
      const pcm = decodeSound(event.delta);
      return pcm && { type: "audio", responseId, itemId, pcm };
    }
    case "error":
      return { type: "error", error: event.error };
    default:
      return { type: "text", responseId, text: event.delta };
  }
}

const NO_IDS = { responseId: null, itemId: "" };

function idsOf({ response_id, item_id }: { readonly response_id?: string | undefined; readonly item_id?: string | undefined }): {
  readonly responseId: string | null;
  readonly itemId: string;
} {
  return { responseId: response_id ?? null, itemId: item_id ?? "" };
}

function decodeSound(base64: string): Int16Array | null {
  try {
    const bytes = Uint8Array.from(atob(base64), (character) => character.charCodeAt(0));
    const view = new DataView(bytes.buffer);
    return Int16Array.from({ length: bytes.length >> 1 }, (_, at) => view.getInt16(at * 2, true));
  } catch {
    return null;
  }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
