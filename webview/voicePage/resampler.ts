/** The number of precomputed filter positions between two samples. */
const PHASES = 256;
/** Zero crossings of the filter on each side. Enough for speech. */
const CROSSINGS = 8;

/**
 * Resamples streamed audio with a windowed sinc filter, which prevents aliasing. The result does
 * not depend on how the audio is split.
 */
export class Resampler {
  private readonly step: number;
  private readonly half: number;
  private readonly filter: readonly Float32Array[];
  /** Samples that the next chunk still needs. */
  private kept: Float32Array;
  /** The position of the next output sample among them. */
  private position: number;

  constructor(from: number, to: number) {
    this.step = from / to;
    const cutoff = Math.min(1, to / from) * 0.95;
    this.half = Math.ceil(CROSSINGS / cutoff);
    this.filter = Array.from({ length: PHASES + 1 }, (_, phase) =>
      filterAt(phase / PHASES, this.half, cutoff),
    );
    this.kept = new Float32Array(this.half);
    this.position = this.half;
  }

  /** Returns the resampled audio that `samples` completes. */
  push(samples: Float32Array): Float32Array {
    const { step, half } = this;
    if (step === 1) return samples;
    const all = new Float32Array(this.kept.length + samples.length);
    all.set(this.kept);
    all.set(samples, this.kept.length);
    const count = Math.max(0, Math.ceil((all.length - half - this.position) / step));
    const result = new Float32Array(count);
    for (let at = 0; at < count; at++) {
      const index = Math.floor(this.position);
      const taps = this.filter[Math.round((this.position - index) * PHASES)] ?? this.filter[0];
      let sum = 0;
      for (let tap = 0; tap < 2 * half; tap++)
        sum += (all[index - half + 1 + tap] ?? 0) * (taps?.[tap] ?? 0);
      result[at] = sum;
      this.position += step;
    }
    const from = Math.max(0, Math.min(all.length, Math.floor(this.position) - half));
    this.kept = all.slice(from);
    this.position -= from;
    return result;
  }
}

function filterAt(offset: number, half: number, cutoff: number): Float32Array {
  const taps = Float32Array.from({ length: 2 * half }, (_, tap) => {
    const distance = tap - half + 1 - offset;
    const window = 0.5 + 0.5 * Math.cos((Math.PI * distance) / (half + 1));
    return sinc(distance * cutoff) * cutoff * window;
  });
  const sum = taps.reduce((total, tap) => total + tap, 0);
  return taps.map((tap) => tap / sum);
}

function sinc(x: number): number {
  return x === 0 ? 1 : Math.sin(Math.PI * x) / (Math.PI * x);
}

/** Converts samples from -1 to 1 to signed 16-bit. */
export function toPcm(samples: Float32Array): Int16Array<ArrayBuffer> {
  return new Int16Array(
    samples.map((sample) => Math.round(Math.max(-1, Math.min(1, sample)) * 32_767)),
  );
}

/** Converts signed 16-bit samples to a range from -1 to 1. */
export function fromPcm(pcm: Int16Array): Float32Array {
  return new Float32Array(pcm).map((sample) => sample / 32_768);
}
