import type { Message, MessageImage, ToolCall } from "../model/message.ts";
import type { ProviderData } from "../model/providerData.ts";
import type { Attachment } from "./attachment.ts";
import {
  attachedText,
  callText,
  commandsLostPrompt,
  editorText,
  NO_RESULT,
  restoredPrompt,
  rulesText,
  severalAnsweredText,
  spokenText,
  stepSummaryText,
  summaryText,
  todosAgain,
  unheardText,
} from "./promptText.ts";
import type { AgentTurn, ToolCallState, Turn, TurnPart, UserTurn } from "./turn.ts";

/** The request that only summarizes the earlier turns. */
export const COMPACT_REQUEST = "/compact";

/**
 * A branch of turns as the messages of the next request, without a system message. Valid for strict
 * providers: a result for every call directly follows its message, arguments are JSON objects, no
 * message is empty, and no two user messages are adjacent. Without `tools`, calls and results
 * become text. So do those of Start Edit Mode on File, which the model never made. `closing` is
 * added last, as the user. A summary replaces all turns before a compacted one, or a turn's own
 * earlier steps; what the user wrote during those stays.
 */
export function conversation(
  turns: readonly Turn[],
  tools: boolean,
  closing: string | null = null,
): Message[] {
  return joinUserMessages([
    ...separateMessages(turns, tools),
    ...(closing === null ? [] : [userMessage(closing)]),
  ]);
}

/**
 * The same before adjacent messages of the user are joined: each report, and without `tools` each
 * call, is a message.
 */
export function separateMessages(turns: readonly Turn[], tools: boolean): readonly Message[] {
  const messages: Message[] = [];
  let calls: CallForm = "native";
  const told = sinceCompaction(turns);
  const summary = told === turns ? null : summaryOf(told[1]);
  if (summary !== null) messages.push(userMessage(summaryText(summary)));
  for (const turn of told) {
    if (turn.role === "user") {
      calls = turn.editFile !== null ? "text-before" : tools ? "native" : "text-after";
      // Its summary says all of it.
      if (turn.text !== COMPACT_REQUEST) messages.push(userMessage(userText(turn), imagesOf(turn)));
    } else {
      const models = turn.candidates.map(({ model }) => model);
      if (models.length > 0) messages.push(userMessage(severalAnsweredText(models)));
      const own = stepSummaryOf(turn);
      if (own)
        messages.push(
          ...userTexts(turn, own.before).map((text) => userMessage(text)),
          userMessage(stepSummaryText(own.summary)),
        );
      messages.push(...stepsOf(turn).flatMap((step) => stepMessages(step, calls)));
    }
  }
  return messages;
}

/** Adjacent messages of the user as one. */
export function joinUserMessages(messages: readonly Message[]): Message[] {
  const result: Message[] = [];
  for (const message of messages) {
    const last = result.at(-1);
    if (message.role === "user" && last?.role === "user") {
      const images = [...(last.images ?? []), ...(message.images ?? [])];
      result.splice(-1, 1, userMessage(`${last.text}\n\n${message.text}`, images));
    } else result.push(message);
  }
  return result;
}

function userMessage(text: string, images: readonly MessageImage[] = []): Message {
  return { role: "user", text, ...(images.length > 0 && { images }) };
}

/** The summary of the turns before a compacted agent turn; null for any other turn. */
export function summaryOf(turn: Turn | undefined): string | null {
  return compactions(turn).findLast(({ before }) => before === undefined)?.summary ?? null;
}

/** The summary of a turn's own steps before step `before`; null where it shows all of them. */
export function stepSummaryOf(
  turn: Turn | undefined,
): { readonly summary: string; readonly before: number } | null {
  return compactions(turn).findLast(hasBefore) ?? null;
}

type Compaction = TurnPart & { readonly type: "compaction" };

function compactions(turn: Turn | undefined): readonly Compaction[] {
  return turn?.role === "agent" ? turn.parts.filter((part) => part.type === "compaction") : [];
}

function hasBefore(part: Compaction): part is Compaction & { readonly before: number } {
  return part.before !== undefined;
}

/** The parts of a turn that no summary of its own replaces. */
function shownParts(turn: AgentTurn): readonly TurnPart[] {
  const before = stepSummaryOf(turn)?.before ?? 0;
  return turn.parts.filter(({ step }) => step >= before);
}

function userTexts(turn: AgentTurn, before: number): readonly string[] {
  return turn.parts.flatMap((part) =>
    part.type === "user-message" && part.step < before ? [part.text] : [],
  );
}

/** A turn with its steps before `before` only, and its summaries. */
export function beforeStep(turn: AgentTurn, before: number): AgentTurn {
  return {
    ...turn,
    parts: turn.parts.filter(({ type, step }) => type === "compaction" || step < before),
  };
}

/** A turn with its steps from `first` on only. */
export function fromStep(turn: AgentTurn, first: number): AgentTurn {
  return {
    ...turn,
    parts: turn.parts.filter(({ type, step }) => type !== "compaction" && step >= first),
  };
}

