import * as z from "zod/mini";
import { ok, type Result } from "../base/result.ts";
import { fenced } from "../base/text/fenced.ts";
import { pluralize } from "../base/text/sentence.ts";
import type { Asked, ModelRequest } from "../model/modelClient.ts";
import { type DemoIntent, demoIntent } from "./demoIntent.ts";
import { demoRequests } from "./demoRequests.ts";
import {
  type DemoPorts,
  type DemoSource,
  demoElements,
  findFile,
  memberNames,
  openSource,
} from "./demoSource.ts";
import { countBlocks, type EditPlan } from "./editPlan.ts";
import { planDocComments } from "./planDocComments.ts";
import { planRename } from "./planRename.ts";

/** One answer: text, then an optional tool call. */
export interface DemoAnswer {
  /** What Graft says before the answer. */
  readonly lead?: string;
  readonly text: string;
  readonly call?: { readonly name: string; readonly args: Readonly<Record<string, unknown>> };
}

const INTRODUCTION =
  "> **Demo mode: scripted answers, no AI. The edits are real.** To use a model,";
const IN_EDITOR = "run **Graft: Choose Model**";

const LIMITS =
  "Demo mode has no AI and cannot do that. It answers a few requests about a TypeScript, JavaScript or Python file:";
const NO_FILE =
  "There is none in this folder that it could edit. Open one, and ask for *a doc comment to each exported function*.";

const NO_EDIT_MODE = "I can't edit here. Run **Graft: Start Edit Mode on File** and ask again.";
const MAX_EXPLAINED = 60;

/**
 * The next answer. It depends on the user's request and the steps since. All facts come from the
 * ports.
 */
export async function demoScript(
  { messages, tools, asked }: ModelRequest,
  ports: DemoPorts,
  signal: AbortSignal,
): Promise<DemoAnswer> {
  const answers = messages.flatMap((message) => (message.role === "assistant" ? [message] : []));
  const offered = new Set(tools.map(({ name }) => name));
  const paths = answers
    .flatMap(({ toolCalls }) => toolCalls.flatMap(({ argsText }) => filePath(argsText) ?? []))
    .reverse();
  const proposed = countBlocks(answers.at(-1)?.text ?? "");
  const answer =
    asked?.reported && proposed > 0
      ? { text: `I proposed ${pluralize(proposed, "edit")}. Nothing changes until you accept.` }
      : await nextAnswer(asked, offered, paths, ports, signal);
  const { useModel = IN_EDITOR } = ports;
  return answers.length === 0 ? { lead: `${INTRODUCTION} ${useModel}.\n\n`, ...answer } : answer;
}

/** `paths` are the files of earlier calls, newest first. */
async function nextAnswer(
  asked: Asked | undefined,
  tools: ReadonlySet<string>,
  paths: readonly string[],
  ports: DemoPorts,
  signal: AbortSignal,
): Promise<DemoAnswer> {
  const intent = demoIntent(asked?.text ?? "", ports.syntax);
  if (!asked || !intent) {
    const near = [...(asked?.editFile ? [asked.editFile] : []), ...(asked?.files ?? []), ...paths];
    return { text: await abilities(near, ports, signal) };
  }
  const { editFile, called, files } = asked;
  const edits = intent.kind !== "explain";
  if (editFile === null && (tools.size === 0 || (edits && !tools.has("edit_mode"))))
    return { text: NO_EDIT_MODE };
  const current = called.length > 0 ? paths[0] : null;
  const file = editFile ?? current ?? (await findFile(intent, [...files, ...paths], ports, signal));
  if (file === null)
    return { text: "Open a TypeScript, JavaScript or Python file, then ask again." };
  const source = await openSource(file, edits, ports, signal);
  if (!source.ok) return { text: source.error };
  try {
    const plan = planOf(source.value, intent);
    return plan.ok ? nextStep(tools, called, source.value, plan.value) : { text: plan.error };
  } finally {
    source.value.document.dispose();
  }
}

/** What demo mode can do here, in requests that it would answer. */
async function abilities(
  files: readonly string[],
  ports: DemoPorts,
  signal: AbortSignal,
): Promise<string> {
  const found = await demoRequests(ports, files, signal);
  if (!found) return `${LIMITS}\n\n${NO_FILE}`;
  const requests = [found.document, found.rename, found.explain].filter((each) => each !== null);
  return `${LIMITS}\n\n${requests.map((request) => `- ${request}`).join("\n")}`;
}

const argumentsSchema = z.object({ file_path: z.string() });

function filePath(argsText: string): string | undefined {
  return argumentsSchema.safeParse(JSON.parse(argsText)).data?.file_path;
}

function planOf(source: DemoSource, intent: DemoIntent): Result<EditPlan, string> {
  if (intent.kind === "document") return planDocComments(source, intent.target);
  if (intent.kind === "rename") return planRename(source, intent.from, intent.to);
  return ok({ summary: explanation(source), blocks: [] });
}

/** Reads the file, turns on edit mode, then writes the blocks. Skips tools that are not offered. */
function nextStep(
  tools: ReadonlySet<string>,
  called: readonly string[],
  { path }: DemoSource,
  { summary, blocks }: EditPlan,
): DemoAnswer {
  const wanted = blocks.length > 0 ? ["read_file", "edit_mode"] : ["read_file"];
  const next = wanted.find((name) => tools.has(name) && !called.includes(name));
  if (next === "read_file")
    return { text: `Let me read \`${path}\`.`, call: { name: next, args: { file_path: path } } };
  if (next) {
    const lines = !blocks.some(({ address }) => address.startsWith("ast-path:"));
    return {
      text: summary,
      call: { name: next, args: { file_path: path, use_line_numbers: lines } },
    };
  }
  const tag = path.slice(path.lastIndexOf(".") + 1).toLowerCase();
  const lead = tools.size > 0 && called.includes("edit_mode") ? "Here are the edits." : summary;
  return {
    text: [lead, ...blocks.map(({ address, body }) => fenced(body, `${tag}:${address}`))].join(
      "\n\n",
    ),
  };
}

function explanation(source: DemoSource): string {
  const { path, text } = source;
  const elements = demoElements(source);
  const top = elements.filter(({ topLevel }) => topLevel);
  const lines = top.slice(0, MAX_EXPLAINED).map((element) => {
    const members = memberNames(element, elements);
    return `- ${element.kind} **\`${element.name}\`**, lines ${element.startLine}–${element.endLine}${members.length > 0 ? `: ${members.join(", ")}` : ""}`;
  });
  const head = `\`${path}\` has ${pluralize(text.split("\n").length, "line")} and ${pluralize(top.length, "top-level element")}.`;
  return [head, "", ...lines].join("\n").trim();
}
