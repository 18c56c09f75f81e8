import { SAMPLE_RATE } from "../../../src/ports/audioLine.ts";

/** Numbers from -1 to 1, the same each time. */
function random(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return state / 1_073_741_824 - 1;
  };
}

/** Samples whose loudest has half of the full scale. */
function scaled(sound: Float32Array): Int16Array {
  const peak = sound.reduce((most, each) => Math.max(most, Math.abs(each)), 1e-9);
  return Int16Array.from(sound, (each) => (each / peak) * 16_384);
}

/** Adds `wave` of the seconds since `at`, for `length` seconds. */
function add(
  sound: Float32Array,
  at: number,
  length: number,
  wave: (seconds: number) => number,
): void {
  const from = Math.round(at * SAMPLE_RATE);
  const count = Math.min(Math.round(length * SAMPLE_RATE), sound.length - from);
  for (let index = 0; index < count; index++)
    sound[from + index] = (sound[from + index] ?? 0) + wave(index / SAMPLE_RATE);
}

const silence = (seconds: number) => new Float32Array(Math.round(seconds * SAMPLE_RATE));

/** Noise with equal power in each octave. */
export function pink(seconds: number): Int16Array {
  const next = random(1);
  const poles = [0.997, 0.985, 0.95, 0.85, 0.6, 0.3];
  const states = poles.map(() => 0);
  return scaled(
    silence(seconds).map(() =>
      poles.reduce((sum, pole, index) => {
        const state = pole * (states[index] ?? 0) + (1 - pole) * next() * (index + 1);
        states[index] = state;
        return sum + state;
      }, 0),
    ),
  );
}

/** Chords, a melody and a beat. */
export function music(seconds: number): Int16Array {
  const sound = silence(seconds);
  const next = random(2);
  const chords = [
    [220, 261.6, 329.6],
    [174.6, 220, 261.6],
    [130.8, 164.8, 196],
    [196, 246.9, 293.7],
  ];
  const note = (hertz: number, volume: number, decay: number) => (at: number) =>
    [1, 0.5, 0.3, 0.15].reduce(
      (sum, part, index) => sum + part * Math.sin(2 * Math.PI * hertz * (index + 1) * at),
      0,
    ) *
    volume *
    Math.exp(-decay * at) *
    Math.min(1, at * 200);
  for (let beat = 0; beat * 0.5 < seconds; beat++) {
    const chord = chords[Math.floor(beat / 4) % chords.length] ?? [];
    if (beat % 4 === 0) for (const hertz of chord) add(sound, beat / 2, 2, note(hertz, 0.3, 1));
    add(sound, beat / 2, 0.6, note((chord[beat % 3] ?? 220) * 2, 0.35, 4));
    add(sound, beat / 2, 0.08, (at) => next() * 0.3 * Math.exp(-at * 50));
  }
  return scaled(sound);
}

/** A double cough every two seconds, the first after half a second. */
export function coughs(seconds: number): Int16Array {
  const sound = silence(seconds);
  const next = random(3);
  for (let at = 0.5; at < seconds; at += 2)
    for (const [from, length, decay] of [
      [0, 0.09, 18],
      [0.12, 0.16, 12],
    ] as const) {
      let low = 0;
      add(sound, at + from, length, (since) => {
        low = 0.6 * low + 0.4 * next();
        const throat = 0.3 * Math.sin(2 * Math.PI * (180 - 200 * since) * since);
        return (low + throat) * Math.exp(-since * decay) * Math.min(1, since * 300);
      });
    }
  return scaled(sound);
}

/** A click of a mouse every 0.7 s. */
export function clicks(seconds: number): Int16Array {
  return taps(seconds, 0.7, [[0, 0.004, 900]]);
}

/** Someone who types, some ten keys a second. */
export function keyboard(seconds: number): Int16Array {
  return taps(seconds, 0.13, [
    [0, 0.012, 400],
    [0.07, 0.008, 500],
  ]);
}

function taps(
  seconds: number,
  every: number,
  parts: readonly (readonly [from: number, length: number, decay: number])[],
): Int16Array {
  const sound = silence(seconds);
  const next = random(4);
  for (let at = 0.3; at < seconds; at += every * (1 + 0.4 * next()))
    for (const [from, length, decay] of parts)
      add(sound, at + from, length, (since) => next() * Math.exp(-since * decay));
  return scaled(sound);
}

/** An office: low noise, voices from afar that nobody understands, and keys. */
export function office(seconds: number, voices: Int16Array): Int16Array {
  const low = silence(seconds);
  const next = random(5);
  let brown = 0;
  for (let at = 0; at < low.length; at++) {
    brown = 0.98 * brown + 0.02 * next();
    low[at] = brown;
  }
  const muffled = silence(seconds);
  let state = 0;
  for (let at = 0; at < muffled.length; at++) {
    const both = (voices[at % voices.length] ?? 0) + (voices[(at + 33_333) % voices.length] ?? 0);
    state += 0.15 * (both - state);
    muffled[at] = state;
  }
  return mixed(mixed(scaled(low), scaled(muffled), -12), keyboard(seconds), -16);
}

/** `sound` with `other` beside it, whose power is `decibels` above that of `sound`'s loud half. */
export function mixed(sound: Int16Array, other: Int16Array, decibels: number): Int16Array {
  const loud = sound.filter((each) => Math.abs(each) > 300);
  const power = (of: Int16Array) => of.reduce((sum, each) => sum + each * each, 0) / of.length;
  const gain =
    Math.sqrt(power(loud.length > 0 ? loud : sound) / power(other)) * 10 ** (decibels / 20);
  return sound.map((each, at) =>
    Math.max(-32_768, Math.min(32_767, each + gain * (other[at % other.length] ?? 0))),
  );
}

/** A room: its sound, and how many dB it is above the voice that speaks in it. */
interface Room {
  sound(seconds: number, voices: Int16Array): Int16Array;
  readonly decibels: number;
}

/** The rooms in which Graft has to hear a voice, by name. */
export const ROOMS: ReadonlyMap<string, Room> = new Map([
  ["quiet", { sound: (seconds: number) => pink(seconds), decibels: -50 }],
  ["music", { sound: music, decibels: -14 }],
  ["office", { sound: office, decibels: -14 }],
  ["pink noise", { sound: pink, decibels: -14 }],
  ["cough", { sound: coughs, decibels: -6 }],
  ["clicks", { sound: clicks, decibels: -6 }],
  ["keyboard", { sound: keyboard, decibels: -10 }],
]);
