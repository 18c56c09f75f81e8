import * as z from "zod/mini";
import { fromBase64 } from "../../base/text/base64.ts";
import { parseJson } from "../../base/text/parseJson.ts";

const text = z.nullish(z.string());
const tokens = z.nullish(z.number());

const itemSchema = z.object({
  type: z.string(),
  id: z.optional(z.string()),
  call_id: z.optional(z.string()),
  name: z.optional(z.string()),
  arguments: z.optional(z.string()),
  content: z.optional(z.array(z.object({ text, transcript: text }))),
});

const errorSchema = z.object({ code: text, message: text });

const responseSchema = z.object({
  status: z._default(z.string(), "completed"),
  status_details: z.nullish(z.object({ reason: text, error: z.nullish(errorSchema) })),
  output: z.optional(z.array(itemSchema)),
  usage: z.nullish(
    z.object({
      input_tokens: tokens,
      output_tokens: tokens,
      input_token_details: z.nullish(z.object({ cached_tokens: tokens })),
    }),
  ),
});

const eventSchema = z.discriminatedUnion("type", [
  z.object({ type: z.literal("session.created"), session: z.looseObject({ modalities: z.optional(z.unknown()) }) }),
  z.object({ type: z.literal("response.output_item.done"), item: itemSchema }),
  z.object({ type: z.enum(["response.output_text.delta", "response.output_audio_transcript.delta"]), delta: z.string() }),
  z.object({ type: z.literal("response.output_audio.delta"), delta: z.string() }),
  z.object({ type: z.literal("response.done"), response: responseSchema }),
  z.object({ type: z.literal("error"), error: errorSchema }),
]);

/** What a Realtime server says. */
export type RealtimeEvent = z.infer<typeof eventSchema>;
/** An item of the conversation, as the server describes it. */
export type RealtimeItem = z.infer<typeof itemSchema>;
/** A response that is over. */
export type RealtimeResponse = z.infer<typeof responseSchema>;
/** Why the server refused or failed something. */
export type RealtimeError = z.infer<typeof errorSchema>;

/** Parses a message of a Realtime server; null for what is of no use here. Names of the beta become those of today. */
export function parseRealtimeEvent(message: string): RealtimeEvent | null {
  const event = z.looseObject({ type: z.string() }).safeParse(parseJson(message)).data;
  const type = event?.type.replace(/^response\.(?=(?:text|audio|audio_transcript)\.delta$)/, "response.output_");
  return eventSchema.safeParse({ ...event, type }).data ?? null;
}

/** The sound in an event; null where it is none. */
export function soundOf(base64: string): Int16Array | null {
  const bytes = fromBase64(base64);
  const view = bytes && new DataView(bytes.buffer);
  return view && Int16Array.from({ length: view.byteLength >> 1 }, (_, at) => view.getInt16(at * 2, true));
}
