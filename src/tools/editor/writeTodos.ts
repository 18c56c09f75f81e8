import * as z from "zod/mini";
import { MAX_TODO_TEXT, MAX_TODOS, TODO_STATUSES, todoProgress } from "../../turns/plan/todos.ts";
import { defineTool } from "../defineTool.ts";
import { NOTES } from "../notes.ts";
import type { Tool } from "../tool.ts";

const schema = z.object({
  todos: z
    .array(
      z.object({
        text: z.string().check(z.minLength(1), z.maxLength(MAX_TODO_TEXT), z.describe("Short.")),
        status: z.enum(TODO_STATUSES).check(z.describe("At most one is in_progress.")),
      }),
    )
    .check(z.maxLength(MAX_TODOS), z.describe("The whole list, in order; [] removes it.")),
});

/** `write_todos`: keeps the list of what is to be done, which the user sees; it changes nothing. */
export function createWriteTodos(): Tool {
  return defineTool({
    name: "write_todos",
    description:
      "Keeps a list of steps that the user sees. For work of several steps: write it first, and again whenever a status changes.",
    category: "ui",
    effect: "read",
    schema,
    async execute({ todos }, { emit }) {
      emit({ type: "todos", items: todos });
      return { ok: true, output: NOTES.todos(todoProgress(todos)) };
    },
  });
}
