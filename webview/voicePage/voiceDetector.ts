import { fromPcm, Resampler } from "./resampler.ts";
import { BINS, spectrum } from "./spectrum.ts";
import { LINE_RATE } from "./workletMessages.ts";

const RATE = 16_000;
/** Samples of a frame at `RATE`, and of the frame before it that the model also sees. */
const WINDOW = 512;
const CONTEXT = 64;
/** The times of a frame's spectrum. */
const TIMES = 4;
const HIDDEN = 128;

/** Rows of weights, each for one number of the output, which begins as its bias. */
interface Layer {
  readonly weights: Float32Array;
  readonly bias: Float32Array;
  readonly output: Float32Array;
}

/** A layer that sees three neighbors in time, of which each has `from` numbers. */
interface Convolution extends Layer {
  readonly from: number;
  readonly step: number;
}

/**
 * Says how likely a frame has a voice: the network of Silero VAD 6 at 16 kHz
 * (`media/silero-vad`). Written out, because its usual runtime is 14 MB and needs a laxer content
 * security policy.
 */
export class VoiceDetector {
  private readonly layers: readonly Convolution[];
  /** The four gates of the recurrent cell: rows for what is seen and for what is hidden. */
  private readonly gates: Layer;
  private readonly last: Float32Array;
  private readonly lastBias: number;
  private readonly sound = new Float32Array(CONTEXT + WINDOW + CONTEXT);
  private readonly frequencies = new Float32Array(TIMES * BINS);
  /** What the cell sees, and then what is hidden in it. */
  private readonly seen = new Float32Array(2 * HIDDEN);
  private readonly cell = new Float32Array(HIDDEN);
  private resampler = new Resampler(LINE_RATE, RATE);
  private waiting = new Float32Array(0);
  private likelihood = 0;

  /** `model` is `voiceModel.bin`. Throws where it is not. */
  constructor(model: ArrayBuffer) {
    const numbers = fromHalves(new Uint16Array(model));
    let at = 0;
    const take = (length: number) => {
      at += length;
      return numbers.subarray(at - length, at);
    };
    const layer = (from: number, to: number, step: number, times: number): Convolution => {
      // In the model, neighbors in time are beside each other; here, those of one time are.
      const weights = transposed(take(to * from * 3), from, 3);
      return { from, step, weights, bias: take(to), output: new Float32Array(to * times) };
    };
    this.layers = [
      layer(BINS, 128, 1, TIMES),
      layer(128, 64, 2, 2),
      layer(64, 64, 2, 1),
      layer(64, HIDDEN, 1, 1),
    ];
    const [input, hidden] = [take(4 * HIDDEN * HIDDEN), take(4 * HIDDEN * HIDDEN)];
    const [bias, more] = [take(4 * HIDDEN), take(4 * HIDDEN)];
    const weights = new Float32Array(8 * HIDDEN * HIDDEN);
    for (let row = 0; row < 4 * HIDDEN; row++)
      for (const [index, half] of [input, hidden].entries())
        weights.set(half.subarray(row * HIDDEN, (row + 1) * HIDDEN), (2 * row + index) * HIDDEN);
    this.gates = {
      weights,
      bias: bias.map((each, index) => each + (more[index] ?? 0)),
      output: new Float32Array(4 * HIDDEN),
    };
    this.last = take(HIDDEN);
    this.lastBias = numbers[at] ?? 0;
    if (at + 1 !== numbers.length) throw new Error("This is not the model of voices.");
  }

  /** How likely a voice is, from 0 to 1, at the end of a frame of `SOUND_FRAME` samples. */
  push(frame: Int16Array): number {
    const more = this.resampler.push(fromPcm(frame));
    const all = new Float32Array(this.waiting.length + more.length);
    all.set(this.waiting);
    all.set(more, this.waiting.length);
    let from = 0;
    for (; from + WINDOW <= all.length; from += WINDOW)
      this.likelihood = this.judge(all.subarray(from, from + WINDOW));
    this.waiting = all.slice(from);
    return this.likelihood;
  }

