import { visibleLine, visibleText } from "../../src/base/text/visibleText.ts";
import { questionMessage } from "../../src/turns/messages.ts";
import type { ToolCallState } from "../../src/turns/turn.ts";
import { button, disableControls } from "../controls.ts";
import { h, icon, setText } from "../dom.ts";
import { t } from "../l10n.ts";
import { setLinkedText } from "../markdown/linkedText.ts";
import { durationText } from "../messages.ts";
import type { PanelContext } from "../panelContext.ts";
import { ranOnProposals } from "../proposalMessages.ts";
import { permissionView } from "./permissionView.ts";
import { questionView } from "./questionView.ts";
import { answerShown, canTryAgain, failureShown, outputShown, timeShown } from "./toolFacts.ts";
import { toolSentence } from "./toolSentence.ts";
import { toolState } from "./toolState.ts";
import { toolSummary } from "./toolSummary.ts";
import type { CallSpan } from "./toolTimeline.ts";

/**
 * A tool call: one line that unfolds to its arguments, result and duration. Below it the request
 * for permission, the tool's own question, the end of its output while it runs and when a command
 * fails, and the changes it proposes.
 */
export class ToolRow {
  readonly element: HTMLElement;
  private readonly context: PanelContext;
  private readonly state = h("span", { class: "state" });
  private readonly sentence = h("span", { class: "tool-what" });
  private readonly place = h("p", { class: "tool-place", hidden: true });
  private readonly duration = h("span", { class: "duration" });
  private readonly bar = h("span", { class: "tool-bar" });
  private readonly span = h(
    "span",
    { class: "tool-span", hidden: true, attributes: { role: "img" } },
    this.bar,
  );
  private readonly stop = h("div", { class: "buttons", hidden: true });
  private readonly failure = h("p", { class: "tool-error", hidden: true });
  private readonly answer = h("p", { class: "tool-answer", hidden: true });
  private readonly detail = h("div", { class: "tool-detail" });
  private readonly progress = h("pre", { class: "tool-progress", attributes: { tabindex: "0" } });
  private readonly line: HTMLElement;
  private readonly details: HTMLDetailsElement;
  private permission: HTMLElement | null = null;
  private permissionAsked: ToolCallState["approval"] = null;
  private question: HTMLElement | null = null;
  private asked: ToolCallState["question"] = null;
  private wasAsked = false;
  private beside = "";
  private shownButtons = "";
  private call: ToolCallState;
  private readonly turnId: string;

  constructor(turnId: string, call: ToolCallState, context: PanelContext) {
    this.call = call;
    this.turnId = turnId;
    this.context = context;
    const end = h("span", { class: "tool-end" }, this.duration, " ", this.state, this.span);
    this.line = h("summary", {}, icon("chevron"), this.sentence, " ", end);
    this.details = h("details", { class: "tool" }, this.line, this.detail);
    // Arguments and results can be long, so they are added when unfolded.
    this.details.addEventListener("toggle", () => this.fillDetail());
    this.element = h(
      "div",
      { class: "tool-row" },
      this.details,
      this.place,
      this.stop,
      this.failure,
      this.answer,
    );
    this.update(call);
  }

  update(call: ToolCallState): void {
    this.call = call;
    this.updateState();
    setText(this.sentence, toolSentence(call));
    this.sentence.title = `${visibleLine(call.name)} ${toolSummary(call.input)}`.trimEnd();
    const { onProposals, command, outdated } = call;
    showLine(this.place, onProposals ? ranOnProposals(onProposals, command, outdated) : "");
    this.updateProgress();
    this.updateStop();
    showLine(this.failure, failureShown(this.call));
    showLine(this.answer, answerShown(this.call));
    this.updatePermission();
    this.updateQuestion();
    if (this.details.open) this.fillDetail();
  }

  /** Updates the running time; `now` is in milliseconds since 1970. */
  updateTime(now: number): void {
    setText(this.duration, timeShown(this.call, now));
  }

  /**
   * Shows when it ran within the time of the calls around it; `beside` says with which, "" for
   * none.
   */
  showSpan(span: CallSpan | null, beside: string): void {
    this.span.hidden = span === null;
    this.bar.style.marginLeft = `${(span?.start ?? 0) * 100}%`;
    this.bar.style.width = `${(span?.length ?? 0) * 100}%`;
    this.span.title = beside;
    // Read with the row, which has no other word for it.
    this.span.setAttribute("aria-label", beside);
    this.span.setAttribute("aria-hidden", String(beside === ""));
    const isNew = beside !== this.beside;
    this.beside = beside;
    if (isNew) this.fillDetail();
  }

  /** True while it should not be folded away: it waits for the user, or the user unfolded it. */
  get needsSight(): boolean {
    return this.permission !== null || this.question !== null || this.details.open;
  }

  /** The call as it is shown. */
  get latest(): ToolCallState {
    return this.call;
  }

