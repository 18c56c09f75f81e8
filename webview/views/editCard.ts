import { english } from "../../src/base/localize.ts";
import { reasonText, warningsText } from "../../src/turns/blockMessages.ts";
import type { EditBlock } from "../../src/turns/turnEvent.ts";
import { button } from "../controls.ts";
import { h, setText } from "../dom.ts";
import { editAction, editLine, editState, hasProposal } from "../editState.ts";
import { FenceBody, parseFenceOpener } from "../fenceBody.ts";
import { icon } from "../icons.ts";
import type { PanelContext } from "../panelContext.ts";
import type { CardSink } from "../stepSegments.ts";
import { CodeBlock } from "./codeBlock.ts";

/** What a card offers for its whole file, of which it is the last card: to decide on the proposal, to restore the file, or nothing. */
export type CardRole = "decide" | "restore" | null;

/** An edit block as a card: file, place, state, counts, and the new code, which grows while it streams. */
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
  private readonly behind = h("p", { class: "card-behind", hidden: true }, icon("spinner"), h("span", {}, "The diff is catching up…"));
  private readonly buttons = h("div", { class: "buttons", hidden: true });
  private readonly code = h("details", { class: "card-code no-code" });
  /** Not a stop for the keyboard before there is code to unfold. */
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
      label: `Restore ${edit.path} to before this turn`,
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
    setText(this.file, edit.path);
    this.file.title = hasProposal(edit) ? `Show the proposed changes to ${edit.path}` : `Open ${edit.path}`;
    setText(this.action, editAction(edit));
    this.counts.hidden = edit.addedLines === 0 && edit.removedLines === 0;
    setText(this.added, `+${edit.addedLines}`);
    setText(this.removed, `−${edit.removedLines}`);
    showNote(this.reason, reasonText(edit, english), "info");
    showNote(this.warning, warningsText(edit.warnings, english), "warning");
    this.element.setAttribute("aria-label", `Edit of ${edit.path}, ${editAction(edit)}: ${label.word}`);
    // Cards that are settled have no diff that could be behind.
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

  /** Folds the code away once it is complete, unless the user opened it himself. */
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
    const { path, status, undecided } = this.edit;
    const kind = status === "pending" && this.role === "decide" ? "decide" : undecided ? "conflict" : status === "held" ? status : "";
    if (kind === this.shownButtons) return;
    this.shownButtons = kind;
    const { post } = this.context;
    const show = (): HTMLElement =>
      button({ label: "Show diff", description: `Show diff of ${path}`, onClick: () => post({ type: "show-proposal", path }) });
    const accept = (): HTMLElement =>
      button({
        label: "Accept file",
        appearance: "primary",
        description: `Accept file ${path}`,
        onClick: () => post({ type: "accept-file", path }),
      });
    const reject = (): HTMLElement =>
      button({ label: "Reject file", description: `Reject file ${path}`, onClick: () => post({ type: "reject-file", path }) });
    const propose = (): HTMLElement =>
      button({
        label: "Propose it anyway",
        description: `Propose it anyway: ${editAction(this.edit)}, ${path}`,
        onClick: () => post({ type: "propose-anyway", turnId: this.turnId, blockId: this.edit.blockId }),
      });
    const shown = { decide: [accept, reject, show], conflict: [show], held: [propose], "": [] }[kind];
    const hadFocus = this.buttons.contains(document.activeElement);
    this.buttons.hidden = kind === "";
    this.buttons.replaceChildren(...shown.map((make) => make()));
    if (hadFocus) this.file.focus();
  }
}

/** Shows on the cards inside of `root` which diffs are behind. */
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
