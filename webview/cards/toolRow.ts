import { questionMessage } from "../../src/turns/messages.ts";
import type { ToolCallState } from "../../src/turns/turn.ts";
import { h, icon, setText } from "../dom.ts";
import { t } from "../l10n.ts";
import { elapsedText, toolTime } from "../messages.ts";
import type { PanelContext } from "../panelContext.ts";
import { permissionView } from "./permissionView.ts";
import { questionView } from "./questionView.ts";
import { toolState, wasDenied } from "./toolState.ts";
import { toolSummary } from "./toolSummary.ts";

/** Lines of a running tool's output that are shown. */
const PROGRESS_LINES = 8;

/**
 * A tool call: one line that unfolds to its arguments and result. Below it the request for permission, the tool's own question,
 * the end of its output while it runs, and the changes it proposes.
 */
export class ToolRow {
  readonly element: HTMLElement;
  private readonly context: PanelContext;
  private readonly state = h("span", { class: "state" });
  private readonly name = h("span", { class: "tool-name" });
  private readonly summary = h("span", { class: "tool-summary" });
  private readonly duration = h("span", { class: "duration" });
  private readonly failure = h("p", { class: "tool-error", hidden: true });
  private readonly answer = h("p", { class: "tool-answer", hidden: true });
  private readonly detail = h("div", { class: "tool-detail" });
  private readonly progress = h("pre", { class: "tool-progress", attributes: { "aria-label": t("Output so far") } });
  private readonly line: HTMLElement;
  private readonly details: HTMLDetailsElement;
  private permission: HTMLElement | null = null;
  private question: HTMLElement | null = null;
  private asked: ToolCallState["question"] = null;
  private wasAsked = false;
  private call: ToolCallState;

  constructor(call: ToolCallState, context: PanelContext) {
    this.call = call;
    this.context = context;
    const end = h("span", { class: "tool-end" }, this.duration, " ", this.state);
    this.line = h("summary", {}, icon("chevron"), h("span", { class: "tool-what" }, this.name, " ", this.summary), " ", end);
    this.details = h("details", { class: "tool" }, this.line, this.detail);
    // Arguments and results can be long, so they are added when unfolded.
    this.details.addEventListener("toggle", () => this.fillDetail());
    this.element = h("div", { class: "tool-row" }, this.details, this.failure, this.answer);
    this.update(call);
  }

  update(call: ToolCallState): void {
    this.call = call;
    this.updateState();
    setText(this.name, call.name);
    const summary = toolSummary(call.input);
    setText(this.summary, call.input === undefined && call.status === "pending" ? "…" : summary);
    this.summary.title = summary;
    setText(this.progress, call.progress.split("\n").slice(-PROGRESS_LINES).join("\n"));
    if (call.progress === "") this.progress.remove();
    else if (!this.progress.isConnected) this.details.after(this.progress);
    show(this.failure, call.status === "error" && !wasDenied(call) ? (call.error?.message ?? "") : "");
    const answer = call.name === "ask_user" && call.status === "success" ? (call.output ?? "") : "";
    show(this.answer, answer === "" ? "" : t("Your answer: {answer}", { answer: answer.replaceAll("\n", ", ") }));
    this.updatePermission();
    this.updateQuestion();
    if (this.details.open) this.fillDetail();
  }

  /** Updates the running time; `now` is in milliseconds since 1970. */
  updateTime(now: number): void {
    setText(this.duration, this.timeText(now));
  }

  private updateState(): void {
    const { icon: image, word, tone } = toolState(this.call);
    this.element.dataset.tone = tone;
    if (this.state.textContent !== word) this.state.replaceChildren(icon(image), word);
    this.updateTime(Date.now());
  }

  private timeText(now: number): string {
    const { status, durationMs, startedAt, retries } = this.call;
    if (durationMs !== null) return wasDenied(this.call) ? "" : toolTime(durationMs, retries);
    const counts = status === "running" && !this.call.question;
    return counts && startedAt !== null ? elapsedText(now - startedAt) : "";
  }

  private fillDetail(): void {
    if (!this.details.open) return;
    const { input, argsText, output } = this.call;
    const given = input === undefined || typeof input === "string" ? argsText : JSON.stringify(input, null, 2);
    this.detail.replaceChildren(section(t("Arguments"), given), ...(output === null ? [] : [section(t("Result"), output)]));
  }

  private updatePermission(): void {
    const { approval } = this.call;
    if (approval?.decision !== "pending") this.permission = this.withdraw(this.permission);
    else if (!this.permission) {
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
    this.question = questionView(callId, { ...question, question: questionMessage(question, t) }, this.context);
    this.element.append(this.question);
    const { activeElement } = document;
    // A user who just answered the previous question keeps typing.
    const goesOn = this.wasAsked && (activeElement === document.body || this.element.contains(activeElement));
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

/** Shows a line of text, or hides it when empty. */
function show(line: HTMLElement, text: string): void {
  line.hidden = text === "";
  setText(line, text);
}

function section(title: string, text: string): HTMLElement {
  return h("div", {}, h("div", { class: "detail-title" }, title), h("pre", { attributes: { tabindex: "0", "aria-label": title } }, text));
}
