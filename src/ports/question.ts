/** A question to the user. */
export interface QuestionRequest {
  readonly turnId: string;
  readonly callId: string;
  readonly kind: "choice" | "multi-choice" | "text" | "confirm";
  readonly question: string;
  /** The choices. Empty for `text` and `confirm`. */
  readonly options: readonly string[];
}

/**
 * The user's answer: the chosen options or the text they wrote. For `confirm`, exactly `yes` or
 * `no`.
 */
export type QuestionAnswer =
  | { readonly answered: true; readonly values: readonly string[] }
  | Unanswered;

/** No answer: the user skipped the question, stopped the turn, or is not present. */
export interface Unanswered {
  readonly answered: false;
  readonly why: "skipped" | "stopped" | "nobody";
}

/** Asks the user. */
export interface Question {
  /** Waits without a time limit. Settles as unanswered when `signal` aborts. */
  ask(request: QuestionRequest, signal: AbortSignal): Promise<QuestionAnswer>;
}
