import { parseFenceOpener } from "../../src/base/text/fenceScanner.ts";
import type { PanelMessage } from "../../src/protocol/messages.ts";
import { reasonText, warningsText } from "../../src/turns/blockMessages.ts";
import type { EditBlock } from "../../src/turns/turnEvent.ts";
import { button } from "../controls.ts";
import { h, icon, setText } from "../dom.ts";
import { t } from "../l10n.ts";
import { CodeBlock } from "../markdown/codeBlock.ts";
import { FenceBody } from "../markdown/fenceBody.ts";
import type { CardSink } from "../markdown/stepSegments.ts";
import { editAction } from "../messages.ts";
import type { PanelContext } from "../panelContext.ts";
import { editLine, editState, hasProposal } from "./editState.ts";

/** What the last card of a file offers for that file: to decide on the proposal, to undo the changes, or nothing. */
export type CardRole = "decide" | "restore" | null;

/** An edit block as a card: file, place, state, counts and the new code, which streams in. */
export class EditCard implements CardSink {
  readonly element = h("section", { class: "card", attributes: { role: "group" } });
  private readonly context: PanelContext;
  private readonly turnId: string;
  private readonly state = h("span", { class: "state" });
  private readonly file = h("button", { class: "file", attributes: { type: "button" } });
  private readonly restore: HTMLElement;
  private readonly action = h("span", { class: "card-action" });
  private readonly counts = h("span", { class: "counts" });
  private readonly added = h("span", { class: "added" });
  private readonly removed = h("span", { class: "removed" });
  private readonly reason = h("p", { class: "card-reason", hidden: true });
  private readonly warning = h("p", { class: "card-warning", hidden: true });
  private readonly behind = h("p", { class: "card-behind", hidden: true }, icon("spinner"), h("span", {}, t("The diff is catching up…")));
  private readonly buttons = h("div", { class: "buttons", hidden: true });
  private readonly code = h("details", { class: "card-code no-code" });
  /** Out of the tab order until there is code to unfold. */
  private readonly line = h("summary", { attributes: { tabindex: "-1" } });
  private edit: EditBlock;
  private role: CardRole = null;
  private shownButtons = "";
  private opening: string | null = "";
  private body: FenceBody | null = null;
  private block: CodeBlock | null = null;
  private openedByStream = false;

  constructor(edit: EditBlock, context: PanelContext, turnId: string) {
    this.edit = edit;
    this.context = context;
    this.turnId = turnId;
    this.file.addEventListener("click", () => this.openFile());
    this.restore = button({
      label: t("Undo this turn's changes to {path}", { path: edit.path }),
      icon: "restore",
      appearance: "icon",
      onClick: () => context.post({ type: "restore-files", turnId, path: this.edit.path }),
    });
    const end = h("span", { class: "card-end" }, this.state, this.restore);
    const head = h("div", { class: "card-head" }, this.file, " ", end);
    this.counts.append(this.added, " ", this.removed);
    this.line.append(icon("chevron"), this.action, " ", this.counts);
    this.line.addEventListener("click", (event) => {
      if (!this.block) event.preventDefault();
    });
    this.code.append(this.line);
    this.element.append(head, this.code, this.reason, this.warning, this.behind, this.buttons);
    this.update(edit, null);
  }

  update(edit: EditBlock, role: CardRole): void {
    this.edit = edit;
    this.role = role;
    this.restore.hidden = role !== "restore";
    const label = editState(edit.status);
    this.element.dataset.tone = label.tone;
    if (this.state.dataset.status !== edit.status) {
      this.state.dataset.status = edit.status;
      this.state.replaceChildren(icon(label.icon), label.word);
    }
    const { path } = edit;
    setText(this.file, path);
    this.file.title = hasProposal(edit) ? t("Show proposed changes to {path}", { path }) : t("Open {path}", { path });
    setText(this.action, editAction(edit));
    this.counts.hidden = edit.addedLines === 0 && edit.removedLines === 0;
    setText(this.added, `+${edit.addedLines}`);
    setText(this.removed, `−${edit.removedLines}`);
    showNote(this.reason, reasonText(edit, t), "info");
    showNote(this.warning, warningsText(edit.warnings, t), "warning");
    const name = t("Edit of {path}, {action}: {state}", { path, action: editAction(edit), state: label.word });
    this.element.setAttribute("aria-label", name);
    // A decided card has no diff that could lag.
    this.behind.dataset.path = hasProposal(edit) ? edit.path : "";
    showBehind(this.element, this.context);
    if (edit.status !== "streaming") this.settleCode();
    this.updateButtons();
  }

