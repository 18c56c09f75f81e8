import { err, ok, type Result } from "../base/result.ts";
import type { ModelError } from "../model/modelFailure.ts";
import { SAMPLE_RATE } from "../ports/audioLine.ts";
import { saidWords } from "./spokenWords.ts";

/** Recognizes the words of a recording. */
export type Recognize = (pcm: Int16Array) => Promise<Result<string, ModelError>>;

/** The longest recording that is recognized at once, in samples: a minute. */
const LONGEST_PART = 60 * SAMPLE_RATE;

/** A message of which only its sound is left. */
export function partsOfSound(pcm: Int16Array, recognize: Recognize): Dictation {
  const said = new Dictation(recognize);
  for (let at = 0; at < pcm.length; at += LONGEST_PART)
    said.add(pcm.subarray(at, at + LONGEST_PART));
  return said;
}

/** One message that is being said: recordings, and their words as they are recognized. */
export class Dictation {
  private readonly recognize: Recognize;
  private parts: { readonly pcm: Int16Array; result: Promise<Result<string, ModelError>> }[] = [];

  constructor(recognize: Recognize) {
    this.recognize = recognize;
  }

  /** How many recordings it has. */
  get length(): number {
    return this.parts.length;
  }

  /** Its recordings, in order. */
  get sound(): readonly Int16Array[] {
    return this.parts.map(({ pcm }) => pcm);
  }

  add(pcm: Int16Array): void {
    this.parts.push({ pcm, result: this.recognize(pcm) });
  }

  /** All words so far, without what was invented, once all are recognized; or the first failure. */
  async words(): Promise<Result<string, ModelError>> {
    const results = await Promise.all(this.parts.map(({ result }) => result));
    const texts: string[] = [];
    for (const result of results) {
      if (!result.ok) return err(result.error);
      texts.push(saidWords(result.value));
    }
    return ok(texts.filter((text) => text !== "").join(" "));
  }

  /** Asks again for the words that were not recognized. */
  async retry(): Promise<void> {
    for (const part of this.parts)
      if (!(await part.result).ok) part.result = this.recognize(part.pcm);
  }
}
