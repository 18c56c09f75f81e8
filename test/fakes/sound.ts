import { type HeardSound, SAMPLE_RATE } from "../../src/ports/audioLine.ts";
import { SOUND_FRAME } from "../../src/protocol/voicePage.ts";

/** Sound as the page sends it, where everything above -45 dB is a voice. */
export function heardSound(pcm: Int16Array): HeardSound[] {
  return cut(pcm, [SOUND_FRAME]).map((frame) => ({ pcm: frame, voice: voiceIn(frame) }));
}

/** 1 where a frame is louder than -45 dB, else 0. */
export function voiceIn(frame: Int16Array): number {
  const energy = frame.reduce((sum, sample) => sum + (sample / 32_768) ** 2, 0) / frame.length;
  return 10 * Math.log10(energy) > -45 ? 1 : 0;
}

/** Noise of a loudness in decibels of full scale. The same for the same arguments. */
export function noise(ms: number, decibels: number): Int16Array {
  const amplitude = Math.sqrt(3) * 32_768 * 10 ** (decibels / 20);
  let state = 12_345;
  return Int16Array.from({ length: Math.round((ms * SAMPLE_RATE) / 1000) }, () => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return Math.max(-32_768, Math.min(32_767, Math.round((state / 1_073_741_824 - 1) * amplitude)));
  });
}

/**
 * What sounds like words to an endpointer: syllables of 160 ms with gaps of 40 ms, in a room of
 * `room` decibels.
 */
export function words(ms: number, decibels: number, room = -70): Int16Array {
  const syllables: Int16Array[] = [];
  for (let at = 0; at < ms; at += 200) syllables.push(noise(160, decibels), noise(40, room));
  return concat(...syllables);
}

/** Sounds one after another. */
export function concat(...sounds: readonly Int16Array[]): Int16Array {
  const all = new Int16Array(sounds.reduce((length, sound) => length + sound.length, 0));
  let at = 0;
  for (const sound of sounds) {
    all.set(sound, at);
    at += sound.length;
  }
  return all;
}

/** The same sound in pieces of these lengths, again and again. */
export function cut(sound: Int16Array, lengths: readonly number[]): Int16Array[] {
  const pieces: Int16Array[] = [];
  for (let at = 0, turn = 0; at < sound.length; turn++) {
    const length = lengths[turn % lengths.length] ?? sound.length;
    pieces.push(sound.slice(at, at + length));
    at += length;
  }
  return pieces;
}
