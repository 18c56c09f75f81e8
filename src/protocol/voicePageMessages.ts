import * as z from "zod/mini";

/**
 * Host to page. Beside these, a binary message is speech to play: the number of the speech
 * (unsigned, 32 bit) and its samples (signed, 16 bit), little-endian.
 */
export const toVoicePageSchema = z.discriminatedUnion("type", [
  /**
   * Sends sound from the microphone, or no more; the page answers `mark` once all sound from before
   * is sent.
   */
  z.object({ type: z.literal("listen"), on: z.boolean(), mark: z.int() }),
  z.object({ type: z.literal("hush") }),
  /** Fades playback out and keeps the rest, or goes on with it. */
  z.object({ type: z.literal("hold"), on: z.boolean() }),
]);

/** Page to host. Beside these, a binary message is sound, see `packSound`. */
export const fromVoicePageSchema = z.discriminatedUnion("type", [
  /** The microphone is open. */
  z.object({ type: z.literal("open") }),
  /** The microphone did not open; the page offers to try again. */
  z.object({
    type: z.literal("refused"),
    code: z.enum(["denied", "no-microphone", "microphone-busy", "unsupported"]),
    detail: z.string().check(z.maxLength(200)),
  }),
  z.object({ type: z.literal("unplugged") }),
  /** The user ended it in the page. */
  z.object({ type: z.literal("stop") }),
  /** The user begins to talk with a click in the page, or ends. */
  z.object({ type: z.literal("talk"), on: z.boolean() }),
  z.object({ type: z.literal("mark"), mark: z.int() }),
  z.object({ type: z.literal("played"), speech: z.int(), ms: z.number() }),
  z.object({ type: z.literal("muted"), muted: z.boolean() }),
]);

/** A message to the voice page. */
export type ToVoicePage = z.infer<typeof toVoicePageSchema>;
/** A message from the voice page. */
export type FromVoicePage = z.infer<typeof fromVoicePageSchema>;
/** Why the page did not open the microphone. */
export type VoiceRefusal = Extract<FromVoicePage, { readonly type: "refused" }>;
