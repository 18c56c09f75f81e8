import { ok } from "../base/result.ts";
import type { Voice } from "../model/speech/voice.ts";
import { SAMPLE_RATE } from "../ports/audioLine.ts";

/** The fixed transcript, a request that demo mode can answer. */
const TRANSCRIPT = "Explain this file.";
const SYLLABLE = 0.12;
const GAP = 0.05;
const VOLUME = 4_000;

/** A voice without a server. Always recognizes the same words, and hums one tone per syllable. */
export function createDemoVoice(): Voice {
  return {
    isDemo: true,
    transcribe: async (_utterance, _signal, onWords) => {
      onWords?.(TRANSCRIPT);
      return ok(TRANSCRIPT);
    },
    async *speak(text, signal) {
      for (const [syllable] of text.matchAll(/[^\s]{1,3}/g)) {
        if (signal.aborted) break;
        yield tone(180 + 12 * ((syllable.codePointAt(0) ?? 0) % 10));
      }
      return null;
    },
  };
}

/** A syllable that fades in and out, followed by a pause. */
function tone(hertz: number): Int16Array {
  const length = SYLLABLE * SAMPLE_RATE;
  return Int16Array.from({ length: length + GAP * SAMPLE_RATE }, (_, at) =>
    at < length
      ? VOLUME *
        Math.sin((Math.PI * at) / length) *
        Math.sin((2 * Math.PI * hertz * at) / SAMPLE_RATE)
      : 0,
  );
}
