import { Emitter } from "../base/emitter.ts";
import type { ModelError } from "../model/modelFailure.ts";
import type { Voice } from "../model/speech/voice.ts";
import { type AudioLine, SAMPLE_RATE } from "../ports/audioLine.ts";
import type { SpokenSentence } from "./speakable.ts";

/** `AT_ONCE` sentences are synthesized at a time, at most `AHEAD` after the one that is heard. */
const AT_ONCE = 2;
const AHEAD = 2;
/** Tolerance for rounding in the player's reports, in milliseconds. */
const TOLERANCE_MS = 1;

/** How a speech ended. `heard` of `total` UTF-16 units of each step's text were heard. */
export interface SpeechReport {
  readonly reason: "done" | "interrupted" | "failed";
  /** The error, or null if the line closed. */
  readonly error: ModelError | null;
  readonly steps: readonly {
    readonly step: number;
    readonly heard: number;
    readonly total: number;
  }[];
}

interface Piece {
  readonly text: string;
  /** The step of the answer, or null for an announcement. */
  readonly step: number | null;
  readonly end: number;
  /** The sound not yet sent to the line. */
  sound: Int16Array[];
  isComplete: boolean;
  /** The end of this piece in the speech, in milliseconds. Null until it was sent completely. */
  endMs: number | null;
}

/**
 * Sentences to speak in order. Their sound is synthesized ahead and buffered until playback starts.
 */
export class Speech {
  private readonly voice: Voice;
  private readonly ended = new Emitter<SpeechReport>();
  private readonly abort = new AbortController();
  private readonly pieces: Piece[] = [];
  private begun = 0;
  private running = 0;
  private sent = 0;
  private sentMs = 0;
  private heardMs = 0;
  private isOver = false;
  private error: ModelError | null = null;
  private play: ((pcm: Int16Array) => void) | null = null;
  /** Called once with the report, but never after `drop`. */
  readonly onEnd = this.ended.on.bind(this.ended);

  constructor(voice: Voice) {
    this.voice = voice;
  }

  /** The number of sentences. */
  get length(): number {
    return this.pieces.length;
  }

  /** Moves the sentences after the first `count` to a speech of their own. */
  split(count: number): Speech {
    const rest = new Speech(this.voice);
    rest.pieces.push(...this.pieces.splice(Math.max(count, this.begun)));
    return rest;
  }

  /** Adds a sentence and queues it for synthesis. */
  add({ text, end }: SpokenSentence, step: number | null): void {
    this.pieces.push({ text, step, end, sound: [], isComplete: false, endMs: null });
    this.synthesizeMore();
  }

  /** Plays the sentences as their sound arrives. No sentence may be added afterwards. */
  start(line: AudioLine, speech: number): void {
    this.play = (pcm) => line.play(speech, pcm);
    this.synthesizeMore();
    this.send();
  }

  /** Reports that the user heard the first `ms` milliseconds. */
  heard(ms: number): void {
    this.heardMs = Math.max(this.heardMs, ms);
    this.send();
    this.synthesizeMore();
  }

  /** Ends the speech without a report. */
  drop(): void {
    this.isOver = true;
    this.abort.abort();
  }

  /** The number of sentences that may be synthesized now. */
  private get allowed(): number {
    if (!this.play) return AHEAD;
    return this.pieces.filter((piece) => this.isHeard(piece)).length + 1 + AHEAD;
  }

  private isHeard({ endMs }: Piece): boolean {
    return endMs !== null && endMs <= this.heardMs + TOLERANCE_MS;
  }

  private synthesizeMore(): void {
    while (
      !this.isOver &&
      this.error === null &&
      this.running < AT_ONCE &&
      this.begun < this.allowed
    ) {
      const piece = this.pieces[this.begun];
      if (!piece) return;
      this.begun += 1;
      this.running += 1;
      void this.synthesize(piece);
    }
  }

