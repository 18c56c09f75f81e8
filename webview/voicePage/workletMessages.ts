/** The line's sample rate in Hz, see `ports/audioLine`. */
export const LINE_RATE = 24_000;

/** The name of the audio processor. */
export const PROCESSOR = "graft-voice";

/** Messages from the page to the processor. */
export type ToWorklet =
  | { readonly type: "listen"; readonly on: boolean; readonly mark: number }
  | { readonly type: "play"; readonly speech: number; readonly pcm: Int16Array }
  | { readonly type: "hush" }
  | { readonly type: "hold"; readonly on: boolean };

/** Messages from the processor to the page. */
export type FromWorklet =
  | { readonly type: "sound"; readonly pcm: Int16Array<ArrayBuffer> }
  | { readonly type: "mark"; readonly mark: number }
  | { readonly type: "played"; readonly speech: number; readonly ms: number };
