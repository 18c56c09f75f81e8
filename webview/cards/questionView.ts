import { visibleLine } from "../../src/base/text/visibleText.ts";
import type { ToolCallState } from "../../src/turns/turn.ts";
import { button, disableControls } from "../controls.ts";
import { h, icon } from "../dom.ts";
import { t } from "../l10n.ts";
import type { PanelContext } from "../panelContext.ts";
import { modelAsks } from "./messages.ts";
import { clipToLine } from "./toolSummary.ts";
import { wholeText } from "./wholeText.ts";

/** Characters of a question in the name of a control. */
const MAX_NAMED = 300;

type AskedQuestion = NonNullable<ToolCallState["question"]>;

/**
 * A tool's question as a form. Posts one answer, or null when the user skips it. The model's own
 * question says so, and none of its words look like a question of Graft.
 */
export function questionView(
  callId: string,
  asked: AskedQuestion,
  context: PanelContext,
): HTMLElement {
  const isModels = asked.about === undefined;
  const question = clipToLine(asked.question, MAX_NAMED);
  const element = h("div", {
    class: "question",
    attributes: {
      role: "group",
      tabindex: "-1",
      "aria-label": isModels ? modelAsks(question) : t("Graft asks: {question}", { question }),
    },
  });
  // A call may ask several questions, one after the other.
  const key = `answer ${callId} ${asked.question}`;
  const post = (values: readonly string[] | null): void => {
    context.keepForm(key, null);
    context.post({ type: "answer", callId, values: values === null ? null : [...values] });
    disableControls(element);
  };
  const skip = button({
    label: t("Skip"),
    description: t("Skip: {question}", { question }),
    onClick: () => post(null),
  });
  const asks = isModels ? t("The model asks") : asked.question;
  element.append(h("p", {}, icon("question"), h("span", {}, asks)));
  if (isModels) element.append(wholeText(asked.question, t("The model's words"), "model-words"));
  const note = isModels
    ? h(
        "p",
        { class: "always" },
        t("Your answer allows nothing. Graft asks for permission itself."),
      )
    : "";
  if (asked.kind === "confirm") {
    const buttons = yesAndNo(question, isModels, post);
    element.append(h("div", { class: "buttons" }, ...buttons, skip), note);
    return element;
  }
  const field = asked.kind === "text" ? textField(question) : optionsField(callId, asked);
  field.fill(context.formKept(key) ?? []);
  field.element.addEventListener("input", () => context.keepForm(key, field.held()));
  const { missing, answer } = answerButton(question, field, post);
  element.append(field.element, missing, h("div", { class: "buttons" }, answer, skip), note);
  return element;
}

/** Answers to the model look unlike the buttons of a permission. */
function yesAndNo(
  question: string,
  isModels: boolean,
  post: (values: readonly string[]) => void,
): readonly HTMLElement[] {
  const [yes, no] = isModels
    ? [
        { label: t("Answer yes"), description: t("Answer yes: {question}", { question }) },
        { label: t("Answer no"), description: t("Answer no: {question}", { question }) },
      ]
    : [
        {
          ...{ label: t("Yes"), description: t("Yes: {question}", { question }) },
          appearance: "primary" as const,
        },
        { label: t("No"), description: t("No: {question}", { question }) },
      ];
  return [
    button({ ...yes, onClick: () => post(["yes"]) }),
    button({ ...no, onClick: () => post(["no"]) }),
  ];
}

/** Posts the field's values, also on Enter, or says in `missing` that there are none. */
function answerButton(
  question: string,
  field: Field,
  post: (values: readonly string[]) => void,
): { readonly missing: HTMLElement; readonly answer: HTMLElement } {
  const missing = h(
    "p",
    { class: "question-missing", hidden: true, attributes: { role: "alert" } },
    field.missing,
  );
  const send = () => {
    const values = field.values();
    missing.hidden = values !== null;
    if (values !== null) post(values);
  };
  field.element.addEventListener("keydown", (event) => {
    if (event.key !== "Enter" || event.shiftKey || event.isComposing) return;
    event.preventDefault();
    send();
  });
  const answer = button({
    label: t("Answer"),
    appearance: "primary",
    description: t("Answer: {question}", { question }),
    onClick: send,
  });
  return { missing, answer };
}

interface Field {
  readonly element: HTMLElement;
  /** Shown when there is no answer yet. */
  readonly missing: string;
  /** What was typed or ticked so far. */
  held(): readonly string[];
  fill(held: readonly string[]): void;
  /** The answer, or null when there is none. */
  values(): readonly string[] | null;
}

function textField(question: string): Field {
  const input = h("textarea", { attributes: { rows: "2", "aria-label": question } });
  return {
    element: input,
    missing: t("Write an answer, or skip."),
    held: () => [input.value],
    fill([text = ""]) {
      input.value = text;
    },
    values: () => (input.value.trim() === "" ? null : [input.value]),
  };
}

function optionsField(callId: string, { kind, options }: AskedQuestion): Field {
  const type = kind === "choice" ? "radio" : "checkbox";
  const inputs = options.map((value) =>
    h("input", { attributes: { type, name: `answer-${callId}`, value } }),
  );
  const labels = inputs.map((input, index) =>
    h("label", { class: "option" }, input, h("q", {}, visibleLine(options[index] ?? ""))),
  );
  const chosen = () =>
    inputs.flatMap((input, index) => (input.checked ? [options[index] ?? ""] : []));
  return {
    element: h(
      "div",
      {
        class: "options",
        attributes: {
          role: kind === "choice" ? "radiogroup" : "group",
          "aria-label": t("Answers the model offers"),
        },
      },
      ...labels,
    ),
    missing: t("Choose an option, or skip."),
    held: chosen,
    fill(held) {
      for (const input of inputs) input.checked = held.includes(input.value);
    },
    values: () => (kind === "choice" && chosen().length === 0 ? null : chosen()),
  };
}
