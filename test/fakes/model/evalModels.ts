import type { EvalTask } from "../../../src/agent/eval/evalTask.ts";
import { EVAL_TASKS } from "../../../src/agent/eval/evalTasks.ts";
import type { ModelHandler, ModelStep, WireRequest } from "./modelServer.ts";

/** What a request asks for: its task, and the form of the answer. */
function asked({ messages, tools }: WireRequest) {
  const text = messages.map(({ content }) => content ?? "").join("\n");
  const task = EVAL_TASKS.find(
    ({ request, before }) => text.includes(request) && text.includes(before.split("\n")[2] ?? ""),
  );
  const form = tools
    ? "patch"
    : text.includes("Mode: AST paths")
      ? "elements"
      : text.includes("Mode: complete file")
        ? "whole"
        : "lines";
  const reported = messages.filter(({ role }) => role === "assistant").length;
  return { task, form, reported };
}

function edit({ path, before, request }: EvalTask, form: string, text: string): ModelStep {
  const lines = before.trimEnd().split("\n").length;
  const body = text.trimEnd();
  const fence = (opener: string) => ({ text: `${request}\n\n\`\`\`${opener}\n${body}\n\`\`\`\n` });
  if (form === "lines") return fence(`${path.split(".").at(-1)}:1:${lines}`);
  if (form === "elements") return fence(`${path.split(".").at(-1)}:ast-path:@file:1:${lines}`);
  if (form === "whole") return fence(path.split(".").at(-1) ?? "");
  const args = { file_path: path, edits: [{ search: before, replace: text }] };
  return { toolCalls: [{ name: "patch_source_file", args }] };
}

/** Does what is asked. */
export const rightModel: ModelHandler = ({ body }) => {
  const { task, form, reported } = asked(body);
  return task && reported === 0 ? edit(task, form, task.after) : { text: "Done." };
};

/**
 * Does what is asked where edit mode asks for it in this form, and nothing else. Outside of the
 * tasks, it opens edit mode for `file`.
 */
export const rightOnlyBy =
  (mode: RegExp, file: string): ModelHandler =>
  (request, index) => {
    const { messages, tools } = request.body;
    const text = messages.map(({ content }) => content ?? "").join("\n");
    const { task } = asked(request.body);
    if (!task && messages.some(({ role }) => role === "tool")) return { text: "Done." };
    if (!task) return { toolCalls: [{ name: "edit_mode", args: { file_path: file } }] };
    if (tools === undefined && mode.test(text)) return rightModel(request, index);
    return { text: "I would rather not." };
  };

/** Changes every file, but to something else. */
export const wrongModel: ModelHandler = ({ body }) => {
  const { task, form, reported } = asked(body);
  const lines = task?.before.trimEnd().split("\n") ?? [];
  const text = `${lines.join("\n")}\n\n${commentOf(task?.path ?? "")} done as asked\n`;
  return task && reported === 0 ? edit(task, form, text) : { text: "Done." };
};

/** Says the same without an end, and never edits. */
export const loopingModel: ModelHandler = () => ({
  text: "Let me look at the file again. ".repeat(20_000),
  chunkSize: 2_000,
});

/** Begins the right edit, and stops half way. */
export const halfwayModel: ModelHandler = ({ body }) => {
  const { task, form } = asked(body);
  const step = task ? edit(task, form, task.after) : {};
  if (step.toolCalls)
    return {
      ...step,
      toolCalls: [{ name: "patch_source_file", args: '{"file_path":"' }],
      finish: "length",
    };
  return {
    text: (step.text ?? "").slice(0, -Math.floor((step.text ?? "").length / 2)),
    finish: "length",
  };
};

function commentOf(path: string): string {
  return path.endsWith(".py") ? "#" : "//";
}
