import { SAMPLE_RATE } from "../../ports/audioLine.ts";

/** Changes mono sound of any rate to that of an `AudioLine`: averages where there are too many samples, interpolates where too few. */
export class Resampler {
  /** Samples that come for each that goes. */
  private readonly ratio: number;
  private last = 0;
  /** Where the next sample lies, in samples after the last one that came. */
  private next = 0;
  private sum = 0;
  private missing: number;
  private isFirst = true;

  constructor(rate: number) {
    this.ratio = rate / SAMPLE_RATE;
    this.missing = this.ratio;
  }

  /** The samples that `sound` completes. */
  push(sound: Float64Array): Int16Array {
    const made: number[] = [];
    for (const sample of sound) {
      if (this.ratio > 1) this.average(sample, made);
      else this.interpolate(sample, made);
    }
    return Int16Array.from(made, (value) => Math.max(-32_768, Math.min(32_767, Math.round(value))));
  }

  private average(sample: number, made: number[]): void {
    let left = 1;
    while (left >= this.missing) {
      made.push((this.sum + sample * this.missing) / this.ratio);
      left -= this.missing;
      this.sum = 0;
      this.missing = this.ratio;
    }
    this.sum += sample * left;
    this.missing -= left;
  }

  private interpolate(sample: number, made: number[]): void {
    if (this.isFirst) {
      this.isFirst = false;
      this.next = this.ratio;
      made.push(sample);
    } else {
      for (; this.next <= 1; this.next += this.ratio) made.push(this.last + (sample - this.last) * this.next);
      this.next -= 1;
    }
    this.last = sample;
  }
}
