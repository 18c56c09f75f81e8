import type { Disposable } from "../base/disposable.ts";
import type { Result } from "../base/result.ts";

/** The sample rate of all audio in Graft, in Hz. Mono, signed 16-bit. */
export const SAMPLE_RATE = 24_000;

/** Sound from the microphone, and how likely a voice is at its end, from 0 to 1. */
export interface HeardSound {
  readonly pcm: Int16Array;
  readonly voice: number;
}

/** Why a line closed or never opened. `detail` is the message of the browser or the system. */
export interface AudioEnd {
  readonly code:
    | "closed"
    /** The user or the browser denied access to the microphone. */
    | "denied"
    | "no-microphone"
    /** Another program is using the microphone. */
    | "microphone-busy"
    | "unplugged"
    /** The page was closed or lost its connection. */
    | "lost"
    /** Another window of the editor listens now. */
    | "taken"
    /** The page never connected. */
    | "no-page"
    /** The page cannot record or play. */
    | "unsupported";
  readonly detail?: string;
}

/**
 * A microphone and a speaker. Audio is mono, signed 16-bit PCM at {@link SAMPLE_RATE}, in chunks of
 * any length.
 */
export interface AudioLine {
  /**
   * Turns the microphone on or off; it is off at first. Turning it off settles when all earlier
   * audio has arrived, or the line is closed.
   */
  listen(on: boolean): Promise<void>;
  onSound(listener: (sound: HeardSound) => void): Disposable;
  /**
   * Plays `pcm` after everything queued. `speech` is the ID of the speech, which increases with
   * each one.
   */
  play(speech: number, pcm: Int16Array): void;
  /** Fades playback out and keeps the rest, or goes on with it. */
  hold(on: boolean): void;
  /** Stops playback and clears the queue. */
  hush(): void;
  /**
   * Reports how much of a speech was played, in milliseconds. The last report of a completed speech
   * equals its length.
   */
  onPlayed(listener: (speech: number, ms: number) => void): Disposable;
  /**
   * Reports whether the browser blocks playback until the user clicks in the page. Called on each
   * change.
   */
  onMuted(listener: (muted: boolean) => void): Disposable;
  /** Settles when the line is closed, whoever closed it. No listener is called afterwards. */
  readonly closed: Promise<AudioEnd>;
  /** Closes the microphone and the page. Calling it again is harmless. */
  close(): void;
}

/** Opens a line. Settles when the microphone is open. */
export type OpenAudioLine = (signal: AbortSignal) => Promise<Result<AudioLine, AudioEnd>>;