  /** Forgets what was heard: the sound that follows has a gap before it. */
  reset(): void {
    this.resampler = new Resampler(LINE_RATE, RATE);
    this.waiting = new Float32Array(0);
    for (const state of [this.seen, this.cell, this.sound]) state.fill(0);
    this.likelihood = 0;
  }

  private judge(window: Float32Array): number {
    const { frequencies, sound } = this;
    sound.copyWithin(0, WINDOW, WINDOW + CONTEXT);
    sound.set(window, CONTEXT);
    // The model's own padding: the end, mirrored.
    for (let at = 0; at < CONTEXT; at++)
      sound[CONTEXT + WINDOW + at] = sound[CONTEXT + WINDOW - 2 - at] ?? 0;
    spectrum(sound, frequencies);
    let rows: Float32Array = frequencies;
    for (const layer of this.layers) rows = convolve(layer, rows);
    return this.remember(rows);
  }

  /** One step of the recurrent cell, and what it makes of it. */
  private remember(rows: Float32Array): number {
    const { cell, gates, seen } = this;
    seen.set(rows);
    weigh(gates, seen, 0, seen.length, 0, 0);
    const gate = (index: number, at: number) => gates.output[index * HIDDEN + at] ?? 0;
    let result = this.lastBias;
    for (let at = 0; at < HIDDEN; at++) {
      const added = sigmoid(gate(0, at)) * Math.tanh(gate(2, at));
      const kept = sigmoid(gate(1, at)) * (cell[at] ?? 0) + added;
      const hidden = sigmoid(gate(3, at)) * Math.tanh(kept);
      cell[at] = kept;
      seen[HIDDEN + at] = hidden;
      result += Math.max(0, hidden) * (this.last[at] ?? 0);
    }
    return sigmoid(result);
  }
}

/** A convolution over three neighbors in time, without what is negative. */
function convolve(layer: Convolution, rows: Float32Array): Float32Array {
  const { from, step, bias, output } = layer;
  for (let time = 0, at = 0; at < output.length; time += step, at += bias.length) {
    const before = (time - 1) * from;
    const first = Math.max(0, before);
    const end = Math.min(rows.length, before + 3 * from);
    weigh(layer, rows, first, end, first - before, at);
  }
  for (let at = 0; at < output.length; at++) output[at] = Math.max(0, output[at] ?? 0);
  return output;
}

/**
 * Weighs `input` from `first` to `end` by each row, which begins with `skipped` numbers that are
 * not needed, into the output from `to` on. Four rows at a time, which is faster.
 */
function weigh(
  { weights, bias, output }: Layer,
  input: Float32Array,
  first: number,
  end: number,
  skipped: number,
  to: number,
): void {
  const width = weights.length / bias.length;
  for (let row = 0; row < bias.length; row += 4) {
    let a = bias[row] ?? 0;
    let b = bias[row + 1] ?? 0;
    let c = bias[row + 2] ?? 0;
    let d = bias[row + 3] ?? 0;
    let at = row * width + skipped;
    for (let index = first; index < end; index++, at++) {
      const each = input[index] ?? 0;
      a += each * (weights[at] ?? 0);
      b += each * (weights[at + width] ?? 0);
      c += each * (weights[at + 2 * width] ?? 0);
      d += each * (weights[at + 3 * width] ?? 0);
    }
    output[to + row] = a;
    output[to + row + 1] = b;
    output[to + row + 2] = c;
    output[to + row + 3] = d;
  }
}

/** Turns each row of `height` times `width` numbers on its side. */
function transposed(numbers: Float32Array, height: number, width: number): Float32Array {
  return Float32Array.from(numbers, (_, index) => {
    const at = index % (height * width);
    return numbers[index - at + (at % height) * width + Math.floor(at / height)] ?? 0;
  });
}

/** Numbers in half precision, which not every browser reads itself. */
function fromHalves(halves: Uint16Array): Float32Array {
  return Float32Array.from(halves, (bits) => {
    const exponent = (bits >> 10) & 31;
    const fraction = (bits & 1023) / 1024;
    const size = exponent === 0 ? fraction * 2 ** -14 : (1 + fraction) * 2 ** (exponent - 15);
    return bits & 0x8000 ? -size : size;
  });
}

function sigmoid(x: number): number {
  return 1 / (1 + Math.exp(-x));
}
