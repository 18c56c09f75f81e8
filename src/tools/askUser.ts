import * as z from "zod/mini";
import type { Question } from "../ports/question.ts";
import { defineTool, type Tool, type ToolResult } from "./tool.ts";

const schema = z.object({
  question: z.string().check(z.minLength(1), z.maxLength(4_000), z.describe("The question, short; it may be Markdown.")),
  kind: z
    .enum(["choice", "multi-choice", "text", "confirm"])
    .check(z.describe("choice: one of options. multi-choice: any of them. text: written freely. confirm: yes or no.")),
  options: z
    .optional(z.array(z.string().check(z.minLength(1), z.maxLength(400))).check(z.maxLength(20)))
    .check(z.describe("What there is to choose from; 2 to 20 for choice and multi-choice.")),
});

/** `ask_user`: asks the user and waits for the answer. */
export function createAskUser(question: Question): Tool {
  return defineTool({
    name: "ask_user",
    description:
      "Asks the user a question and waits for the answer. Only for what you cannot find out and must not guess. Never for permission: the editor asks for that itself.",
    category: "ui",
    effect: "read",
    timeoutMs: Number.POSITIVE_INFINITY,
    schema,
    async execute({ question: text, kind, options = [] }, { turnId, callId, signal, emit }): Promise<ToolResult> {
      const choosing = kind === "choice" || kind === "multi-choice";
      const distinct = [...new Set(options)];
      if (choosing !== distinct.length > 1) {
        const message = choosing ? `${kind} needs at least two different options.` : `${kind} takes no options.`;
        return { ok: false, error: { category: "validation", message, recovery: "Call ask_user again." } };
      }
      emit({ type: "question", callId, kind, question: text, options: distinct });
      const answer = await question.ask({ turnId, callId, kind, question: text, options: distinct }, signal);
      if (!answer.answered)
        return {
          ok: false,
          error: { category: "execution", message: answer.reason, recovery: "Go on with a sensible assumption, and say which." },
        };
      return { ok: true, output: answer.values.length === 0 ? "The user chose none of the options." : answer.values.join("\n") };
    },
  });
}
