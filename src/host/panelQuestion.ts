import { Emitter } from "../base/emitter.ts";
import type { Question, QuestionAnswer, QuestionRequest } from "../ports/question.ts";

/** Asks in the panel, which shows the question while its tool runs. */
export class PanelQuestion implements Question {
  private readonly waiting = new Map<string, (values: readonly string[] | null) => void>();
  private readonly asked = new Emitter<QuestionRequest>();
  /** Fires when the user must answer in the panel. */
  readonly onAsked = this.asked.on.bind(this.asked);

  ask(request: QuestionRequest, signal: AbortSignal): Promise<QuestionAnswer> {
    if (signal.aborted) return Promise.resolve(STOPPED);
    return new Promise((resolve) => {
      const settle = (answer: QuestionAnswer) => {
        this.waiting.delete(request.callId);
        signal.removeEventListener("abort", stopped);
        resolve(answer);
      };
      const stopped = () => settle(STOPPED);
      signal.addEventListener("abort", stopped);
      this.waiting.set(request.callId, (values) => {
        if (values === null) settle(SKIPPED);
        else if (fits(request, values)) settle({ answered: true, values });
      });
      this.asked.fire(request);
    });
  }

  /** The user's answer from the panel, null for none. One that does not fit, or is for a question that is not open any more, is ignored. */
  answer(callId: string, values: readonly string[] | null): void {
    this.waiting.get(callId)?.(values);
  }
}

function fits({ kind, options }: QuestionRequest, values: readonly string[]): boolean {
  const [value] = values;
  switch (kind) {
    case "choice":
      return values.length === 1 && value !== undefined && options.includes(value);
    case "multi-choice":
      return new Set(values).size === values.length && values.every((each) => options.includes(each));
    case "text":
      return values.length === 1 && value !== undefined && value.trim() !== "";
    case "confirm":
      return values.length === 1 && (value === "yes" || value === "no");
  }
}

const SKIPPED: QuestionAnswer = { answered: false, reason: "The user did not answer the question." };
const STOPPED: QuestionAnswer = { answered: false, reason: "The turn was stopped before the user answered." };
