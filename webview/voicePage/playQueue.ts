import { fromPcm, Resampler } from "./resampler.ts";

/** Called with how much of a speech was played, in milliseconds. */
type Played = (speech: number, ms: number) => void;

interface Piece {
  readonly speech: number;
  readonly samples: Float32Array;
  /** Milliseconds of its speech up to the end of this piece. */
  readonly endMs: number;
}

/** Speech that waits to be played, in the order it came, and how much of each has been heard. */
export class PlayQueue {
  private readonly from: number;
  private readonly to: number;
  private readonly played: Played;
  private pieces: Piece[] = [];
  private at = 0;
  private speech = -1;
  private resampler: Resampler | null = null;
  private receivedMs = 0;
  private sinceReport = 0;

  /** `from` is the rate of speech, `to` that of the loudspeaker. */
  constructor(from: number, to: number, played: Played) {
    this.from = from;
    this.to = to;
    this.played = played;
  }

  /** True when nothing waits to be played. */
  get isEmpty(): boolean {
    return this.pieces.length === 0;
  }

  add(speech: number, pcm: Int16Array): void {
    if (speech !== this.speech || this.resampler === null) {
      this.speech = speech;
      this.resampler = new Resampler(this.from, this.to);
      this.receivedMs = 0;
    }
    this.receivedMs += (pcm.length * 1000) / this.from;
    this.pieces.push({ speech, samples: this.resampler.push(fromPcm(pcm)), endMs: this.receivedMs });
  }

  /** Forgets what was not played. */
  clear(): void {
    this.report(this.pieces[0]);
    this.pieces = [];
    this.at = 0;
  }

  /** Fills `output` with what comes next, and with silence after it. */
  pull(output: Float32Array): void {
    let filled = 0;
    for (let piece = this.pieces[0]; piece !== undefined && filled < output.length; piece = this.pieces[0]) {
      const some = piece.samples.subarray(this.at, this.at + output.length - filled);
      output.set(some, filled);
      filled += some.length;
      this.at += some.length;
      if (this.at < piece.samples.length) break;
      this.pieces.shift();
      this.at = 0;
      if (this.pieces[0]?.speech !== piece.speech) {
        this.played(piece.speech, piece.endMs);
        this.sinceReport = 0;
      }
    }
    output.fill(0, filled);
    this.sinceReport += filled;
    if (this.sinceReport < this.to / 20) return;
    this.sinceReport = 0;
    this.report(this.pieces[0]);
  }

  private report(piece: Piece | undefined): void {
    if (piece === undefined) return;
    const left = piece.samples.length - this.at;
    this.played(piece.speech, Math.max(0, piece.endMs - (left * 1000) / this.to));
  }
}
