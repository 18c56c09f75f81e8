import { SAMPLE_RATE } from "../../ports/audioLine.ts";
import { Resampler } from "./resampler.ts";

const HEADER = 44;
/** A file's description may take so many bytes before its sound. */
const MAX_HEADER = 65_536;
/** Servers that stream do not know the length; these stand for it. */
const UNKNOWN_LENGTHS: ReadonlySet<number> = new Set([0, 0x7fff_ffff, 0x8000_0000, 0xffff_ffff]);
const PCM = 1;
const EXTENSIBLE = 0xfffe;

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

interface WavFormat {
  readonly rate: number;
  readonly channels: number;
}

/** Reads a WAV file of 16 bit, which arrives in pieces, as sound for an `AudioLine`. The same for every way to cut the file. */
export class WavReader {
  private rest = new Uint8Array(0);
  private seen = 0;
  private format: WavFormat | null = null;
  private sound: { readonly resampler: Resampler; missing: number | null } | null = null;

  /** True when nothing is missing of what the file's header promised. */
  get isComplete(): boolean {
    return this.sound !== null && (this.sound.missing ?? 0) <= 0;
  }

  /** The sound that `bytes` complete; null where they are no such file. */
  push(bytes: Uint8Array): Int16Array | null {
    this.rest = joined(this.rest, bytes);
    while (!this.sound) {
      const taken = this.takeChunk();
      if (taken === "unreadable") return null;
      if (taken === "more") return new Int16Array(0);
    }
    return this.takeSound(this.sound, this.format?.channels ?? 1);
  }

  private takeChunk(): "taken" | "more" | "unreadable" {
    const { rest } = this;
    const view = new DataView(rest.buffer, rest.byteOffset, rest.byteLength);
    const name = (at: number) => String.fromCharCode(...rest.subarray(at, at + 4));
    if (this.seen === 0) {
      if (!"RIFF".startsWith(name(0))) return "unreadable";
      if (rest.length < 12) return "more";
      if (name(8) !== "WAVE") return "unreadable";
      this.skip(12);
      return "taken";
    }
    if (rest.length < 8) return "more";
    const size = view.getUint32(4, true);
    if (name(0) === "data") {
      if (!this.format) return "unreadable";
      this.skip(8);
      this.sound = { resampler: new Resampler(this.format.rate), missing: UNKNOWN_LENGTHS.has(size) ? null : size };
      return "taken";
    }
    const length = 8 + size + (size % 2);
    if (this.seen + length > MAX_HEADER) return "unreadable";
    if (rest.length < length) return "more";
    if (name(0) === "fmt ") {
      this.format = size >= 16 ? readFormat(view) : null;
      if (!this.format) return "unreadable";
    }
    this.skip(length);
    return "taken";
  }

  private takeSound(sound: NonNullable<typeof this.sound>, channels: number): Int16Array {
    const frame = channels * 2;
    const usable = Math.max(0, Math.min(this.rest.length, sound.missing ?? Number.POSITIVE_INFINITY));
    const frames = Math.floor(usable / frame);
    const view = new DataView(this.rest.buffer, this.rest.byteOffset, this.rest.byteLength);
    const mono = new Float64Array(frames);
    for (let at = 0; at < frames; at++) {
      let sum = 0;
      for (let channel = 0; channel < channels; channel++) sum += view.getInt16(at * frame + channel * 2, true);
      mono[at] = sum / channels;
    }
    // A half frame at the end of the sound is no sound.
    const taken = sound.missing !== null && usable === sound.missing ? usable : frames * frame;
    if (sound.missing !== null) sound.missing -= taken;
    this.skip(sound.missing === 0 ? this.rest.length : taken);
    return sound.resampler.push(mono);
  }

  private skip(length: number): void {
    this.rest = this.rest.slice(length);
    this.seen += length;
  }
}

function readFormat(view: DataView): WavFormat | null {
  const code = view.getUint16(8, true);
  const channels = view.getUint16(10, true);
  const rate = view.getUint32(12, true);
  const isPcm = (code === PCM || code === EXTENSIBLE) && view.getUint16(22, true) === 16;
  return isPcm && channels >= 1 && channels <= 8 && rate >= 4_000 && rate <= 192_000 ? { rate, channels } : null;
}

function joined(first: Uint8Array, second: Uint8Array): Uint8Array<ArrayBuffer> {
  const all = new Uint8Array(first.length + second.length);
  all.set(first);
  all.set(second, first.length);
  return all;
}
