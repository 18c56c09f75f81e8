import { english } from "../../base/localize.ts";
import { untilAborted } from "../../base/untilAborted.ts";
import type { ToolCall } from "../../model/message.ts";
import type { Question } from "../../ports/question.ts";
import type { ToolContext } from "../../tools/tool.ts";
import type { ReadCall } from "../../tools/toolArguments.ts";
import { questionMessage } from "../../turns/messages.ts";
import type { TurnEventBody } from "../../turns/turnEvent.ts";

/** Why the user is asked. */
type About = NonNullable<(TurnEventBody & { type: "question" })["about"]>;

/** What a turn may cost before the user is asked, in US dollars. */
export interface TurnBudget {
  readonly limit: number;
  /** What the turn has cost so far, as far as known. */
  spent(): number;
}

/**
 * Asks the user when a turn has cost more than its budget, and again each time it has cost as much
 * once more.
 */
export class CostLimit {
  private readonly budget: TurnBudget | null;
  private allowed: number;

  /** Null without a limit. */
  constructor(budget: TurnBudget | null) {
    this.budget = budget;
    this.allowed = budget?.limit ?? 0;
  }

  /** False only when the user says at `call` that the turn may not go on. */
  async mayContinue(
    call: ToolCall,
    question: Question,
    context: Omit<ToolContext, "callId">,
  ): Promise<boolean> {
    const cost = this.budget?.spent() ?? 0;
    if (!this.budget || cost <= this.allowed) return true;
    const { limit } = this.budget;
    this.allowed = cost + limit;
    return askToContinue(call, { code: "turn-cost", cost, limit }, question, context);
  }
}

/** This many identical calls in a row, with identical results, lead to a question. */
const TIMES = 3;

/** Watches one turn for a model that repeats itself. */
export class RepeatedCalls {
  private last = "";
  private count = 0;

  /**
   * Records a call with its result: true for the third identical one in a row, and for every third
   * after that. Arguments count as their value, however they are written.
   */
  isRepeated(call: ReadCall, output: string): boolean {
    const key = JSON.stringify([call.name, givenArguments(call), output]);
    this.count = key === this.last ? this.count + 1 : 1;
    this.last = key;
    return this.count % TIMES === 0;
  }
}

function givenArguments({ argsText, input }: ReadCall): string {
  try {
    if (input.ok) return JSON.stringify(input.value, sortedKeys);
  } catch {
    // They are nested too deeply.
  }
  return argsText.trim();
}

function sortedKeys(_name: string, value: unknown): unknown {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)));
}

/**
 * Asks the user whether a model that repeats this call may continue. False only when the user says
 * no.
 */
export function confirmRepeatedCalls(
  call: ToolCall,
  question: Question,
  context: Omit<ToolContext, "callId">,
): Promise<boolean> {
  return askToContinue(
    call,
    { code: "repeated-calls", tool: call.name, times: TIMES },
    question,
    context,
  );
}

/** Asks the user at `call` whether the model may continue. False only when the user says no. */
async function askToContinue(
  { callId }: ToolCall,
  about: About,
  question: Question,
  { turnId, emit, signal }: Omit<ToolContext, "callId">,
): Promise<boolean> {
  const asked = { kind: "confirm" as const, options: [] };
  emit({ type: "question", callId, question: "", about, ...asked });
  const request = {
    turnId,
    callId,
    question: questionMessage({ question: "", about }, english),
    ...asked,
  };
  const answer = await untilAborted(question.ask(request, signal), signal);
  return !answer.ok || !answer.value.answered || answer.value.values[0] !== "no";
}
