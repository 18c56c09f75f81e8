import { type DemoMessage, type DemoRequest, parseCallArguments } from "./demoRequest.ts";

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

const ACTIVE_FILE = /(?:^|\n)\s*\(?(?:The file open in the editor|Active editor|Active file):\s*`?([^\n`)]+?)`?\)?\s*(?=\n|$)/i;
const TOLD_CALL = /(?:^|\n)Result of (\w+) (\{.*\}):\n/;
const EDIT_FENCE = /^ {0,3}(?:`{3,}|~{3,})[^\n]*:(?:\d+:\d+|ast-path:)/gm;

/** Reads a request's messages. What the chat tells as text where there are no tools is understood too. */
export function readTranscript({ messages }: DemoRequest): DemoTranscript {
  const asked = messages.findLastIndex((message, index) => message.role === "user" && !isReport(messages, index));
  const { request, told, activeFile } = splitRequest(messages[asked]?.text ?? "");
  const since = messages.slice(asked + 1);
  const answered = since.findLastIndex((message) => message.role === "assistant");
  const reports = since.slice(answered + 1).filter((message) => message.role === "user");
  return {
    request,
    activeFile,
    earlierFile: earlierFile(messages.slice(0, Math.max(asked, 0))),
    calls: [...told, ...since.flatMap((message) => finishedCalls(message, messages))],
    report: answered >= 0 && reports.length > 0 ? reports.map((message) => message.text).join("\n\n") : null,
    written: editFences(since[answered]?.text ?? ""),
    firstAnswer: !messages.some((message) => message.role === "assistant" && message.text.trim() !== ""),
  };
}

/** After an answer with edit blocks the next input of the same turn tells what became of them. */
function isReport(messages: readonly DemoMessage[], index: number): boolean {
  const before = messages[index - 1];
  const text = messages[index]?.text ?? "";
  return before?.role === "assistant" && editFences(before.text) > 0 && !ACTIVE_FILE.test(text) && REPORT.test(text);
}

function editFences(text: string): number {
  return text.match(EDIT_FENCE)?.length ?? 0;
}

const REPORT =
  /^(?:File '|There was a problem|Edit|[-•*\s]*`?(?:lines? \d|ast-path:)|block for|\d+ code blocks?|No |Nothing|Not|None|The )/m;

function splitRequest(text: string): { request: string; told: readonly FinishedCall[]; activeFile: string | null } {
  const call = TOLD_CALL.exec(text);
  const own = call ? text.slice(0, call.index) : text;
  const told = call
    ? [{ id: null, name: call[1] ?? "", args: parseCallArguments(call[2] ?? ""), result: text.slice(call.index + call[0].length) }]
    : [];
  return { request: own.replace(ACTIVE_FILE, "\n").trim(), told, activeFile: ACTIVE_FILE.exec(own)?.[1] ?? null };
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
