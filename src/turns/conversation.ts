import { firstWords } from "../base/firstWords.ts";
import type { Message, ToolCall } from "../model/message.ts";
import type { ProviderData } from "../model/providerData.ts";
import { editorText } from "./editorText.ts";
import type { AgentTurn, ToolCallState, Turn, TurnPart, UserTurn } from "./turn.ts";

/** The answer given for a call that never got one: only a crash leaves such. */
const NO_RESULT = "No result: the turn broke off during this call, which may have been done or not. Look before you rely on either.";

/**
 * A branch of turns as the messages of the next request, without a system message. Valid for strict providers: each assistant
 * message with calls is followed directly by a result for every one of them, arguments are JSON objects, no message is empty, and
 * user messages never follow one another. Without `tools`, calls and their results are told as text, for requests that carry no
 * tools; so is that of a turn that came from Start Edit Mode on File, which the model never made: it stands before the answer. `closing`
 * is said last, as the user. Where a turn was compacted, its summary stands for all turns before it.
 */
export function conversation(turns: readonly Turn[], tools: boolean, closing: string | null = null): Message[] {
  const messages: Message[] = [];
  let calls: Calls = "made";
  const told = sinceCompaction(turns);
  const summary = told === turns ? null : summaryOf(told[1]);
  if (summary !== null) addUserText(messages, summaryText(summary));
  for (const turn of told) {
    if (turn.role === "user") {
      calls = turn.editFile !== null ? "told-before" : tools ? "made" : "told-after";
      addUserText(messages, userText(turn));
    } else {
      for (const step of stepsOf(turn)) addStep(messages, step, calls);
    }
  }
  if (closing !== null) addUserText(messages, closing);
  return messages;
}

/** The summary that an agent turn goes on with; null where it was not compacted. */
export function summaryOf(turn: Turn | undefined): string | null {
  const part = turn?.role === "agent" ? turn.parts.findLast(({ type }) => type === "compaction") : undefined;
  return part?.type === "compaction" ? part.summary : null;
}

/** The turns that are told in full: from the request on whose answer was compacted last. */
function sinceCompaction(turns: readonly Turn[]): readonly Turn[] {
  const compacted = turns.findLastIndex((turn) => summaryOf(turn) !== null);
  return compacted < 1 ? turns : turns.slice(compacted - 1);
}

/** The rules that the messages of these turns hold: each file's text as it was told last. */
export function toldRules(turns: readonly Turn[]): ReadonlyMap<string, string> {
  const parts = sinceCompaction(turns).flatMap((turn) => (turn.role === "agent" ? turn.parts : []));
  return new Map(parts.flatMap((part) => (part.type === "rules" ? [[part.path, part.text] as const] : [])));
}

function summaryText(summary: string): string {
  return `[The earlier conversation was too long and is left out. You summed it up like this:]\n\n${summary}\n\n[End of the summary. The conversation goes on:]`;
}

/** Rules are files of the workspace, and told as such. */
function rulesText({ path, text }: TurnPart & { readonly type: "rules" }): string {
  const scope = path.endsWith("/AGENTS.md") ? `for files below ${path.slice(0, -"AGENTS.md".length)}` : "for all its files";
  return `[Rules that the workspace gives ${scope}, from its file ${path}. Follow them where the user does not say otherwise; rules given later come first.]\n${text}\n[End of ${path}]`;
}

function userText(turn: UserTurn): string {
  const editor = editorText(turn);
  return editor === null ? turn.text : `${turn.text}\n\n${editor}`;
}

/** How the calls of a turn are given: as the model's own, or as text before or after its answer. */
type Calls = "made" | "told-before" | "told-after";

interface Step {
  text: string;
  reasoning: string;
  readonly calls: ToolCallState[];
  readonly providerData: ProviderData | undefined;
  /** What the model is told before it answers. */
  readonly before: string[];
  readonly reports: string[];
}

function stepsOf(turn: AgentTurn): Step[] {
  const steps = new Map<number, Step>();
  for (const part of turn.parts) {
    const step = steps.get(part.step) ?? {
      text: "",
      reasoning: "",
      calls: [],
      before: [],
      reports: [],
      providerData: turn.providerData.get(part.step),
    };
    steps.set(part.step, step);
    if (part.type === "text") step.text += part.text;
    else if (part.type === "reasoning") step.reasoning += part.text;
    else if (part.type === "edit-report" || part.type === "user-message") step.reports.push(part.text);
    else if (part.type === "rules") step.before.push(rulesText(part));
    else if (part.type === "files-restored") step.reports.push(restoredText(part));
    else if (part.type === "tool-call") {
      const call = turn.toolCalls.get(part.callId);
      // A call without input was cut off while it streamed; the model has never finished it.
      if (call && call.input !== undefined) step.calls.push(call);
    }
  }
  return [...steps.values()];
}

function restoredText({ request, files, undone }: TurnPart & { readonly type: "files-restored" }): string {
  const before = `to what they were before the request ${JSON.stringify(firstWords(request, 80))}`;
  const what = undone
    ? `Since then the user has undone that he restored these files ${before}. What that had taken away is there again`
    : `Since then the user has restored these files ${before}, with his own later edits kept. Changes reported above may be gone`;
  const deletion = undone ? " (it is there again)" : " (deleted: it had not been there before)";
  const names = files.map(({ path, deleted }) => `- ${path}${deleted ? deletion : ""}`);
  return [`${what}: read a file again before you rely on its content.`, ...names].join("\n");
}

function addStep(messages: Message[], step: Step, calls: Calls): void {
  for (const text of step.before) addUserText(messages, text);
  if (calls === "told-before") tellCalls(messages, step.calls);
  const toolCalls = calls === "made" ? step.calls.map(toolCall) : [];
  if (step.text.trim() !== "" || toolCalls.length > 0)
    messages.push({ role: "assistant", text: step.text, toolCalls, ...returned(step, calls) });
  if (calls === "made") for (const { callId, output } of step.calls) messages.push({ role: "tool", callId, text: output ?? NO_RESULT });
  if (calls === "told-after") tellCalls(messages, step.calls);
  for (const report of step.reports) addUserText(messages, report);
}

/** What the provider wants back with its calls; without them it needs nothing. */
function returned({ providerData, reasoning }: Step, calls: Calls): { readonly providerData?: ProviderData; readonly reasoning?: string } {
  if (calls !== "made" || !providerData) return {};
  return reasoning === "" ? { providerData } : { providerData, reasoning };
}

function tellCalls(messages: Message[], calls: readonly ToolCallState[]): void {
  for (const call of calls) addUserText(messages, `Result of ${call.name} ${objectText(call)}:\n${call.output ?? NO_RESULT}`);
}

function addUserText(messages: Message[], text: string): void {
  const last = messages.at(-1);
  if (last?.role === "user") messages[messages.length - 1] = { role: "user", text: `${last.text}\n\n${text}` };
  else messages.push({ role: "user", text });
}

function toolCall(call: ToolCallState): ToolCall {
  return { callId: call.callId, name: call.name, argsText: objectText(call) };
}

/** Several providers refuse a history whose arguments are not a JSON object. */
function objectText({ argsText, input }: ToolCallState): string {
  if (typeof input !== "object" || input === null || Array.isArray(input)) return JSON.stringify({ invalid_arguments: argsText });
  return JSON.stringify(input);
}
