import * as z from "zod/mini";
import { fromBase64 } from "../../base/text/base64.ts";
import { parseJson } from "../../base/text/parseJson.ts";

const itemSchema = z.object({
  id: z.optional(z.string()),
  type: z.string(),
  name: z.optional(z.string()),
  call_id: z.optional(z.string()),
  arguments: z.optional(z.string()),
  content: z.optional(z.array(z.object({ text: z.optional(z.nullable(z.string())), transcript: z.optional(z.nullable(z.string())) }))),
});

const errorSchema = z.object({
  code: z.optional(z.nullable(z.string())),
  message: z.optional(z.nullable(z.string())),
});

const responseSchema = z.object({
  status: z._default(z.string(), "completed"),
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

const eventSchema = z.discriminatedUnion("type", [
  z.object({ type: z.enum(["session.created", "session.updated"]), session: z.looseObject({ modalities: z.optional(z.unknown()) }) }),
  z.object({ type: z.literal("response.output_item.done"), item: itemSchema }),
  z.object({
    type: z.enum([
      "response.output_text.delta",
      "response.output_audio_transcript.delta",
      // Names of the beta.
      "response.text.delta",
      "response.audio_transcript.delta",
    ]),
    delta: z.string(),
  }),
  z.object({ type: z.enum(["response.output_audio.delta", "response.audio.delta"]), delta: z.string() }),
  z.object({ type: z.literal("response.done"), response: responseSchema }),
  z.object({ type: z.literal("error"), error: errorSchema }),
]);

/** An item of the conversation, as the server describes it. */
export type RealtimeItem = z.infer<typeof itemSchema>;
/** A response that is over. */
export type RealtimeResponse = z.infer<typeof responseSchema>;
/** Why the server refused or failed something. */
export type RealtimeError = z.infer<typeof errorSchema>;

/** What a Realtime server says, of its current API or the beta. */
export type RealtimeEvent =
  | { readonly type: "session"; readonly isBeta: boolean }
  | { readonly type: "text"; readonly text: string }
  | { readonly type: "audio"; readonly pcm: Int16Array }
  | { readonly type: "item"; readonly item: RealtimeItem }
  | { readonly type: "done"; readonly response: RealtimeResponse }
  | { readonly type: "error"; readonly error: RealtimeError };

/** Parses a message of a Realtime server; null for what is of no use here. */
export function parseRealtimeEvent(message: string): RealtimeEvent | null {
  const event = eventSchema.safeParse(parseJson(message)).data;
  if (!event) return null;
  switch (event.type) {
    case "session.created":
    case "session.updated":
      return { type: "session", isBeta: event.session.modalities !== undefined };
    case "response.output_item.done":
      return { type: "item", item: event.item };
    case "response.output_audio.delta":
    case "response.audio.delta": {
      const pcm = decodeSound(event.delta);
      return pcm && { type: "audio", pcm };
    }
    case "response.done":
      return { type: "done", response: event.response };
    case "error":
      return { type: "error", error: event.error };
    default:
      return { type: "text", text: event.delta };
  }
}

function decodeSound(base64: string): Int16Array | null {
  const bytes = fromBase64(base64);
  const view = bytes && new DataView(bytes.buffer);
  return view && Int16Array.from({ length: view.byteLength >> 1 }, (_, at) => view.getInt16(at * 2, true));
}
