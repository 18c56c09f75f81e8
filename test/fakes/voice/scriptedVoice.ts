import { err, ok, type Result } from "../../../src/base/result.ts";
import { type FailureCode, type ModelError, modelError } from "../../../src/model/modelFailure.ts";
import type { Voice } from "../../../src/model/speech/voice.ts";

/** A failure at an endpoint of voice. */
export function voiceError(code: FailureCode): ModelError {
  return modelError({ code }, { baseUrl: "http://voice.invalid/v1", model: "voice" });
}

/** Samples of a letter. */
const LETTER = 10;

/**
 * Recognizes what the script says, and speaks each sentence as one piece of sound whose samples are
 * its letters.
 */
export class ScriptedVoice implements Voice {
  /** The transcripts to come, or how recognizing fails. */
  readonly transcripts: (string | FailureCode[])[];
  /** How many samples each utterance had. */
  readonly utterances: number[] = [];
  readonly prepared: string[] = [];
  /** Sentences that cannot be spoken. */
  readonly unspeakable = new Set<string>();

  constructor(...transcripts: readonly (string | FailureCode[])[]) {
    this.transcripts = [...transcripts];
  }

  async transcribe(
    utterance: Int16Array,
    _signal: AbortSignal,
    onWords?: (words: string) => void,
  ): Promise<Result<string, ModelError>> {
    this.utterances.push(utterance.length);
    const next = this.transcripts.shift() ?? "";
    if (typeof next !== "string") return err(voiceError(next[0] ?? "interrupted"));
    onWords?.(next.split(" ")[0] ?? "");
    await Promise.resolve();
    return ok(next);
  }

  async *speak(text: string): AsyncGenerator<Int16Array, ModelError | null, undefined> {
    this.prepared.push(text);
    await Promise.resolve();
    if (this.unspeakable.has(text)) return voiceError("server-error");
    yield Int16Array.from({ length: text.length * LETTER }, (_, at) =>
      text.charCodeAt(at / LETTER),
    );
    return null;
  }

  /** The words of sound that this voice made. */
  textOf(pcm: Int16Array): string {
    return String.fromCharCode(...pcm.filter((_, at) => at % LETTER === 0));
  }
}