  push(text: string): void {
    if (this.opening !== null) {
      this.opening += text;
      const newline = this.opening.indexOf("\n");
      if (newline < 0) return;
      const fence = parseFenceOpener(this.opening.slice(0, newline)) ?? { character: "`", length: 3, indent: 0, info: "" };
      const rest = this.opening.slice(newline + 1);
      this.opening = null;
      this.body = new FenceBody(fence, false);
      this.block = new CodeBlock(fence.info, this.context);
      this.code.append(this.block.element);
      this.append(this.body.push(rest).shown);
    } else if (this.body) this.append(this.body.push(text).shown);
  }

  finish(source: string | null): void {
    if (source !== null) {
      this.block?.element.remove();
      this.opening = "";
      this.push(source);
    }
    if (this.body) this.append(this.body.finish());
    this.block?.close();
    this.body = null;
    this.settleCode();
  }

  private append(text: string): void {
    if (text === "" || !this.block) return;
    this.block.append(text);
    if (!this.code.classList.contains("no-code")) return;
    this.code.classList.remove("no-code");
    this.line.removeAttribute("tabindex");
    if (this.edit.status !== "streaming") return;
    this.openedByStream = true;
    this.code.open = true;
    this.code.classList.add("live");
  }

  /** Folds the complete code, unless the user opened it. */
  private settleCode(): void {
    this.code.classList.remove("live");
    if (this.openedByStream) this.code.open = false;
    this.openedByStream = false;
  }

  private openFile(): void {
    const { path, target } = this.edit;
    if (hasProposal(this.edit)) this.context.post({ type: "show-proposal", path });
    else this.context.post({ type: "open-file", path, line: editLine(target) });
  }

  private updateButtons(): void {
    const { status, undecided } = this.edit;
    const kind = status === "pending" && this.role === "decide" ? "decide" : undecided ? "conflict" : status === "held" ? status : "";
    if (kind === this.shownButtons) return;
    this.shownButtons = kind;
    const hadFocus = this.buttons.contains(document.activeElement);
    this.buttons.hidden = kind === "";
    this.buttons.replaceChildren(...this.buttonsFor(kind));
    if (hadFocus) this.file.focus();
  }

  private buttonsFor(kind: "decide" | "conflict" | "held" | ""): readonly HTMLElement[] {
    if (kind === "") return [];
    const { path, blockId } = this.edit;
    if (kind === "held") {
      const description = t("Show anyway: {action}, {path}", { action: editAction(this.edit), path });
      return [this.button(t("Show anyway"), description, { type: "propose-anyway", turnId: this.turnId, blockId })];
    }
    const show = this.button(t("Show diff"), t("Show diff of {path}", { path }), { type: "show-proposal", path });
    if (kind === "conflict") return [show];
    const accept = this.button(t("Accept file"), t("Accept file {path}", { path }), { type: "accept-file", path }, "primary");
    const reject = this.button(t("Reject file"), t("Reject file {path}", { path }), { type: "reject-file", path });
    return [accept, reject, show];
  }

  private button(
    label: string,
    description: string,
    message: PanelMessage,
    appearance: "primary" | "secondary" = "secondary",
  ): HTMLElement {
    return button({ label, description, appearance, onClick: () => this.context.post(message) });
  }
}

/** Shows on the cards inside `root` which diffs lag behind. */
export function showBehind(root: ParentNode, context: Pick<PanelContext, "isBehind">): void {
  for (const note of root.querySelectorAll<HTMLElement>(".card-behind")) note.hidden = !context.isBehind(note.dataset.path ?? "");
}

function showNote(element: HTMLElement, text: string | null, image: "info" | "warning"): void {
  element.hidden = text === null;
  if (text !== null && element.dataset.text !== text) {
    element.dataset.text = text;
    element.replaceChildren(icon(image), h("span", {}, text));
  }
}
