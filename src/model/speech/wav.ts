import { SAMPLE_RATE } from "../../ports/audioLine.ts";

const HEADER = 44;
/** A file's description may take so many bytes before its sound. */
const MAX_HEADER = 65_536;
/** Servers that stream do not know the length; these stand for it. */
const UNKNOWN_LENGTHS: ReadonlySet<number> = new Set([0, 0x7fff_ffff, 0x8000_0000, 0xffff_ffff]);
const PCM = 1;

/** Sound as in an `AudioLine` as a WAV file. */
export function encodeWav(pcm: Int16Array): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(HEADER + pcm.length * 2);
  const view = new DataView(bytes.buffer);
  bytes.set(new TextEncoder().encode("RIFF    WAVEfmt "));
  view.setUint32(4, bytes.length - 8, true);
  view.setUint32(16, 16, true);
  view.setUint16(20, PCM, true);
  view.setUint16(22, 1, true);
  view.setUint32(24, SAMPLE_RATE, true);
  view.setUint32(28, SAMPLE_RATE * 2, true);
  view.setUint16(32, 2, true);
  view.setUint16(34, 16, true);
  bytes.set(new TextEncoder().encode("data"), 36);
  view.setUint32(40, pcm.length * 2, true);
  bytes.set(new Uint8Array(pcm.buffer, pcm.byteOffset, pcm.byteLength), HEADER);
  return bytes;
}

/**
 * Reads a WAV file of 16 bit mono, which arrives in pieces, as sound for an `AudioLine`. The same
 * for every way to cut the file.
 */
export class WavReader {
  private rest = new Uint8Array(0);
  private sound: { readonly resampler: LinearResampler; missing: number | null } | null = null;

  /** True when nothing is missing of what the file's header promised. */
  get isComplete(): boolean {
    return this.sound !== null && (this.sound.missing ?? 0) <= 0;
  }

  /** The sound that `bytes` complete; null where they are no such file. */
  push(bytes: Uint8Array): Int16Array | null {
    this.rest = joinedBytes(this.rest, bytes);
    if (!this.sound) {
      const header = readHeader(this.rest);
      if (header === "unreadable") return null;
      if (header === "more") return new Int16Array(0);
      const { rate, start, size } = header;
      this.rest = this.rest.slice(start);
      this.sound = {
        resampler: new LinearResampler(rate),
        missing: UNKNOWN_LENGTHS.has(size) ? null : size,
      };
    }
    return this.takeSound(this.sound);
  }

  private takeSound(sound: NonNullable<typeof this.sound>): Int16Array {
    const bytes = Math.min(this.rest.length, sound.missing ?? Number.POSITIVE_INFINITY);
    const view = new DataView(this.rest.buffer, this.rest.byteOffset, this.rest.byteLength);
    const samples = Int16Array.from({ length: bytes >> 1 }, (_, at) => view.getInt16(at * 2, true));
    // Half a sample at the end of the sound is no sound.
    const taken = bytes === sound.missing ? bytes : samples.length * 2;
    if (sound.missing !== null) sound.missing -= taken;
    this.rest = this.rest.slice(sound.missing === 0 ? this.rest.length : taken);
    return sound.resampler.push(samples);
  }
}

/** Changes mono sound of any rate to that of an `AudioLine`, by interpolation. */
export class LinearResampler {
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
      for (; this.next <= 1; this.next += this.step)
        made.push(Math.round(this.last + (sample - this.last) * this.next));
      this.next -= 1;
      this.last = sample;
    }
    return Int16Array.from(made);
  }
}

/** What is known of a file once its sound begins at `start`. */
interface WavHeader {
  readonly rate: number;
  readonly start: number;
  /** The length of the sound in bytes, as the file says. */
  readonly size: number;
}

function readHeader(file: Uint8Array): WavHeader | "more" | "unreadable" {
  const view = new DataView(file.buffer, file.byteOffset, file.byteLength);
  const name = (at: number) => String.fromCharCode(...file.subarray(at, at + 4));
  if (!"RIFF".startsWith(name(0)) || !"WAVE".startsWith(name(8))) return "unreadable";
  let rate: number | null = null;
  let start = 20;
  while (start <= Math.min(file.length, MAX_HEADER)) {
    const chunk = name(start - 8);
    const size = view.getUint32(start - 4, true);
    if (chunk === "data") return rate === null ? "unreadable" : { rate, start, size };
    if (chunk === "fmt ") {
      if (file.length < start + 16) return "more";
      rate = size < 16 ? null : readRate(view, start);
      if (rate === null) return "unreadable";
    }
    start += size + (size % 2) + 8;
  }
  return start > MAX_HEADER ? "unreadable" : "more";
}

/** The samples a second of a format that can be played; null for any other. */
function readRate(view: DataView, at: number): number | null {
  const rate = view.getUint32(at + 4, true);
  const isMonoPcm =
    view.getUint16(at, true) === PCM &&
    view.getUint16(at + 2, true) === 1 &&
    view.getUint16(at + 14, true) === 16;
  return isMonoPcm && rate >= 4_000 && rate <= 192_000 ? rate : null;
}

function joinedBytes(first: Uint8Array, second: Uint8Array): Uint8Array<ArrayBuffer> {
  const all = new Uint8Array(first.length + second.length);
  all.set(first);
  all.set(second, first.length);
  return all;
}
