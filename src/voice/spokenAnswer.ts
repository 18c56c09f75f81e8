import type { Localize } from "../base/localize.ts";
import type { TurnEvent } from "../turns/turnEvent.ts";
import { Speakable, type SpokenSentence } from "./speakable.ts";

/** Speech that is prepared but not playing yet. */
interface HeldSpeech {
  /** Adds a sentence of the answer's step `step`. */
  add(sentence: SpokenSentence, step: number): void;
  /** Discards the speech. */
  drop(): void;
}

/** Reasons to stop that leave an answer worth hearing. */
const SPOKEN_ENDS: ReadonlySet<string> = new Set(["done", "length", "step-limit"]);

/**
 * Decides which part of an answer to a spoken message is spoken, and when. Speech starts only after
 * the turn has ended, and covers only the text after its last tool call. So nothing is spoken
 * before the results are in. Sentences are synthesized as soon as they are written.
 */
export class SpokenAnswer<S extends HeldSpeech> {
  private readonly prepare: () => S | null;
  private readonly release: (turnId: string, speech: S | null) => void;
  private readonly spokenTurns = new Set<string>();
  private turn: { readonly id: string; isSpoken: boolean; step: number; hasCalls: boolean } | null =
    null;
  private readonly t: Localize;
  private text: Speakable;
  private held: S | null = null;

  /**
   * `prepare` creates a speech, or returns null while there is no audio. `release` receives it at
   * the end, or null if there is nothing to say.
   */
  constructor(
    prepare: () => S | null,
    release: (turnId: string, speech: S | null) => void,
    t: Localize,
  ) {
    this.t = t;
    this.text = new Speakable(t);
    this.prepare = prepare;
    this.release = release;
  }

  /** Whether the answer of turn `turnId` is spoken. */
  isSpoken(turnId: string): boolean {
    return this.turn?.id === turnId && this.turn.isSpoken;
  }

  /** Processes every event of the chat, in order. */
  takeEvent(event: TurnEvent): void {
    if (event.type === "turn-start") this.begin(event);
    else if (this.turn && event.turnId === this.turn.id) this.takeOfTurn(this.turn, event);
  }

  private begin(event: TurnEvent & { type: "turn-start" }): void {
    if (event.role === "user") {
      if (event.spoken) this.spokenTurns.add(event.turnId);
      return;
    }
    this.drop();
    const isSpoken = event.parentTurnId !== null && this.spokenTurns.has(event.parentTurnId);
    this.turn = { id: event.turnId, isSpoken, step: 0, hasCalls: false };
    this.text = new Speakable(this.t);
  }

  private takeOfTurn(turn: NonNullable<typeof this.turn>, event: TurnEvent): void {
    switch (event.type) {
      case "user-message":
        turn.isSpoken ||= event.spoken ?? false;
        return;
      case "step-start":
        this.hold(this.text.flush(), turn);
        this.text = new Speakable(this.t);
        turn.step = event.step;
        turn.hasCalls = false;
        return;
      case "text-delta":
        this.hold(this.text.push(event.text), turn);
        return;
      case "text-was-reasoning":
        this.drop();
        this.text = new Speakable(this.t);
        return;
      case "tool-call-start":
      case "tool-call":
      case "tool-result":
        turn.hasCalls = true;
        this.drop();
        return;
      case "turn-end":
        this.hold(this.text.flush(), turn);
        this.turn = null;
        if (turn.isSpoken && SPOKEN_ENDS.has(event.reason)) this.release(turn.id, this.held);
        else this.held?.drop();
        this.held = null;
        return;
    }
  }

  private hold(
    sentences: readonly SpokenSentence[],
    { isSpoken, hasCalls, step }: NonNullable<typeof this.turn>,
  ): void {
    if (!isSpoken || hasCalls) return;
    for (const sentence of sentences) {
      this.held ??= this.prepare();
      this.held?.add(sentence, step);
    }
  }

  private drop(): void {
    this.held?.drop();
    this.held = null;
  }
}
