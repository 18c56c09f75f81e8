import { type DemoMessage, type DemoRequest, parseCallArguments } from "./demoRequest.ts";
import { splitReport } from "./splitReport.ts";

/** A call since the last request of the user, with its result. */
export interface FinishedCall {
  /** Null where the call was told as text, in a request without tools. */
  readonly id: string | null;
  readonly name: string;
  readonly args: Readonly<Record<string, unknown>>;
  readonly result: string;
}

/** Where a conversation stands. */
export interface DemoTranscript {
  /** What the user asked last, without what the chat added to it. */
  readonly request: string;
  /** The file in the active editor, when the chat told it. */
  readonly activeFile: string | null;
  /** The file an earlier request was about. */
  readonly earlierFile: string | null;
  /** The calls made for this request, in order. */
  readonly calls: readonly FinishedCall[];
  /** What became of the edits, once they are decided. */
  readonly report: string | null;
  /** How many edit blocks the last answer had. */
  readonly written: number;
  /** True until the conversation holds an answer of the demonstration. */
  readonly firstAnswer: boolean;
}

const EDITOR = /(?:^|\n)\s*\((?:The file open in the editor: "([^\n"]+)"|Open tabs, )[^\n]*\)\s*(?=\n|$)/;
const RULES = /\n*\[Rules that the workspace gives [^\n]* from its file ([^\n]*)\. Follow [\s\S]*?\n\[End of \1\]/g;
const TOLD_CALL = /(?:^|\n)Result of (\w+) (\{.*\}):\n/;
/** How edit mode's answer ends; the lines of the file in it are numbered, so that none of them looks like this. */
const TOLD_END = /\nEnd your message to apply the changes.*/;
const EDIT_FENCE = /^ {0,3}(?:`{3,}|~{3,})[^\n]*:(?:\d+:\d+|ast-path:)/gm;

/** Reads a request's messages. What the chat tells as text where there are no tools is understood too. */
export function readTranscript(request: DemoRequest): DemoTranscript {
  const messages = withoutRules(request.messages);
  const asked = messages.findLastIndex((message, index) => message.role === "user" && !isReport(messages, index));
  const { request: wanted, told, activeFile } = splitRequest(messages[asked]?.text ?? "");
  const since = messages.slice(asked + 1);
  const answered = since.findLastIndex((message) => message.role === "assistant");
  const reports = since.slice(answered + 1).filter((message) => message.role === "user");
  return {
    request: wanted,
    activeFile,
    earlierFile: earlierFile(messages.slice(0, Math.max(asked, 0))),
    calls: [...told, ...since.flatMap((message) => finishedCalls(message, messages))],
    report: answered >= 0 && reports.length > 0 ? reports.map((message) => message.text).join("\n\n") : null,
    written: editFences(since[answered]?.text ?? ""),
    firstAnswer: !messages.some((message) => message.role === "assistant" && message.text.trim() !== ""),
  };
}

/** The demonstration follows no rules of a workspace. */
function withoutRules(messages: readonly DemoMessage[]): readonly DemoMessage[] {
  return messages.flatMap((message) => {
    const text = message.text.replace(RULES, "");
    return message.role === "user" && text !== message.text ? (text.trim() === "" ? [] : [{ ...message, text }]) : [message];
  });
}

/** After an answer, what became of its edits is told in a message of its own. */
function isReport(messages: readonly DemoMessage[], index: number): boolean {
  const { report, rest } = splitReport(messages[index]?.text ?? "");
  return messages[index - 1]?.role === "assistant" && report !== "" && rest === "";
}

function editFences(text: string): number {
  return text.match(EDIT_FENCE)?.length ?? 0;
}

interface Asked {
  readonly request: string;
  readonly told: readonly FinishedCall[];
  readonly activeFile: string | null;
}

/** What the user asked last, and the call told behind it. Before that a message may hold a stopped turn: its request, call and report. */
function splitRequest(text: string): Asked {
  const call = TOLD_CALL.exec(text);
  if (!call) {
    const own = splitReport(text).rest;
    return { request: own.replace(EDITOR, "\n").trim(), told: [], activeFile: EDITOR.exec(own)?.[1] ?? null };
  }
  const behind = text.slice(call.index + call[0].length);
  const end = endOfResult(behind);
  const later = behind.slice(end).trim();
  if (later !== "") return splitRequest(later);
  const told = { id: null, name: call[1] ?? "", args: parseCallArguments(call[2] ?? ""), result: behind.slice(0, end) };
  return { ...splitRequest(text.slice(0, call.index)), told: [told] };
}

function endOfResult(text: string): number {
  const end = TOLD_END.exec(text);
  if (end) return end.index + end[0].length;
  const paragraph = /^(?:Error\b|Cancelled\b)/.test(text) ? text.indexOf("\n\n") : -1;
  return paragraph === -1 ? text.length : paragraph;
}

function finishedCalls(message: DemoMessage, messages: readonly DemoMessage[]): readonly FinishedCall[] {
  return message.calls.map(({ id, name, args }) => ({
    id,
    name,
    args,
    result: messages.find((other) => other.callId === id)?.text ?? "",
  }));
}

function earlierFile(messages: readonly DemoMessage[]): string | null {
  const paths = messages.flatMap((message) => message.calls.map((call) => call.args.file_path));
  return paths.findLast((path) => typeof path === "string") ?? null;
}