/** The rules that the messages of these turns contain: each file's latest text. */
export function sentRules(turns: readonly Turn[]): ReadonlyMap<string, string> {
  const parts = sinceCompaction(turns).flatMap((turn) =>
    turn.role === "agent" ? shownParts(turn) : [],
  );
  return new Map(
    parts.flatMap((part) => (part.type === "rules" ? [[part.path, part.text] as const] : [])),
  );
}

/** What the user attached to the messages of these turns, as far as the model sees them. */
export function attachedTexts(turns: readonly Turn[]): readonly string[] {
  return sinceCompaction(turns)
    .flatMap((turn): readonly { readonly attachments?: readonly Attachment[] | undefined }[] =>
      turn.role === "user"
        ? [turn]
        : shownParts(turn).filter((part) => part.type === "user-message"),
    )
    .map(({ attachments = [] }) => attachedText({ text: "", attachments }));
}

/** The turns that no summary replaces: from the request on whose answer was compacted last. */
function sinceCompaction(turns: readonly Turn[]): readonly Turn[] {
  const compacted = turns.findLastIndex((turn) => summaryOf(turn) !== null);
  return compacted < 1 ? turns : turns.slice(compacted - 1);
}

function userText(turn: UserTurn): string {
  const text = spokenText(turn);
  const editor = editorText(turn);
  return editor === null ? text : `${text}\n\n${editor}`;
}

/** How a turn's calls are written: as calls, or as text before or after its answer. */
type CallForm = "native" | "text-before" | "text-after";

interface ConversationStep {
  text: string;
  reasoning: string;
  readonly calls: ToolCallState[];
  readonly providerData: ProviderData | undefined;
  /** What precedes the answer. */
  readonly before: string[];
  /** What follows the answer and its results. */
  readonly after: { readonly text: string; readonly images?: readonly MessageImage[] }[];
}

function stepsOf(turn: AgentTurn): ConversationStep[] {
  const steps = new Map<number, ConversationStep>();
  for (const part of shownParts(turn)) {
    const fresh = {
      text: "",
      reasoning: "",
      calls: [],
      before: [],
      after: [],
      providerData: turn.providerData.get(part.step),
    };
    const step = steps.get(part.step) ?? fresh;
    steps.set(part.step, step);
    if (part.type === "text") step.text += part.text;
    else if (part.type === "reasoning") step.reasoning += part.text;
    else if (part.type === "edit-report") step.after.push({ text: part.text });
    else if (part.type === "user-message")
      step.after.push({ text: spokenText(part), images: imagesOf(part) });
    else if (part.type === "answer-image")
      step.after.push({
        text: "",
        images: imagesOf({ attachments: [part.attachment] }).map((image) => ({
          ...image,
          ofResult: true as const,
        })),
      });
    else if (part.type === "rules") step.before.push(rulesText(part));
    else if (part.type === "decisions") step.before.push(part.text);
    else if (part.type === "todos")
      step.before.push(...(part.again ? [todosAgain(part.items)] : []));
    else if (part.type === "unheard") step.after.push({ text: unheardText(part) });
    else if (part.type === "notice" && part.code === "commands-lost")
      step.after.push({ text: commandsLostPrompt(part) });
    else if (part.type === "files-restored") step.after.push({ text: restoredPrompt(part) });
    else if (part.type === "tool-call") {
      const call = turn.toolCalls.get(part.callId);
      // A call without input was cut off while it streamed.
      if (call && call.input !== undefined) step.calls.push(call);
    }
  }
  return [...steps.values()];
}

function stepMessages(
  { text, calls, ...step }: ConversationStep,
  form: CallForm,
): readonly Message[] {
  const native = form === "native";
  const toolCalls: ToolCall[] = native
    ? calls.map((call) => ({ callId: call.callId, name: call.name, argsText: argsText(call) }))
    : [];
  const isEmpty = text.trim() === "" && toolCalls.length === 0;
  const answer: readonly Message[] = isEmpty
    ? []
    : [{ role: "assistant", text, toolCalls, ...(native && returned(step)) }];
  const results = calls.map((call): Message => {
    if (native) return { role: "tool", callId: call.callId, text: call.output ?? NO_RESULT };
    return userMessage(callText(call, argsText(call)));
  });
  return [
    ...step.before.map((before) => userMessage(before)),
    ...(form === "text-before" ? [...results, ...answer] : [...answer, ...results]),
    ...step.after.map((after) => userMessage(after.text, after.images)),
  ];
}

/** What the provider wants back with its calls. */
function returned({
  providerData,
  reasoning,
}: Pick<ConversationStep, "providerData" | "reasoning">): {
  readonly providerData?: ProviderData;
  readonly reasoning?: string;
} {
  if (!providerData) return {};
  return reasoning === "" ? { providerData } : { providerData, reasoning };
}

function imagesOf({
  attachments = [],
}: {
  readonly attachments?: readonly Attachment[] | undefined;
}): readonly MessageImage[] {
  return attachments.flatMap(({ name, image }) => {
    if (!image) return [];
    const { id, width, height } = image;
    return [{ id, name, width, height }];
  });
}

/** A call's arguments. Several providers refuse a history whose arguments are not a JSON object. */
function argsText({ argsText: raw, input }: ToolCallState): string {
  const isObject = typeof input === "object" && input !== null && !Array.isArray(input);
  return JSON.stringify(isObject ? input : { invalid_arguments: raw });
}
