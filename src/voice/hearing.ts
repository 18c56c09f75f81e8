import type { Result } from "../base/result.ts";
import { SerialQueue } from "../base/serialQueue.ts";
import type { ModelError } from "../model/modelFailure.ts";
import type { AudioEnd, HeardSound } from "../ports/audioLine.ts";
import { Dictation } from "./dictation.ts";
import { Endpointer, type Heard } from "./endpointer.ts";
import { isUnfinished, saidWords } from "./spokenWords.ts";

/** Why what was said is not sent: the line's end, its length, or a sentence without its end. */
export type DraftReason = AudioEnd["code"] | "limit" | "silence";

/**
 * What ends a message. The button sends it; so does a pause, where its words can end a sentence.
 * After anything else the words become a draft.
 */
type SaidEnd = "button" | "pause" | DraftReason;

/** Why nothing came of what was said. */
export type HearingProblem =
  /** It is kept, and `retry` recognizes it again. */
  | { readonly code: "transcription"; readonly error: ModelError }
  /** The user said nothing, or the recognizer found no words in it. */
  | { readonly code: "nothing-heard" | "nothing-recognized" };

/** Who recognizes what is heard, and takes what was said. */
export interface HearingClient {
  recognize(pcm: Int16Array, onWords: (words: string) => void): Promise<Result<string, ModelError>>;
  /** A whole message. */
  said(words: string): void;
  /** Words that the user did not end. */
  draft(words: string, reason: DraftReason): void;
  /** Someone begins to speak. */
  began(): void;
  /** Nothing came of what was said. */
  problem(problem: HearingProblem): void;
  stateChanged(): void;
}

/** Makes messages of sound: finds what is said, and decides when it is whole. */
export class Hearing {
  private readonly client: HearingClient;
  private readonly recognition = new SerialQueue();
  private readonly settling = new Set<Promise<void>>();
  private endpointer: Endpointer | null = null;
  private isHandsFree = false;
  /** The message that the user has begun and may go on with. */
  private said: Dictation | null = null;
  /** Whether what is said began as a message that became too long. */
  private isTooLong = false;
  /** Messages that could not be recognized, kept for `retry`. */
  private failed: { readonly said: Dictation; readonly end: SaidEnd }[] = [];
  /** The words so far. */
  words = "";
  /** Whether a voice is heard now. */
  isHearing = false;

  constructor(client: HearingClient) {
    this.client = client;
  }

  /** Whether words are being recognized. */
  get isRecognizing(): boolean {
    return this.settling.size > 0;
  }

  /** Whether the user speaks, or may go on. */
  get isTalking(): boolean {
    return this.isHearing || this.isRecognizing || this.said !== null;
  }

  /** The loudness of the last sound, from 0 to 1. */
  get level(): number {
    return this.endpointer?.level ?? 0;
  }

  /** Begins to listen. With `pauseMs` a pause of that length ends a message, else `finish`. */
  begin(pauseMs: number | null): void {
    this.isHandsFree = pauseMs !== null;
    this.endpointer = new Endpointer(pauseMs);
  }

  takeSound(sound: HeardSound): void {
    for (const heard of this.endpointer?.push(sound) ?? []) this.takeHeard(heard, "pause");
  }

  /** The user let go of the button: what was said is a message. */
  finish(): void {
    const heard = this.endpointer?.finish();
    this.endpointer = null;
    if (heard) this.takeHeard(heard, "button");
  }

  /** Listening is over before the user has ended what is said. */
  stop(reason: AudioEnd["code"]): void {
    const heard = this.endpointer?.finish();
    const isCut = this.isHearing || heard?.type === "utterance" || !this.isHandsFree;
    this.endpointer = null;
    this.isHearing = false;
    this.isTooLong = false;
    if (heard?.type === "utterance") this.add(heard.pcm);
    // What a pause has ended is sent, unless more had to follow.
    if (this.said) this.settle(this.said, isCut ? reason : "silence");
  }

  /** Recognizes the failed messages again, in order. */
  retry(): void {
    for (const { said, end } of this.failed.splice(0)) this.settle(said, end, said.retry());
  }

  /** Settles when all that was said is a message, a draft or a failure. */
  async settled(): Promise<void> {
    while (this.settling.size > 0) await Promise.all(this.settling);
  }

  private takeHeard(heard: Heard, end: "pause" | "button"): void {
    const { client } = this;
    if (heard.type === "voice") client.began();
    if (heard.type === "utterance" || heard.type === "part") this.add(heard.pcm);
    if (heard.type === "limit") {
      // The rest of what is too long is no message either.
      this.isTooLong ||= this.said !== null;
      if (this.said) this.settle(this.said, "limit");
      return;
    }
    this.isHearing = heard.type === "voice" || heard.type === "part";
    const usual = heard.type === "silence" ? "silence" : end;
    if (!this.isHearing && this.said) this.settle(this.said, this.isTooLong ? "limit" : usual);
    else if (heard.type === "dropped" && end === "button" && !this.isTooLong)
      client.problem({ code: "nothing-heard" });
    if (!this.isHearing) this.isTooLong = false;
    client.stateChanged();
  }

  private add(pcm: Int16Array): void {
    const onWords = (words: string) => {
      this.words = saidWords(words);
      this.client.stateChanged();
    };
    this.said ??= new Dictation((part) =>
      this.recognition.run(() => this.client.recognize(part, onWords)),
    );
    this.said.add(pcm);
  }

  private settle(said: Dictation, end: SaidEnd, after?: Promise<void>): void {
    const task = this.settleLater(said, end, after);
    this.settling.add(task);
    void task.finally(() => {
      this.settling.delete(task);
      this.client.stateChanged();
    });
    this.client.stateChanged();
  }

  /** Delivers a message once its words are known, unless the user went on meanwhile. */
  private async settleLater(
    said: Dictation,
    end: SaidEnd,
    after: Promise<void> | undefined,
  ): Promise<void> {
    const { length } = said;
    const mayGoOn = end === "pause" || end === "silence";
    if (!mayGoOn && this.said === said) this.said = null;
    await after;
    const words = await said.words();
    const isCurrent = this.said === said && said.length === length && !this.isHearing;
    if (!mayGoOn || after || isCurrent) this.deliver(said, words, end);
  }

  private deliver(said: Dictation, words: Result<string, ModelError>, end: SaidEnd): void {
    const { client } = this;
    const isWhole = end === "button" || (words.ok && !isUnfinished(words.value));
    this.words = words.ok && !isWhole && end === "pause" ? words.value : "";
    if (this.words !== "") return;
    if (this.said === said) this.said = null;
    if (!words.ok) {
      // An abort leaves nothing to try again.
      if (words.error.code === "aborted") return;
      this.failed.push({ said, end });
      client.problem({ code: "transcription", error: words.error });
    } else if (words.value === "") {
      if (end === "button") client.problem({ code: "nothing-recognized" });
    } else if (end === "button" || end === "pause" || (end === "silence" && isWhole))
      client.said(words.value);
    else client.draft(words.value, end);
  }
}
