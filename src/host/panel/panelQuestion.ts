import type { Question, QuestionAnswer, QuestionRequest } from "../../ports/question.ts";
import { type AskingChat, askedIn, OpenRequests } from "./openRequests.ts";

/** Asks in the panel, which shows the question while the tool runs. */
export class PanelQuestion implements Question {
  readonly open = new OpenRequests<QuestionRequest, QuestionAnswer>();

  async ask(request: QuestionRequest, signal: AbortSignal): Promise<QuestionAnswer> {
    return (await this.open.ask(request, signal)) ?? { answered: false, why: "stopped" };
  }

  /**
   * The user's answer to a question of a chat, or null if they skip it. Ignored if the question is
   * closed.
   */
  answer(chat: AskingChat, callId: string, values: readonly string[] | null): void {
    const asked = askedIn(this.open, chat).find((request) => request.callId === callId);
    this.open.answer(
      asked,
      values === null ? { answered: false, why: "skipped" } : { answered: true, values },
    );
  }
}
