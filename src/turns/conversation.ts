import type { Message, ToolCall } from "../model/message.ts";
import type { ProviderData } from "../model/providerData.ts";
import { callText, editorText, NO_RESULT, restoredText, rulesText, summaryText } from "./promptText.ts";
import type { AgentTurn, ToolCallState, Turn, UserTurn } from "./turn.ts";

/**
 * A branch of turns as the messages of the next request, without a system message. Valid for strict providers: a result for every
 * call directly follows its message, arguments are JSON objects, no message is empty, and no two user messages are adjacent.
 * Without `tools`, calls and results become text. So do those of Start Edit Mode on File, which the model never made. `closing` is
 * added last, as the user. A summary replaces all turns before a compacted one.
 */
export function conversation(turns: readonly Turn[], tools: boolean, closing: string | null = null): Message[] {
  const messages: Message[] = [];
  let calls: CallForm = "native";
  const told = sinceCompaction(turns);
  const summary = told === turns ? null : summaryOf(told[1]);
  if (summary !== null) addUserText(messages, summaryText(summary));
  for (const turn of told) {
    if (turn.role === "user") {
      calls = turn.editFile !== null ? "text-before" : tools ? "native" : "text-after";
      addUserText(messages, userText(turn));
    } else {
      for (const step of stepsOf(turn)) addStep(messages, step, calls);
    }
  }
  if (closing !== null) addUserText(messages, closing);
  return messages;
}

/** The summary with which a compacted agent turn began; null for any other turn. */
export function summaryOf(turn: Turn | undefined): string | null {
  const part = turn?.role === "agent" ? turn.parts.findLast(({ type }) => type === "compaction") : undefined;
  return part?.type === "compaction" ? part.summary : null;
}

/** The rules that the messages of these turns contain: each file's latest text. */
export function sentRules(turns: readonly Turn[]): ReadonlyMap<string, string> {
  const parts = sinceCompaction(turns).flatMap((turn) => (turn.role === "agent" ? turn.parts : []));
  return new Map(parts.flatMap((part) => (part.type === "rules" ? [[part.path, part.text] as const] : [])));
}

/** The turns that no summary replaces: from the request on whose answer was compacted last. */
function sinceCompaction(turns: readonly Turn[]): readonly Turn[] {
  const compacted = turns.findLastIndex((turn) => summaryOf(turn) !== null);
  return compacted < 1 ? turns : turns.slice(compacted - 1);
}

function userText(turn: UserTurn): string {
  const editor = editorText(turn);
  return editor === null ? turn.text : `${turn.text}\n\n${editor}`;
}

/** How a turn's calls are written: as calls, or as text before or after its answer. */
type CallForm = "native" | "text-before" | "text-after";

interface Step {
  text: string;
  reasoning: string;
  readonly calls: ToolCallState[];
  readonly providerData: ProviderData | undefined;
  /** What precedes the answer. */
  readonly before: string[];
  /** What follows the answer and its results. */
  readonly after: string[];
}

function stepsOf(turn: AgentTurn): Step[] {
  const steps = new Map<number, Step>();
  for (const part of turn.parts) {
    const fresh = { text: "", reasoning: "", calls: [], before: [], after: [], providerData: turn.providerData.get(part.step) };
    const step = steps.get(part.step) ?? fresh;
    steps.set(part.step, step);
    if (part.type === "text") step.text += part.text;
    else if (part.type === "reasoning") step.reasoning += part.text;
    else if (part.type === "edit-report" || part.type === "user-message") step.after.push(part.text);
    else if (part.type === "rules") step.before.push(rulesText(part));
    else if (part.type === "decisions") step.before.push(part.text);
    else if (part.type === "files-restored") step.after.push(restoredText(part));
    else if (part.type === "tool-call") {
      const call = turn.toolCalls.get(part.callId);
      // A call without input was cut off while it streamed.
      if (call && call.input !== undefined) step.calls.push(call);
    }
  }
  return [...steps.values()];
}

function addStep(messages: Message[], step: Step, form: CallForm): void {
  const native = form === "native";
  const addCallTexts = () => {
    for (const call of step.calls) addUserText(messages, callText(call, argsText(call)));
  };
  for (const text of step.before) addUserText(messages, text);
  if (form === "text-before") addCallTexts();
  const toolCalls: ToolCall[] = native
    ? step.calls.map((call) => ({ callId: call.callId, name: call.name, argsText: argsText(call) }))
    : [];
  if (step.text.trim() !== "" || toolCalls.length > 0) {
    messages.push({ role: "assistant", text: step.text, toolCalls, ...(native && returned(step)) });
  }
  if (native) for (const { callId, output } of step.calls) messages.push({ role: "tool", callId, text: output ?? NO_RESULT });
  if (form === "text-after") addCallTexts();
  for (const text of step.after) addUserText(messages, text);
}

/** What the provider wants back with its calls. */
function returned({ providerData, reasoning }: Step): { readonly providerData?: ProviderData; readonly reasoning?: string } {
  if (!providerData) return {};
  return reasoning === "" ? { providerData } : { providerData, reasoning };
}

function addUserText(messages: Message[], text: string): void {
  const last = messages.at(-1);
  if (last?.role === "user") messages[messages.length - 1] = { role: "user", text: `${last.text}\n\n${text}` };
  else messages.push({ role: "user", text });
}

/** A call's arguments. Several providers refuse a history whose arguments are not a JSON object. */
function argsText({ argsText: raw, input }: ToolCallState): string {
  const isObject = typeof input === "object" && input !== null && !Array.isArray(input);
  return JSON.stringify(isObject ? input : { invalid_arguments: raw });
}
