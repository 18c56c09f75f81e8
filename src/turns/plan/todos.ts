import * as z from "zod/mini";

/** The most items that a list of to-dos has. */
export const MAX_TODOS = 50;
/** The most UTF-16 units of an item. */
export const MAX_TODO_TEXT = 200;

/** How far an item of the list is. */
export const TODO_STATUSES = ["pending", "in_progress", "done"] as const;

/** A list of to-dos in the history; what is too long was never written by Graft. */
export const todosSchema = z.array(
  z.object({ text: z.string(), status: z.catch(z.enum(TODO_STATUSES), "pending") }),
);

/** What the model still has to do in a turn, and what it did. */
export type Todo = Readonly<z.infer<typeof todosSchema>[number]>;

/** How many items are done, and the one at work now, or the next one; null where all are done. */
export function todoProgress(todos: readonly Todo[]): {
  readonly done: number;
  readonly all: number;
  readonly current: Todo | null;
} {
  const current =
    todos.find(({ status }) => status === "in_progress") ??
    todos.find(({ status }) => status === "pending") ??
    null;
  const done = todos.filter(({ status }) => status === "done").length;
  return { done, all: todos.length, current };
}
