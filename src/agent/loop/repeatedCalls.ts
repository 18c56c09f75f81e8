import { english } from "../../base/localize.ts";
import { untilAborted } from "../../base/untilAborted.ts";
import type { ToolCall } from "../../model/message.ts";
import type { Question } from "../../ports/question.ts";
import type { ToolContext } from "../../tools/tool.ts";
import { questionMessage } from "../../turns/messages.ts";

/** This many identical calls in a row, with identical results, lead to a question. */
const TIMES = 3;

/** Watches one turn for a model that repeats itself. */
export class RepeatedCalls {
  private last = "";
  private count = 0;
  private readonly reads = new Set<string>();

  /** Records a call with its result: true for the third identical one in a row, and for every third after that. */
  isRepeated({ name, argsText }: ToolCall, output: string): boolean {
    const key = JSON.stringify([name, argsText.trim(), output]);
    this.count = key === this.last ? this.count + 1 : 1;
    this.last = key;
    return this.count % TIMES === 0;
  }

  /** Records a read: false where the turn has called the same one before. */
  isNewRead({ name, argsText }: ToolCall): boolean {
    const { size } = this.reads;
    return this.reads.add(JSON.stringify([name, argsText.trim()])).size > size;
  }
}

/** Asks the user whether a model that repeats this call may continue. False only when the user says no. */
export async function confirmRepeatedCalls(call: ToolCall, question: Question, context: Omit<ToolContext, "callId">): Promise<boolean> {
  const { turnId, emit, signal } = context;
  const { callId, name } = call;
  const about = { code: "repeated-calls" as const, tool: name, times: TIMES };
  const asked = { kind: "confirm" as const, options: [] };
  emit({ type: "question", callId, question: "", about, ...asked });
  const request = { turnId, callId, question: questionMessage({ question: "", about }, english), ...asked };
  const answer = await untilAborted(question.ask(request, signal), signal);
  return !answer.ok || !answer.value.answered || answer.value.values[0] !== "no";
}
