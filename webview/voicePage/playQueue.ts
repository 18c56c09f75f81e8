import { fromPcm, Resampler } from "./resampler.ts";

/** Reports how much of a speech was played, in milliseconds. */
type Played = (speech: number, ms: number) => void;

interface SoundPiece {
  readonly speech: number;
  readonly samples: Float32Array;
  /** The end of this piece within its speech, in milliseconds. */
  readonly endMs: number;
}

/** FIFO queue of speech to play. Tracks how much of each speech was heard. */
export class PlayQueue {
  private readonly from: number;
  private readonly to: number;
  private readonly played: Played;
  private pieces: SoundPiece[] = [];
  private at = 0;
  private speech = -1;
  private resampler: Resampler | null = null;
  private receivedMs = 0;
  private sinceReport = 0;

  /** `from` is the sample rate of the speech, `to` that of the speaker. */
  constructor(from: number, to: number, played: Played) {
    this.from = from;
    this.to = to;
    this.played = played;
  }

  /** Whether nothing is waiting to be played. */
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
    this.pieces.push({
      speech,
      samples: this.resampler.push(fromPcm(pcm)),
      endMs: this.receivedMs,
    });
  }

  /** Discards everything not yet played. */
  clear(): void {
    this.report(this.pieces[0]);
    this.pieces = [];
    this.at = 0;
  }

  /** Fills `output` with the next samples, then with silence. */
  pull(output: Float32Array): void {
    let filled = 0;
    for (
      let piece = this.pieces[0];
      piece !== undefined && filled < output.length;
      piece = this.pieces[0]
    ) {
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

  private report(piece: SoundPiece | undefined): void {
    if (piece === undefined) return;
    const left = piece.samples.length - this.at;
    this.played(piece.speech, Math.max(0, piece.endMs - (left * 1000) / this.to));
  }
}
