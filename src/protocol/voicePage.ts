import type { FromVoicePage, VoiceRefusal } from "./voicePageMessages.ts";

/**
 * The WebSocket subprotocol of the voice page; the page offers its one-time token as a second one.
 */
export const VOICE_PROTOCOL = "graft-voice";

/** Closes the page's connection because another window listens. */
export const CLOSED_AS_TAKEN = 4001;

/** Samples of a frame of the page's sound (32 ms): the least in which it can tell a voice. */
export const SOUND_FRAME = 768;

/** What the page is made of, how it looks, and how it is shown. */
export interface VoicePage {
  /** Reads a file of `dist/webview`. */
  readFile(name: string): Promise<Uint8Array>;
  /** The editor's language, and its translations of the page's words. */
  readonly language: string;
  readonly translations: Readonly<Record<string, string>>;
  readonly theme: "dark" | "light" | "high-contrast" | "high-contrast-light";
  /** True where pauses end what is said, and no button. */
  readonly handsFree: boolean;
  /** The user begins to talk with a click in the page, or ends. */
  talk(on: boolean): void;
  /**
   * Shows the page of the local server at `url`, with `token` in its fragment; false where nothing
   * could.
   */
  show(url: string, token: string): Promise<boolean>;
  /** Checks a message of the page; null where it is none. */
  parse(message: unknown): FromVoicePage | null;
  /** The page did not get the microphone and offers to try again; null once it does. */
  refused(refusal: VoiceRefusal | null): void;
}

/** A piece of speech as the page gets it. */
export function packSpeech(speech: number, pcm: Int16Array): Uint8Array {
  const bytes = new Uint8Array(4 + pcm.byteLength);
  new DataView(bytes.buffer).setUint32(0, speech, true);
  bytes.set(new Uint8Array(pcm.buffer, pcm.byteOffset, pcm.byteLength), 4);
  return bytes;
}

/** The number and the samples of a piece of speech. */
export function unpackSpeech(bytes: ArrayBuffer): {
  readonly speech: number;
  readonly pcm: Int16Array;
} {
  return { speech: new DataView(bytes).getUint32(0, true), pcm: new Int16Array(bytes.slice(4)) };
}

/** Frames as the host gets them: before each, how likely a voice is, from 0 to 1. */
export function packSound(
  pcm: Int16Array,
  voiceOf: (frame: Int16Array) => number,
): Int16Array<ArrayBuffer> {
  const packed = new Int16Array(pcm.length + Math.ceil(pcm.length / SOUND_FRAME));
  for (let from = 0, at = 0; from < pcm.length; from += SOUND_FRAME) {
    const frame = pcm.subarray(from, from + SOUND_FRAME);
    packed[at] = voiceOf(frame) * 32_767;
    packed.set(frame, at + 1);
    at += 1 + frame.length;
  }
  return packed;
}

/** The frames of {@link packSound}. */
export function unpackSound(
  packed: Int16Array,
): readonly { readonly pcm: Int16Array; readonly voice: number }[] {
  const step = SOUND_FRAME + 1;
  return Array.from({ length: Math.ceil(packed.length / step) }, (_, index) => ({
    voice: (packed[index * step] ?? 0) / 32_767,
    pcm: packed.subarray(index * step + 1, (index + 1) * step),
  }));
}
