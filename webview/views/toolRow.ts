import type { ToolCallState } from "../../src/turns/turn.ts";
import type { EditBlock } from "../../src/turns/turnEvent.ts";
import { h, setText } from "../dom.ts";
import { durationText } from "../duration.ts";
import type { IconName } from "../iconShapes.ts";
import { icon } from "../icons.ts";
import type { PanelContext } from "../panelContext.ts";
import { toolSummary } from "../toolSummary.ts";
import { type CardRole, EditCard } from "./editCard.ts";
import { permissionView } from "./permissionView.ts";
import { questionView } from "./questionView.ts";

const states: Readonly<Record<ToolCallState["status"], { readonly icon: IconName; readonly word: string; readonly tone: string }>> = {
  pending: { icon: "clock", word: "waiting", tone: "wait" },
  running: { icon: "spinner", word: "running", tone: "busy" },
  success: { icon: "check", word: "done", tone: "good" },
  error: { icon: "warning", word: "failed", tone: "bad" },
  cancelled: { icon: "stopped", word: "cancelled", tone: "off" },
};

/** How much of a running tool's output is shown, in lines. */
const PROGRESS_LINES = 8;

/**
 * A tool call as one line that opens to its arguments and result, with the question for permission, or the tool's own, where there is
 * one, the end of its output while it runs, and the changes it proposes.
 */
export class ToolRow {
  readonly element: HTMLElement;
  private readonly context: PanelContext;
  private readonly state = h("span", { class: "state" });
  private readonly name = h("span", { class: "tool-name" });
  private readonly summary = h("span", { class: "tool-summary" });
  private readonly duration = h("span", { class: "duration" });
  private readonly failure = h("p", { class: "tool-error", hidden: true });
  private readonly detail = h("div", { class: "tool-detail" });
  private readonly progress = h("pre", { class: "tool-progress", attributes: { "aria-label": "Output so far" } });
  private readonly cards = new Map<string, EditCard>();
  private readonly turnId: string;
  private readonly line: HTMLElement;
  private readonly details: HTMLDetailsElement;
  private permission: HTMLElement | null = null;
  private question: HTMLElement | null = null;
  private asked: ToolCallState["question"] = null;
  private call: ToolCallState;

  constructor(call: ToolCallState, turnId: string, context: PanelContext) {
    this.call = call;
    this.turnId = turnId;
    this.context = context;
    const end = h("span", { class: "tool-end" }, this.duration, " ", this.state);
    this.line = h("summary", {}, icon("chevron"), h("span", { class: "tool-what" }, this.name, " ", this.summary), " ", end);
    this.details = h("details", { class: "tool" }, this.line, this.detail);
    // Arguments and results can be long: they are put into the page when they are looked at.
    this.details.addEventListener("toggle", () => this.fillDetail());
    this.element = h("div", { class: "tool-row" }, this.details, this.failure);
    this.update(call);
  }

  update(call: ToolCallState): void {
    this.call = call;
    const { icon: image, word, tone } = this.stateLabel();
    this.element.dataset.tone = tone;
    if (this.state.textContent !== word) this.state.replaceChildren(icon(image), word);
    setText(this.name, call.name);
    const summary = toolSummary(call.input);
    setText(this.summary, call.input === undefined && call.status === "pending" ? "…" : summary);
    this.summary.title = summary;
    setText(this.duration, call.durationMs === null ? "" : durationText(call.durationMs) + retriesText(call.retries));
    setText(this.progress, call.progress.split("\n").slice(-PROGRESS_LINES).join("\n"));
    if (call.progress === "") this.progress.remove();
    else if (!this.progress.isConnected) this.details.after(this.progress);
    this.failure.hidden = call.error === null || call.status !== "error";
    setText(this.failure, call.error?.message ?? "");
    this.updatePermission();
    this.updateQuestion();
    if (this.details.open) this.fillDetail();
  }

  /** A change that the tool proposes: it has no place in the answer's text. */
  setEdit(edit: EditBlock, role: CardRole): void {
    const known = this.cards.get(edit.blockId);
    const card = known ?? new EditCard(edit, this.context, this.turnId);
    card.update(edit, role);
    if (known) return;
    this.cards.set(edit.blockId, card);
    this.element.append(card.element);
  }

  private stateLabel(): (typeof states)[keyof typeof states] {
    const decision = this.call.approval?.decision;
    if (decision === "pending" || this.call.question) return { icon: "question", word: "asks", tone: "wait" };
    if (decision === "denied" && this.call.status === "error") return { icon: "cross", word: "denied", tone: "off" };
    return states[this.call.status];
  }

  private fillDetail(): void {
    if (!this.details.open) return;
    const { input, argsText, output } = this.call;
    const given = input === undefined || typeof input === "string" ? argsText : JSON.stringify(input, null, 2);
    this.detail.replaceChildren(section("Arguments", given), ...(output === null ? [] : [section("Result", output)]));
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
    this.question = questionView(callId, question, this.context);
    this.element.append(this.question);
  }

  private withdraw(asked: HTMLElement | null): null {
    if (asked?.contains(document.activeElement)) this.line.focus();
    asked?.remove();
    return null;
  }
}

function retriesText(retries: number): string {
  if (retries === 0) return "";
  return retries === 1 ? ", 1 retry" : `, ${retries} retries`;
}

function section(title: string, text: string): HTMLElement {
  return h("div", {}, h("div", { class: "detail-title" }, title), h("pre", { attributes: { tabindex: "0", "aria-label": title } }, text));
}
