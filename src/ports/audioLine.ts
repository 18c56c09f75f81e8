import type { Disposable } from "../base/disposable.ts";
import type { Result } from "../base/result.ts";

/** Samples a second of all sound in Graft: mono, signed 16 bit. */
export const SAMPLE_RATE = 24_000;

/** Why a line is over or never opened: by `close`, or else what went wrong. `detail` is what the browser or the system said. */
export interface AudioEnd {
  readonly code:
    | "closed"
    /** The user or the browser refused the microphone. */
    | "denied"
    | "no-microphone"
    /** Another program holds the microphone. */
    | "microphone-busy"
    | "unplugged"
    /** The page was closed, or its connection broke. */
    | "lost"
    /** The page never came: nothing opened it, or nothing answered. */
    | "no-page"
    /** The page cannot record or play. */
    | "unsupported";
  readonly detail?: string;
}

/** A microphone and a loudspeaker. Sound is mono, signed 16 bit, {@link SAMPLE_RATE} samples a second, in pieces of any length. */
export interface AudioLine {
  /** Sends sound from the microphone (true), or no more (false: settles when all sound from before has come, or the line is over). At first false. */
  listen(on: boolean): Promise<void>;
  onSound(listener: (pcm: Int16Array) => void): Disposable;
  /** Plays `pcm` after all that still waits. `speech` names what it belongs to: a number that grows from one to the next. */
  play(speech: number, pcm: Int16Array): void;
  /** Goes silent at once and forgets what was not played. */
  hush(): void;
  /** How much of a speech has been heard so far, in milliseconds; the last report of one that was played to its end equals its length. */
  onPlayed(listener: (speech: number, ms: number) => void): Disposable;
  /** True while the browser plays nothing before the user clicks into the page; called on each change. */
  onMuted(listener: (muted: boolean) => void): Disposable;
  /** Settles when the line is over, whoever ended it. Nothing is called afterwards. */
  readonly closed: Promise<AudioEnd>;
  /** Closes microphone and page. Harmless afterwards. */
  close(): void;
}

/** Opens a line; settles when the microphone is open. */
export type OpenAudioLine = (signal: AbortSignal) => Promise<Result<AudioLine, AudioEnd>>;
