/** Samples a second on the line, see `ports/audioLine`. */
export const LINE_RATE = 24_000;

/** The name of the processor that records and plays. */
export const PROCESSOR = "graft-voice";

/** What the page tells the processor. */
export type ToWorklet =
  | { readonly type: "listen"; readonly on: boolean; readonly mark: number }
  | { readonly type: "play"; readonly speech: number; readonly pcm: Int16Array }
  | { readonly type: "hush" };

/** What the processor tells the page. */
export type FromWorklet =
  | { readonly type: "sound"; readonly pcm: Int16Array<ArrayBuffer> }
  | { readonly type: "mark"; readonly mark: number }
  | { readonly type: "played"; readonly speech: number; readonly ms: number };
