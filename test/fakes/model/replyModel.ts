import type { ModelHandler, ModelStep, RecordedRequest } from "./modelServer.ts";
import type { RecordedReply } from "./recordedReply.ts";

/** The words before what the model was told, in its last answer. */
export const TOLD = "I was told:";

/**
 * The start of the model's last answer; the report follows in it, so that a test without the server
 * can read it.
 */
export interface ReplyModelOptions {
  /** Holds the reply back near the end of its first block until this settles. */
  readonly resume?: Promise<unknown>;
}

/**
 * A model that edits one file as a recorded one did. Asked with tools it first turns on edit mode;
 * then it writes the recorded answer in pieces of a token's size; then it repeats what it was told.
 */
export function replyModel(reply: RecordedReply, options: ReplyModelOptions = {}): ModelHandler {
  return (request) => {
    const { messages, tools } = request.body;
    const turn = messages.slice(
      messages.findLastIndex(
        (message) => message.role === "user" && message.content?.includes(reply.prompt),
      ),
    );
    const answered = turn.filter((message) => message.role === "assistant").length;
    if (tools && answered === 0) {
      return {
        toolCalls: [{ name: "edit_mode", args: { file_path: reply.path, use_line_numbers: true } }],
      };
    }
    if (answered === (tools ? 1 : 0)) return replyStep(reply, options);
    return { text: `${TOLD}\n\n${lastText(request)}`, chunkSize: 4 };
  };
}

function replyStep(reply: RecordedReply, { resume }: ReplyModelOptions): ModelStep {
  const step = { text: reply.answer, chunkSize: 4 };
  if (!resume) return step;
  const opener = reply.answer.indexOf("```");
  const firstLine = reply.answer.indexOf("\n", opener) + 1;
  const end = reply.answer.indexOf("\n```", firstLine);
  return { ...step, resume, stallAfter: 1 + Math.floor((firstLine + (end - firstLine) * 0.9) / 4) };
}

function lastText(request: RecordedRequest): string {
  return request.body.messages.at(-1)?.content ?? "";
}
