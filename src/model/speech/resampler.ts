import { SAMPLE_RATE } from "../../ports/audioLine.ts";

/** Changes mono sound of any rate to that of an `AudioLine`, by interpolation. */
export class Resampler {
  /** Samples that come for each that goes. */
  private readonly step: number;
  private last = 0;
  /** Where the next sample lies, in samples after the last one that came. */
  private next = 1;

  constructor(rate: number) {
    this.step = rate / SAMPLE_RATE;
  }

  /** The samples that `sound` completes. */
  push(sound: Int16Array): Int16Array {
    const made: number[] = [];
    for (const sample of sound) {
      for (; this.next <= 1; this.next += this.step) made.push(Math.round(this.last + (sample - this.last) * this.next));
      this.next -= 1;
      this.last = sample;
    }
    return Int16Array.from(made);
  }
}
