import type { Syntax } from "../syntax/syntaxTypes.ts";
import { closingWords } from "./closingWords.ts";
import { type DemoAnswer, sayOnly } from "./demoAnswer.ts";
import { type DemoIntent, demoIntent } from "./demoIntent.ts";
import type { DemoRequest } from "./demoRequest.ts";
import { type DemoSource, openDemoSource } from "./demoSource.ts";
import { type DemoTranscript, type FinishedCall, readTranscript } from "./demoTranscript.ts";
import { ABILITIES, INTRODUCTION } from "./demoWords.ts";
import { editBlock } from "./editBlock.ts";
import { explainOutline } from "./explainOutline.ts";
import { findFile } from "./findFile.ts";
import { parseNumberedSource } from "./numberedSource.ts";
import { type EditIntent, planEdits } from "./planEdits.ts";
import { type ReadSource, readSource, toolSentence } from "./readSource.ts";

const MAX_CALLS = 12;

/** The demonstration's next answer. It depends on the request alone; the first one of a conversation says what speaks here. */
export async function demoScript(request: DemoRequest, syntax: Syntax, signal: AbortSignal): Promise<DemoAnswer> {
  const transcript = readTranscript(request);
  const answer = await nextAnswer(transcript, request.tools, syntax, signal);
  return transcript.firstAnswer ? { ...answer, text: `${INTRODUCTION}\n\n${answer.text}` } : answer;
}

async function nextAnswer(
  transcript: DemoTranscript,
  tools: ReadonlySet<string>,
  syntax: Syntax,
  signal: AbortSignal,
): Promise<DemoAnswer> {
  const { request, calls, report } = transcript;
  const editing = calls.findLast((call) => call.name === "edit_mode");
  if (report !== null) return sayOnly(closingWords(report, pathOf(transcript), transcript.written));
  const intent = demoIntent(request);
  if (intent.kind === "unknown") return sayOnly(intent.hint ?? ABILITIES);
  if (editing && /^Error\b/.test(editing.result)) return sayOnly(`I could not start editing. ${toolSentence(editing.result)}`);
  if (calls.length > MAX_CALLS) return sayOnly("I have looked around enough and give up. Name the file and ask again.");

  const source = locate(transcript, intent, tools);
  if ("answer" in source) return source.answer;
  const opened = await openDemoSource(source.path, source.text, syntax, signal);
  if (!opened.ok) return sayOnly(opened.error);
  try {
    if (intent.kind === "explain") return sayOnly(explainOutline(opened.value));
    return editAnswer(opened.value, intent, tools, editing !== undefined);
  } finally {
    opened.value.document.dispose();
  }
}

/** Without tools the text stands in what edit mode told; with them it is found and read first. */
function locate(transcript: DemoTranscript, intent: DemoIntent, tools: ReadonlySet<string>): ReadSource {
  const told = transcript.calls.find((call) => call.name === "edit_mode" && call.id === null);
  if (told) return toldSource(told);
  if (!tools.has("read_file")) return { answer: sayOnly("I can read no file here. Run **Graft: Start Edit Mode on File** and ask again.") };
  const file = findFile(transcript, intent, tools);
  return "answer" in file ? file : readSource(transcript, file.path);
}

function toldSource({ args, result }: FinishedCall): ReadSource {
  const source = parseNumberedSource(result);
  const path = typeof args.file_path === "string" ? args.file_path : source?.path;
  if (source === null || path === undefined) return { answer: sayOnly("I am not shown the file's text, so I cannot edit it.") };
  return { path, text: source.lines.join("\n") };
}

function editAnswer(source: DemoSource, intent: EditIntent, tools: ReadonlySet<string>, active: boolean): DemoAnswer {
  const plan = planEdits(source, intent);
  if (!plan.ok) return sayOnly(plan.error);
  const { found, words, lineNumbers, blocks } = plan.value;
  if (active) return sayOnly([words, ...blocks.map((block) => editBlock(source.tag, block))].join("\n\n"));
  if (!tools.has("edit_mode")) return sayOnly(`${found} I am not offered \`edit_mode\` here, so I cannot propose the change.`);
  return { text: found, calls: [{ name: "edit_mode", args: { file_path: source.path, use_line_numbers: lineNumbers } }] };
}

function pathOf({ calls }: DemoTranscript): string {
  return calls.map((call) => call.args.file_path).findLast((path) => typeof path === "string") ?? "the file";
}
