import type { ToolCallState } from "../../src/turns/turn.ts";
import { button, disableControls } from "../controls.ts";
import { h, icon } from "../dom.ts";
import { t } from "../l10n.ts";
import type { PanelContext } from "../panelContext.ts";
import { argumentsLabel } from "./messages.ts";
import {
  type AnswerButton,
  type AskedPermission,
  type PermissionQuestion,
  type PostedAnswer,
  permissionQuestion,
} from "./permissionQuestion.ts";
import { wholeText } from "./wholeText.ts";

type PostAnswer = (answer: PostedAnswer) => void;

/** Asks the user to allow a tool call and shows what would run and where. Posts one decision. */
export function permissionView(
  call: ToolCallState,
  asked: AskedPermission,
  context: PanelContext,
): HTMLElement {
  const { callId } = call;
  const { command, commit } = asked;
  const question = permissionQuestion(call, asked);
  const { action, words, notes, prepare, always } = question;
  const name = t("Permission: {action}", { action });
  const element = h("div", {
    class: "question",
    attributes: { role: "group", tabindex: "-1", "aria-label": name },
  });
  const post: PostAnswer = (answer) => {
    context.post({ type: "approve", callId, ...answer });
    disableControls(element);
  };
  const longer = question.longer ? longerView(question.longer, prepare !== null, post) : null;
  element.append(
    h("p", {}, icon("question"), h("span", {}, words)),
    ...(command ? [wholeText(command.text, t("Command"))] : []),
    ...(asked.arguments === undefined
      ? []
      : [wholeText(asked.arguments, argumentsLabel(call.name))]),
    ...(commit ? commitView(commit, question.files) : []),
    ...notes.map((text) => h("p", {}, text)),
    decisionButtons(question, longer?.toggle ?? null, post),
    ...(always === "" ? [] : [h("p", { class: "always" }, always)]),
    ...(longer ? [longer.element] : []),
  );
  return element;
}

/** With `prepare`, running without it is the second choice. */
function decisionButtons(
  { prepare, allow, elsewhere, deny }: PermissionQuestion,
  toggle: HTMLElement | null,
  post: PostAnswer,
): HTMLElement {
  const yes = answerButton(allow, post, prepare === null);
  return h(
    "div",
    { class: "buttons" },
    prepare && answerButton(prepare, post, true),
    toggle ? h("span", { class: "split" }, yes, toggle) : yes,
    elsewhere && answerButton(elsewhere, post),
    answerButton(deny, post),
  );
}

function answerButton(
  { label, description, answer }: AnswerButton,
  post: PostAnswer,
  isPrimary = false,
): HTMLElement {
  const appearance = isPrimary ? "primary" : "secondary";
  return button({ label, appearance, description, onClick: () => post(answer) });
}

/** The other half of the split button, and what it unfolds: a row for each choice. */
function longerView(
  { label, offered }: NonNullable<PermissionQuestion["longer"]>,
  isSecondary: boolean,
  post: PostAnswer,
): { readonly toggle: HTMLElement; readonly element: HTMLElement } {
  const element = h("div", { class: "longer", hidden: true });
  const toggle = button({
    label,
    icon: "chevron",
    appearance: "icon",
    onClick: () => open(element.hasAttribute("hidden")),
  });
  const open = (isOpen: boolean): void => {
    element.hidden = !isOpen;
    toggle.setAttribute("aria-expanded", String(isOpen));
    if (isOpen) element.querySelector<HTMLElement>("vscode-button")?.focus();
    else toggle.focus();
  };
  toggle.setAttribute("appearance", isSecondary ? "secondary" : "primary");
  toggle.setAttribute("aria-expanded", "false");
  element.addEventListener("keydown", (event) => {
    if (event.key !== "Escape") return;
    event.preventDefault();
    open(false);
  });
  for (const { words, answers } of offered) {
    const buttons = answers.map((each) => answerButton(each, post));
    const group = { role: "group", "aria-label": words };
    element.append(
      h("p", { class: "always" }, words),
      h("div", { class: "buttons", attributes: group }, ...buttons),
    );
  }
  return { toggle, element };
}

/** The whole message and the files of a commit. */
function commitView(
  { message }: NonNullable<AskedPermission["commit"]>,
  files: readonly string[],
): readonly HTMLElement[] {
  const list = h(
    "ul",
    {
      class: "commit-files",
      attributes: { tabindex: "0", "aria-label": t("Files of the commit") },
    },
    ...files.map((file) => h("li", {}, file)),
  );
  return [
    wholeText(message.trimEnd(), t("Commit message")),
    files.length > 0 ? list : h("p", {}, t("Commits the staged changes.")),
  ];
}
