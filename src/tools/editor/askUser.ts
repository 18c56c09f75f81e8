import * as z from "zod/mini";
import type { Question } from "../../ports/question.ts";
import { defineTool } from "../defineTool.ts";
import { failed } from "../messages.ts";
import { NOTES } from "../notes.ts";
import type { Tool, ToolResult } from "../tool.ts";

const schema = z.object({
  question: z
    .string()
    .check(z.minLength(1), z.maxLength(4_000), z.describe("A short question, as plain text.")),
  kind: z
    .enum(["choice", "multi-choice", "text", "confirm"])
    .check(
      z.describe(
        "choice: one of options. multi-choice: any of them. text: free text. confirm: yes or no.",
      ),
    ),
  options: z
    .optional(z.array(z.string().check(z.minLength(1), z.maxLength(400))).check(z.maxLength(20)))
    .check(z.describe("The choices; 2 to 20 for choice and multi-choice.")),
});

/** `ask_user`: asks the user and waits for the answer. */
export function createAskUser(question: Question): Tool {
  return defineTool({
    name: "ask_user",
    description:
      "Asks the user a question and waits for the answer. Only for what you cannot find out and must not guess. Never ask for permission: the editor does that.",
    category: "ui",
    effect: "read",
    timeoutMs: Number.POSITIVE_INFINITY,
    schema,
    async execute(
      { question: text, kind, options = [] },
      { turnId, callId, signal, emit },
    ): Promise<ToolResult> {
      const choosing = kind === "choice" || kind === "multi-choice";
      const distinct = choosing ? [...new Set(options)] : [];
      if (choosing && distinct.length < 2) return failed("too-few-options", { kind });
      emit({ type: "question", callId, kind, question: text, options: distinct });
      const answer = await question.ask(
        { turnId, callId, kind, question: text, options: distinct },
        signal,
      );
      if (!answer.answered) return failed("no-answer", { why: answer.why });
      return {
        ok: true,
        output: answer.values.length === 0 ? NOTES.noChoice : answer.values.join("\n"),
      };
    },
  });
}
