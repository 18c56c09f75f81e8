import { untilAborted } from "../base/untilAborted.ts";
import type { ToolCall } from "../model/message.ts";
import type { Question } from "../ports/question.ts";
import type { ToolContext } from "../tools/tool.ts";

/** Asks the user, while the call is still shown as running, whether a model that repeats itself may go on; it may unless he says no. */
export async function askToGoOn({ callId, name }: ToolCall, question: Question, context: Omit<ToolContext, "callId">): Promise<boolean> {
  const { turnId, emit, signal } = context;
  const text = `The model has called ${name} three times in a row, each time with the same result. Let it go on?`;
  emit({ type: "question", callId, kind: "confirm", question: text, options: [] });
  const asked = question.ask({ turnId, callId, kind: "confirm", question: text, options: [] }, signal);
  const answer = await untilAborted(asked, signal);
  return !answer.ok || !answer.value.answered || answer.value.values[0] !== "no";
}
