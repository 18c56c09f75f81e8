/** Samples of a Fourier transform, from one to the next, and its frequencies. */
const LENGTH = 256;
const STEP = 128;
export const BINS = 129;

const turn = (2 * Math.PI) / LENGTH;
const angles = Float64Array.from({ length: LENGTH }, (_, at) => turn * at);
const cosines = angles.map(Math.cos);
const sines = angles.map(Math.sin);
/** The transform's window. */
const fade = cosines.map((cosine) => 0.5 - 0.5 * cosine);
/** Where the transform wants each sample: its index with the bits in reverse. */
const places = Uint8Array.from({ length: LENGTH }, (_, at) =>
  [0, 1, 2, 3, 4, 5, 6, 7].reduce((place, bit) => place | (((at >> bit) & 1) << (7 - bit)), 0),
);
const real = new Float64Array(LENGTH);
const imaginary = new Float64Array(LENGTH);

/**
 * The size of each frequency in `sound`, `into` one row of `BINS` for each time. The times are an
 * even number, because each transform does two.
 */
export function spectrum(sound: Float32Array, into: Float32Array): void {
  for (let at = 0; at < into.length; at += 2 * BINS) {
    const from = (at / BINS) * STEP;
    for (let index = 0; index < LENGTH; index++) {
      const place = places[index] ?? 0;
      real[place] = (sound[from + index] ?? 0) * (fade[index] ?? 0);
      imaginary[place] = (sound[from + STEP + index] ?? 0) * (fade[index] ?? 0);
    }
    transform();
    for (let bin = 0; bin < BINS; bin++) {
      const mirrored = (LENGTH - bin) % LENGTH;
      const [a, b] = [real[bin] ?? 0, imaginary[bin] ?? 0];
      const [c, d] = [real[mirrored] ?? 0, imaginary[mirrored] ?? 0];
      into[at + bin] = Math.sqrt((a + c) ** 2 + (b - d) ** 2) / 2;
      into[at + BINS + bin] = Math.sqrt((b + d) ** 2 + (c - a) ** 2) / 2;
    }
  }
}

/** The fast Fourier transform of `real` and `imaginary`, in place. */
function transform(): void {
  for (let half = 1; half < LENGTH; half *= 2)
    for (let wave = 0; wave < half; wave++) {
      const angle = (wave * LENGTH) / (2 * half);
      const cosine = cosines[angle] ?? 0;
      const sine = sines[angle] ?? 0;
      for (let first = wave; first < LENGTH; first += 2 * half) {
        const second = first + half;
        const [a, b] = [real[second] ?? 0, imaginary[second] ?? 0];
        const [c, d] = [real[first] ?? 0, imaginary[first] ?? 0];
        const turned = a * cosine + b * sine;
        const other = b * cosine - a * sine;
        real[second] = c - turned;
        imaginary[second] = d - other;
        real[first] = c + turned;
        imaginary[first] = d + other;
      }
    }
}
