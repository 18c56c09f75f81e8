import { err, ok, type Result } from "../base/result.ts";
import type { ModelError } from "../model/modelFailure.ts";
import { saidWords } from "./spokenWords.ts";

/** Recognizes the words of a recording. */
export type Recognize = (pcm: Int16Array) => Promise<Result<string, ModelError>>;

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
