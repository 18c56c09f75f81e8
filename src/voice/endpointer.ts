import { SAMPLE_RATE } from "../ports/audioLine.ts";

/** Samples of a frame: 20 ms. */
const FRAME = SAMPLE_RATE / 50;
const FRAME_MS = 20;
/** Sound below this is never voice, and sound above `ALWAYS_VOICE` always is, in decibels of full scale. */
const NEVER_VOICE = -50;
const ALWAYS_VOICE = -12;
/** By how much voice exceeds the noise of the room, in decibels: to begin, and to go on. */
const BEGIN_MARGIN = 9;
const STAY_MARGIN = 6;
/** The noise of the room is the quietest of this many frames: it rises within 2.5 s and falls at once. */
const FLOOR_FRAMES = 125;
/** Until the room was heard for as many frames, it counts as quiet. */
const ASSUMED_FRAMES = 8;
const ASSUMED_FLOOR = -56;
/** Voice begins with so many frames of it without a gap: keys and clicks are shorter. */
const BEGIN_FRAMES = 4;
/** Shorter voice is dropped: recognizers invent words for it. */
const LEAST_VOICE_FRAMES = 200 / FRAME_MS;
/** What is kept of the sound before voice begins and after it ends. */
const LEAD_FRAMES = 300 / FRAME_MS;
const TRAIL_FRAMES = 200 / FRAME_MS;
/** The longest utterance, in milliseconds; what follows without a pause is another one. */
export const LONGEST_MS = 60_000;

/** What the endpointer heard. */
export type Heard =
  /** Somebody speaks. */
  | { readonly type: "voice" }
  /** They have spoken. */
  | { readonly type: "utterance"; readonly pcm: Int16Array }
  /** It was noise, or too short for words. */
  | { readonly type: "dropped" };

/**
 * Finds utterances in sound, by its loudness. With `pauseMs`, voice begins one and a pause of that length ends it; without, all sound
 * from the first to `finish` is one. Gives the same utterances for every way to cut the sound.
 */
export class Endpointer {
  private readonly pauseFrames: number | null;
  private rest = new Int16Array(0);
  private readonly levels: number[] = [];
  /** How many frames of voice the latest ones are. */
  private run = 0;
  /** The frames of the utterance, or, before its voice begins, those that lead to it. */
  private frames: Int16Array[] = [];
  private isOpen: boolean;
  private voiceFrames = 0;
  private silentFrames = 0;
  private saidVoice = false;

  constructor(pauseMs: number | null) {
    this.pauseFrames = pauseMs === null ? null : Math.ceil(pauseMs / FRAME_MS);
    this.isOpen = pauseMs === null;
  }

  /** How loud the last frame was, from 0 to 1. */
  get level(): number {
    return Math.min(1, Math.max(0, 1 + (this.levels.at(-1) ?? -60) / 60));
  }

  /** What `pcm` completes, in order. */
  push(pcm: Int16Array): Heard[] {
    const sound = joined([this.rest, pcm]);
    const heard: Heard[] = [];
    let at = 0;
    for (; at + FRAME <= sound.length; at += FRAME) this.takeFrame(sound.slice(at, at + FRAME), heard);
    this.rest = sound.slice(at);
    return heard;
  }

  /** Ends the utterance that is open; null where there is none. */
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
    const floor = this.levels.length <= ASSUMED_FRAMES ? Math.min(quietest, ASSUMED_FLOOR) : quietest;
    const margin = this.saidVoice ? STAY_MARGIN : BEGIN_MARGIN;
    return level >= ALWAYS_VOICE || (level >= NEVER_VOICE && level >= floor + margin);
  }

  private close(): Heard {
    const pcm = joined(this.frames);
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

/** The loudness of a frame in decibels of full scale, at least -90. */
function decibels(frame: Int16Array): number {
  let sum = 0;
  for (const sample of frame) sum += sample * sample;
  const rms = Math.sqrt(sum / frame.length) / 32_768;
  return Math.max(-90, 20 * Math.log10(rms));
}

function joined(pieces: readonly Int16Array[]): Int16Array<ArrayBuffer> {
  const all = new Int16Array(pieces.reduce((length, piece) => length + piece.length, 0));
  let at = 0;
  for (const piece of pieces) {
    all.set(piece, at);
    at += piece.length;
  }
  return all;
}
