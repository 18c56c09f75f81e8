import type { Todo } from "../../src/turns/plan/todos.ts";
import { todosText } from "../cards/toolSentence.ts";
import { h, icon, setText } from "../dom.ts";
import { t } from "../l10n.ts";

const STATUS: Readonly<Record<Todo["status"], () => string>> = {
  pending: () => t("to do"),
  in_progress: () => t("now"),
  done: () => t("done"),
};

/** What the model has to do, folded to how far it is and what it is at. */
export class TodoView {
  readonly element = h("details", { class: "todos", hidden: true });
  private readonly sum = h("span", { class: "todos-sum" });
  private readonly list = h("ol");
  private shown: readonly Todo[] = [];

  constructor() {
    const head = h("summary", {}, icon("chevron"), h("strong", {}, t("To-dos")), " ", this.sum);
    this.element.append(head, this.list);
  }

  /** A finished list stays while its turn runs. */
  update(todos: readonly Todo[], isRunning: boolean): void {
    const isDone = todos.every(({ status }) => status === "done");
    this.element.hidden = todos.length === 0 || (isDone && !isRunning);
    if (todos === this.shown) return;
    this.shown = todos;
    setText(this.sum, todosText(todos));
    this.list.replaceChildren(
      ...todos.map(({ text, status }) =>
        h(
          "li",
          { class: `todo todo-${status}` },
          h("span", { class: "todo-text" }, text),
          " ",
          h("span", { class: "todo-status" }, STATUS[status]()),
        ),
      ),
    );
  }
}
