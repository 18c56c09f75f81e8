import { SAMPLE_RATE } from "../ports/audioLine.ts";

/** Samples per 20 ms frame. */
const FRAME = SAMPLE_RATE / 50;
const FRAME_MS = 20;
/**
 * Below `NEVER_VOICE`, sound is never voice. Above `ALWAYS_VOICE`, it always is. In dB of full
 * scale.
 */
const NEVER_VOICE = -50;
const ALWAYS_VOICE = -12;
/** How far voice must exceed the noise floor, in dB, to begin and to continue. */
const BEGIN_MARGIN = 9;
const STAY_MARGIN = 6;
/**
 * The noise floor is the quietest of this many frames. It rises within 2.5 s and falls immediately.
 */
const FLOOR_FRAMES = 125;
/** Until this many frames have arrived, the room counts as quiet. */
const ASSUMED_FRAMES = 8;
const ASSUMED_FLOOR = -56;
/** Voice starts with this many consecutive voice frames. Key presses and clicks are shorter. */
const BEGIN_FRAMES = 4;
/** Shorter utterances are dropped, because recognizers hallucinate words for them. */
const LEAST_VOICE_FRAMES = 200 / FRAME_MS;
/** Sound kept before voice begins and after it ends. */
const LEAD_FRAMES = 300 / FRAME_MS;
const TRAIL_FRAMES = 200 / FRAME_MS;
/**
 * The longest utterance, in milliseconds. Speech that continues without a pause becomes another
 * one.
 */
export const LONGEST_MS = 60_000;

/** A result of the endpointer. */
export type Heard =
  /** Someone started to speak. */
  | { readonly type: "voice" }
  | { readonly type: "utterance"; readonly pcm: Int16Array }
  /** Noise, or too short for words. */
  | { readonly type: "dropped" };

/**
 * Detects utterances by loudness. With `pauseMs`, voice starts an utterance and a pause of that
 * length ends it. Without, everything until `finish` is one utterance. The results do not depend on
 * how the sound is split.
 */
export class Endpointer {
  private readonly pauseFrames: number | null;
  private rest = new Int16Array(0);
  private readonly levels: number[] = [];
  /** The number of consecutive voice frames up to now. */
  private run = 0;
  /** The frames of the utterance, or before it begins, its lead-in. */
  private frames: Int16Array[] = [];
  private isOpen: boolean;
  private voiceFrames = 0;
  private silentFrames = 0;
  private saidVoice = false;

  constructor(pauseMs: number | null) {
    this.pauseFrames = pauseMs === null ? null : Math.ceil(pauseMs / FRAME_MS);
    this.isOpen = pauseMs === null;
  }

  /** The loudness of the last frame, from 0 to 1. */
  get level(): number {
    return Math.min(1, Math.max(0, 1 + (this.levels.at(-1) ?? -60) / 60));
  }

  /** Returns the results that `pcm` completes, in order. */
  push(pcm: Int16Array): Heard[] {
    const sound = joinedSamples([this.rest, pcm]);
    const heard: Heard[] = [];
    let at = 0;
    for (; at + FRAME <= sound.length; at += FRAME)
      this.takeFrame(sound.slice(at, at + FRAME), heard);
    this.rest = sound.slice(at);
    return heard;
  }

  /** Ends the open utterance, or returns null if there is none. */
  finish(): Heard | null {
    if (!this.isOpen) return null;
    this.frames.push(this.rest);
    this.rest = new Int16Array(0);
    return this.close();
  }

  private takeFrame(frame: Int16Array, heard: Heard[]): void {
    const isVoice = this.isVoice(decibels(frame));
    this.run = isVoice ? this.run + 1 : 0;
    this.frames.push(frame);
    if (this.run >= BEGIN_FRAMES && !this.saidVoice) {
      this.saidVoice = true;
      if (!this.isOpen) this.voiceFrames = this.run - 1;
      this.isOpen = true;
      heard.push({ type: "voice" });
    }
    if (!this.isOpen) {
      if (this.frames.length > LEAD_FRAMES) this.frames.shift();
      return;
    }
    if (isVoice) this.voiceFrames += 1;
    this.silentFrames = isVoice ? 0 : this.silentFrames + 1;
    if (this.frames.length * FRAME_MS >= LONGEST_MS) heard.push(this.close());
    else if (this.pauseFrames !== null && this.silentFrames >= this.pauseFrames) {
      this.frames.length -= Math.max(0, this.silentFrames - TRAIL_FRAMES);
      heard.push(this.close());
    }
  }

  private isVoice(level: number): boolean {
    this.levels.push(level);
    if (this.levels.length > FLOOR_FRAMES) this.levels.shift();
    const quietest = Math.min(...this.levels);
    const floor =
      this.levels.length <= ASSUMED_FRAMES ? Math.min(quietest, ASSUMED_FLOOR) : quietest;
    const margin = this.saidVoice ? STAY_MARGIN : BEGIN_MARGIN;
    return level >= ALWAYS_VOICE || (level >= NEVER_VOICE && level >= floor + margin);
  }

  private close(): Heard {
    const pcm = joinedSamples(this.frames);
    const enough = this.voiceFrames >= LEAST_VOICE_FRAMES;
    this.frames = [];
    this.run = 0;
    this.voiceFrames = 0;
    this.silentFrames = 0;
    this.saidVoice = false;
    this.isOpen = false;
    return enough ? { type: "utterance", pcm } : { type: "dropped" };
  }
}

/** The loudness of a frame in dB of full scale, at least -90. */
function decibels(frame: Int16Array): number {
  let sum = 0;
  for (const sample of frame) sum += sample * sample;
  const rms = Math.sqrt(sum / frame.length) / 32_768;
  return Math.max(-90, 20 * Math.log10(rms));
}

function joinedSamples(pieces: readonly Int16Array[]): Int16Array<ArrayBuffer> {
  const all = new Int16Array(pieces.reduce((length, piece) => length + piece.length, 0));
  let at = 0;
  for (const piece of pieces) {
    all.set(piece, at);
    at += piece.length;
  }
  return all;
}
