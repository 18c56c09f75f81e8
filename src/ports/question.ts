/** A question to the user. */
export interface QuestionRequest {
  readonly turnId: string;
  readonly callId: string;
  readonly kind: "choice" | "multi-choice" | "text" | "confirm";
  readonly question: string;
  /** What there is to choose from; empty for `text` and `confirm`. */
  readonly options: readonly string[];
}

/** What the user said: the chosen options or the text he wrote; for `confirm` exactly `yes` or `no`. */
export type QuestionAnswer = { readonly answered: true; readonly values: readonly string[] } | Unanswered;

/** No answer: the user skipped the question or stopped the turn, or there is nobody to ask. */
export interface Unanswered {
  readonly answered: false;
  readonly why: "skipped" | "stopped" | "nobody";
}

/** Asks the user. */
export interface Question {
  /** Waits as long as the user takes. Settles unanswered when `signal` aborts. */
  ask(request: QuestionRequest, signal: AbortSignal): Promise<QuestionAnswer>;
}