  private async synthesize(piece: Piece): Promise<void> {
    const stream = this.voice.speak(piece.text, this.abort.signal);
    let next = await stream.next();
    for (; !next.done && !this.isOver; next = await stream.next()) {
      piece.sound.push(next.value);
      this.send();
    }
    this.running -= 1;
    if (next.done && next.value !== null) this.error ??= next.value;
    else piece.isComplete = true;
    this.send();
    this.synthesizeMore();
  }

  private send(): void {
    if (!this.play || this.isOver) return;
    for (let piece = this.pieces[this.sent]; piece; piece = this.pieces[this.sent]) {
      for (const pcm of piece.sound.splice(0)) {
        this.sentMs += (pcm.length * 1000) / SAMPLE_RATE;
        this.play(pcm);
      }
      if (!piece.isComplete) break;
      piece.endMs ??= this.sentMs;
      this.sent += 1;
      this.synthesizeMore();
    }
    const isAllSent = this.sent === this.pieces.length;
    const isStuck = this.error !== null && this.running === 0;
    if ((isAllSent || isStuck) && this.heardMs >= this.sentMs - TOLERANCE_MS)
      this.end(isAllSent ? "done" : "failed");
  }

  /** Ends the speech with a report. */
  end(reason: SpeechReport["reason"]): void {
    if (this.isOver) return;
    this.drop();
    const steps = new Map<number, { heard: number; total: number }>();
    for (const piece of this.pieces) {
      const { step, end } = piece;
      if (step === null) continue;
      const heard = this.isHeard(piece) ? end : (steps.get(step)?.heard ?? 0);
      steps.set(step, { heard, total: end });
    }
    this.ended.fire({
      reason,
      error: this.error,
      steps: [...steps].map(([step, counts]) => ({ step, ...counts })),
    });
  }
}

/** Plays speeches on a line, one after another, unless it is held. */
export class SpeechPlayer {
  private readonly line: AudioLine;
  private readonly changed: () => void;
  private waiting: { readonly speech: Speech; isStill(): boolean }[] = [];
  private current: { readonly id: number; readonly speech: Speech } | null = null;
  private lastId = 0;
  private isHeld = false;

  /** `changed` is called when {@link isSpeaking} may have changed. */
  constructor(line: AudioLine, changed: () => void) {
    this.line = line;
    this.changed = changed;
    line.onPlayed((id, ms) => id === this.current?.id && this.current.speech.heard(ms));
  }

  get isSpeaking(): boolean {
    return this.current !== null;
  }

  /** Plays after all that waits, if it `isStill` so by then. */
  play(speech: Speech, isStill = () => true): void {
    this.waiting.push({ speech, isStill });
    this.advance();
  }

  /** Fades out while the user speaks and keeps what is to be said, or goes on with it. */
  hold(on: boolean): void {
    if (this.isHeld === on) return;
    this.isHeld = on;
    this.line.hold(on);
    this.advance();
  }

  /** Ends all speech: the user interrupted, or the line closed. */
  stop(reason: "interrupted" | "failed"): void {
    const waiting = this.waiting.splice(0).map(({ speech }) => speech);
    const all = this.current ? [this.current.speech, ...waiting] : waiting;
    if (all.length === 0) return;
    if (this.current) this.line.hush();
    this.current = null;
    for (const speech of all) speech.end(reason);
    this.changed();
  }

  private advance(): void {
    if (this.current) return;
    if (!this.isHeld) this.dropOld();
    const { speech } = (this.isHeld ? undefined : this.waiting.shift()) ?? {};
    if (speech) {
      const id = ++this.lastId;
      this.current = { id, speech };
      speech.onEnd(() => {
        if (this.current?.id !== id) return;
        this.current = null;
        this.advance();
      });
      speech.start(this.line, id);
    }
    this.changed();
  }

  /** Drops what has to be said no more. */
  private dropOld(): void {
    for (const { speech, isStill } of this.waiting) if (!isStill()) speech.drop();
    this.waiting = this.waiting.filter(({ isStill }) => isStill());
  }
}
