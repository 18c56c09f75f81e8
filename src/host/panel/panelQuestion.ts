import { Emitter } from "../../base/emitter.ts";
import { untilAborted } from "../../base/untilAborted.ts";
import type { Question, QuestionAnswer, QuestionRequest } from "../../ports/question.ts";

/** Asks in the panel, which shows the question while the tool runs. */
export class PanelQuestion implements Question {
  private readonly waiting = new Map<string, { readonly request: QuestionRequest; settle(answer: QuestionAnswer): void }>();
  private readonly opened = new Emitter<readonly QuestionRequest[]>();
  /** Fires with all questions that the user must answer in the panel, whenever that changes. */
  readonly onOpen = this.opened.on.bind(this.opened);

  async ask(request: QuestionRequest, signal: AbortSignal): Promise<QuestionAnswer> {
    if (signal.aborted) return STOPPED;
    const answer = new Promise<QuestionAnswer>((settle) => this.waiting.set(request.callId, { request, settle }));
    this.tell();
    const answered = await untilAborted(answer, signal);
    this.waiting.delete(request.callId);
    this.tell();
    return answered.ok ? answered.value : STOPPED;
  }

  private tell(): void {
    this.opened.fire([...this.waiting.values()].map(({ request }) => request));
  }

  /** The user's answer, null when they skip the question. Ignored if the question is closed. */
  answer(callId: string, values: readonly string[] | null): void {
    this.waiting.get(callId)?.settle(values === null ? SKIPPED : { answered: true, values });
  }
}

const SKIPPED: QuestionAnswer = { answered: false, why: "skipped" };
const STOPPED: QuestionAnswer = { answered: false, why: "stopped" };
