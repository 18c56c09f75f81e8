import type { ToolCallState } from "../../src/turns/turn.ts";
import { button, disableControls } from "../controls.ts";
import { h } from "../dom.ts";
import { icon } from "../icons.ts";
import type { PanelContext } from "../panelContext.ts";

type Asked = NonNullable<ToolCallState["question"]>;

/** A tool's question as a form; what the user answers, or that he does not, is posted once. */
export function questionView(callId: string, asked: Asked, context: PanelContext): HTMLElement {
  const element = h("div", {
    class: "question",
    attributes: { role: "group", tabindex: "-1", "aria-label": `Question: ${asked.question}` },
  });
  const post = (values: readonly string[] | null): void => {
    context.post({ type: "answer", callId, values: values === null ? null : [...values] });
    disableControls(element);
  };
  const skip = button({ label: "Skip", description: `Skip: ${asked.question}`, onClick: () => post(null) });
  const buttons = h("div", { class: "buttons" });
  element.append(h("p", {}, icon("question"), h("span", {}, asked.question)));
  if (asked.kind === "confirm") {
    const yes = button({ label: "Yes", appearance: "primary", description: `Yes: ${asked.question}`, onClick: () => post(["yes"]) });
    const no = button({ label: "No", description: `No: ${asked.question}`, onClick: () => post(["no"]) });
    buttons.append(yes, no);
  } else {
    const field = asked.kind === "text" ? textField(asked) : optionsField(callId, asked);
    const missing = h("p", { class: "question-missing", hidden: true, attributes: { role: "alert" } }, field.missing);
    const answer = () => {
      const values = field.values();
      missing.hidden = values !== null;
      if (values !== null) post(values);
    };
    element.append(field.element, missing);
    field.element.addEventListener("keydown", (event) => {
      if (event.key !== "Enter" || event.shiftKey || event.isComposing) return;
      event.preventDefault();
      answer();
    });
    buttons.append(button({ label: "Answer", appearance: "primary", description: `Answer: ${asked.question}`, onClick: answer }));
  }
  buttons.append(skip);
  element.append(buttons);
  return element;
}

interface Field {
  readonly element: HTMLElement;
  /** What is said while there is no answer. */
  readonly missing: string;
  /** The answer, or null while there is none. */
  values(): readonly string[] | null;
}

function textField({ question }: Asked): Field {
  const input = h("textarea", { attributes: { rows: "2", "aria-label": question } });
  return {
    element: input,
    missing: "Write an answer first, or skip the question.",
    values: () => (input.value.trim() === "" ? null : [input.value]),
  };
}

function optionsField(callId: string, { kind, question, options }: Asked): Field {
  const type = kind === "choice" ? "radio" : "checkbox";
  const inputs = options.map((value) => h("input", { attributes: { type, name: `answer-${callId}`, value } }));
  const labels = inputs.map((input, index) => h("label", { class: "option" }, input, h("span", {}, options[index] ?? "")));
  const chosen = () => inputs.flatMap((input, index) => (input.checked ? [options[index] ?? ""] : []));
  return {
    element: h(
      "div",
      { class: "options", attributes: { role: kind === "choice" ? "radiogroup" : "group", "aria-label": question } },
      ...labels,
    ),
    missing: "Choose one first, or skip the question.",
    values: () => (kind === "choice" && chosen().length === 0 ? null : chosen()),
  };
}