  private updateState(): void {
    const label = toolState(this.call);
    this.element.dataset.tone = label?.tone ?? "off";
    const word = label?.word ?? "";
    if (this.state.textContent !== word)
      this.state.replaceChildren(...(label ? [icon(label.icon), word] : []));
    this.updateTime(Date.now());
  }

  /**
   * A command in the background can be stopped, and started again where it has rejected text; one in
   * a turn ends with that.
   */
  private updateStop(): void {
    const { command, outdated = [] } = this.call;
    const isRunning = command?.code === "running";
    const kind = `${isRunning} ${isRunning && outdated.length > 0}`;
    this.stop.hidden = !isRunning;
    if (kind === this.shownButtons) return;
    this.shownButtons = kind;
    const call = toolSummary(this.call.input);
    const stop = this.commandButton(t("Stop Command"), t("Stop {call}", { call }), "stop-command");
    const restart = this.commandButton(
      t("Restart"),
      t("Restart {call} on the files as they are now", { call }),
      "restart-command",
    );
    const restarts = outdated.length > 0 ? [restart] : [];
    this.stop.replaceChildren(...(isRunning ? [...restarts, stop] : []));
  }

  private commandButton(
    label: string,
    description: string,
    type: "stop-command" | "restart-command",
  ): HTMLElement {
    const { turnId } = this;
    const { callId } = this.call;
    return button({
      ...{ label, description },
      onClick: () => {
        disableControls(this.stop);
        this.context.post({ type, turnId, callId });
      },
    });
  }

  private updateProgress(): void {
    const { text, label } = outputShown(this.call);
    setText(this.progress, text);
    this.progress.setAttribute("aria-label", label);
    if (text === "") this.progress.remove();
    else if (!this.progress.isConnected) this.details.after(this.progress);
  }

  private fillDetail(): void {
    if (!this.details.open) return;
    const { name, input, argsText, output, durationMs } = this.call;
    const given =
      input === undefined || typeof input === "string" ? argsText : JSON.stringify(input, null, 2);
    const facts = [
      visibleLine(name),
      ...(durationMs === null ? [] : [durationText(durationMs)]),
      ...(this.beside === "" ? [] : [this.beside]),
    ].join(" · ");
    const result = output === null ? [] : [section(t("Result"), visibleText(output))];
    this.detail.replaceChildren(
      h("div", { class: "detail-facts" }, facts),
      section(t("Arguments"), visibleText(given)),
      ...result,
      ...this.recovery(),
    );
  }

  private recovery(): readonly HTMLElement[] {
    const { call, context } = this;
    if (!canTryAgain(call, context.answers().at(-1))) return [];
    const sentence = toolSentence(call);
    const ask = (text: string) => {
      disableControls(buttons);
      context.send(text);
    };
    const again = t("Retry: {call}", { call: sentence });
    const without = t("Skip: {call}", { call: sentence });
    const buttons: HTMLElement = h(
      "div",
      {
        class: "buttons",
        attributes: { tabindex: "-1", role: "group", "aria-label": t("What to ask the model") },
      },
      button({
        label: t("Retry"),
        description: again,
        onClick: () => ask(t("Try this again: {call}", { call: sentence })),
      }),
      button({
        label: t("Skip"),
        description: without,
        onClick: () => ask(t("Continue without this: {call}", { call: sentence })),
      }),
    );
    return [buttons];
  }

  private updatePermission(): void {
    const { approval } = this.call;
    if (approval?.decision !== "pending") this.permission = this.withdraw(this.permission);
    // A question that is asked again may come together with the end of the first.
    else if (this.permissionAsked !== approval) {
      this.permissionAsked = approval;
      this.permission = this.withdraw(this.permission);
      this.permission = permissionView(this.call, approval, this.context);
      this.element.append(this.permission);
    }
  }

  private updateQuestion(): void {
    const { question, callId } = this.call;
    if (question === this.asked) return;
    this.asked = question;
    this.question = this.withdraw(this.question);
    if (question === null) return;
    this.question = questionView(
      callId,
      { ...question, question: questionMessage(question, t) },
      this.context,
    );
    this.element.append(this.question);
    const { activeElement } = document;
    // A user who just answered the previous question keeps typing.
    const goesOn =
      this.wasAsked && (activeElement === document.body || this.element.contains(activeElement));
    if (goesOn) this.question.querySelector<HTMLElement>("input, textarea, vscode-button")?.focus();
    this.wasAsked = true;
  }

  private withdraw(asked: HTMLElement | null): null {
    const hadFocus = asked?.contains(document.activeElement) ?? false;
    asked?.remove();
    // Not to a button: a key pressed twice would allow the next call.
    if (hadFocus) (document.querySelector<HTMLElement>(".question") ?? this.line).focus();
    return null;
  }
}

/** Shows a line of text, its web addresses as links, or hides it when empty. */
function showLine(line: HTMLElement, text: string): void {
  line.hidden = text === "";
  setLinkedText(line, text);
}

function section(title: string, text: string): HTMLElement {
  return h(
    "div",
    {},
    h("div", { class: "detail-title" }, title),
    h("pre", { attributes: { tabindex: "0", "aria-label": title } }, text),
  );
}
