import { type HeardSound, SAMPLE_RATE } from "../ports/audioLine.ts";

const SAMPLES_PER_MS = SAMPLE_RATE / 1000;
/** How likely a voice must be to begin and to continue, as the detector's makers recommend. */
const BEGIN = 0.5;
const STAY = 0.35;
/** Quieter sound is nobody who talks to Graft, in dB of full scale. */
const NEVER_VOICE = -50;
/** A voice begins with this many milliseconds of it in a row. */
const BEGIN_MS = 90;
/** Less voice is dropped: no word is so short, and recognizers invent words for it. */
const LEAST_VOICE_MS = 150;
/** The pause after which so little voice is dropped, and at which long speech may be cut. */
const SHORT_PAUSE_MS = 300;
/** Sound kept before a voice begins and after it ends, in milliseconds. */
const LEAD_MS = 500;
const TRAIL_MS = 250;
/** Speech is cut at the first short pause after `PART_MS`, or anywhere after `LONGEST_PART_MS`. */
const PART_MS = 20_000;
const LONGEST_PART_MS = 60_000;
/** The most that is heard as one message, in milliseconds. */
const LONGEST_MS = 600_000;
/** Silence is left out but for this at each of its ends: recognizers invent words for it. */
const KEPT_SILENCE_MS = 1_000;
/** Without a voice for so long, nothing more follows. In milliseconds. */
const SILENCE_MS = 4_000;

/** A result of the endpointer. */
export type Heard =
  /** Someone started to speak. */
  | { readonly type: "voice" }
  /** Words, while the user goes on speaking. */
  | { readonly type: "part"; readonly pcm: Int16Array }
  /** Words, up to the pause or the end. */
  | { readonly type: "utterance"; readonly pcm: Int16Array }
  /** It was noise, or too short for words. */
  | { readonly type: "dropped" }
  /** Nobody has spoken for a while since the last utterance. */
  | { readonly type: "silence" }
  /** What is said is too long for one message, and goes on. */
  | { readonly type: "limit" };

/**
 * Finds where speech begins and ends. With `pauseMs`, a voice starts an utterance and a pause of
 * that length ends it. Without, everything until `finish` is one utterance.
 */
export class Endpointer {
  private readonly pauseMs: number | null;
  private lastLevel = -90;
  /** The sound of the part, or before a voice begins, its lead-in. */
  private sound: Int16Array[] = [];
  private isOpen: boolean;
  private saidVoice = false;
  private runMs = 0;
  private partMs = 0;
  private wholeMs = 0;
  private voiceMs = 0;
  private silentMs = 0;
  private hasParts = false;
  private isSilenceAwaited = false;

  constructor(pauseMs: number | null) {
    this.pauseMs = pauseMs;
    this.isOpen = pauseMs === null;
  }

  /** The loudness of the last sound, from 0 to 1. */
  get level(): number {
    return Math.min(1, Math.max(0, 1 + this.lastLevel / 60));
  }

  /** Returns what `sound` completes, in order. */
  push({ pcm, voice }: HeardSound): Heard[] {
    if (pcm.length === 0) return [];
    const ms = pcm.length / SAMPLES_PER_MS;
    this.lastLevel = decibels(pcm);
    const isVoice = this.lastLevel >= NEVER_VOICE && voice >= (this.saidVoice ? STAY : BEGIN);
    this.runMs = isVoice ? this.runMs + ms : 0;
    this.silentMs = isVoice ? 0 : this.silentMs + ms;
    this.sound.push(pcm);
    this.partMs += ms;
    if (this.isOpen) this.wholeMs += ms;
    if (this.isOpen && this.silentMs > 2 * KEPT_SILENCE_MS) this.leaveOut(ms);
    if (isVoice) this.voiceMs += ms;
    else if (!this.isOpen) this.voiceMs = 0;
    const heard: Heard[] = [];
    if (this.runMs >= BEGIN_MS && !this.saidVoice) {
      this.saidVoice = true;
      this.isOpen = true;
      heard.push({ type: "voice" });
    }
    return this.isOpen ? [...heard, ...this.takeOpen()] : [...heard, ...this.takeIdle()];
  }

  /** Ends the open utterance, or returns null if there is none. */
  finish(): Heard | null {
    return this.isOpen ? this.close() : null;
  }

  private takeIdle(): Heard[] {
    this.keepSound(joinedSamples(this.sound));
    if (!this.isSilenceAwaited || this.silentMs < SILENCE_MS) return [];
    this.isSilenceAwaited = false;
    return [{ type: "silence" }];
  }

  private takeOpen(): Heard[] {
    const isShort = !this.hasParts && this.voiceMs < LEAST_VOICE_MS;
    const pause = isShort ? SHORT_PAUSE_MS : this.pauseMs;
    if (this.wholeMs >= LONGEST_MS) {
      this.wholeMs = 0;
      return [...this.cut(), { type: "limit" }];
    }
    if (this.pauseMs !== null && pause !== null && this.silentMs >= pause) return [this.close()];
    const mayCut = this.silentMs >= SHORT_PAUSE_MS && this.partMs >= PART_MS;
    return mayCut || this.partMs >= LONGEST_PART_MS ? this.cut() : [];
  }

  /** Leaves `ms` of the middle of a silence out. */
  private leaveOut(ms: number): void {
    const at = this.sound.length - Math.ceil(KEPT_SILENCE_MS / ms);
    const [left] = at < 0 ? [] : this.sound.splice(at, 1);
    this.partMs -= (left?.length ?? 0) / SAMPLES_PER_MS;
  }

  private cut(): Heard[] {
    const pcm = joinedSamples(this.sound.splice(0));
    const hasWords = this.voiceMs >= LEAST_VOICE_MS;
    this.hasParts ||= hasWords;
    this.partMs = 0;
    this.voiceMs = 0;
    return hasWords ? [{ type: "part", pcm }] : [];
  }

  private close(): Heard {
    const pcm = joinedSamples(this.sound);
    const hasWords = this.voiceMs >= LEAST_VOICE_MS;
    const spare = this.pauseMs === null ? 0 : Math.max(0, this.silentMs - TRAIL_MS);
    const length = hasWords ? Math.max(0, pcm.length - Math.floor(spare * SAMPLES_PER_MS)) : 0;
    this.keepSound(pcm.subarray(length));
    this.runMs = 0;
    this.wholeMs = 0;
    this.voiceMs = 0;
    this.hasParts = false;
    this.saidVoice = false;
    this.isOpen = false;
    this.isSilenceAwaited = true;
    return hasWords ? { type: "utterance", pcm: pcm.subarray(0, length) } : { type: "dropped" };
  }

  /** Keeps the end of `sound`: the next words may have begun in it before a voice is known. */
  private keepSound(sound: Int16Array): void {
    const lead = sound.subarray(-LEAD_MS * SAMPLES_PER_MS);
    this.sound = [lead];
    this.partMs = lead.length / SAMPLES_PER_MS;
  }
}

/** The loudness of sound in dB of full scale, at least -90. */
function decibels(pcm: Int16Array): number {
  let sum = 0;
  for (const sample of pcm) sum += sample * sample;
  const rms = Math.sqrt(sum / pcm.length) / 32_768;
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
