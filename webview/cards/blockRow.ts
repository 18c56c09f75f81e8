import { parseFenceOpener, parseListedOpener } from "../../src/base/text/fenceOpener.ts";
import { warningsText } from "../../src/turns/blockMessages.ts";
import type { EditBlock } from "../../src/turns/editBlock.ts";
import { button, rowButton } from "../controls.ts";
import { h, icon, setText } from "../dom.ts";
import { t } from "../l10n.ts";
import { CodeBlock } from "../markdown/codeBlock.ts";
import { codedText } from "../markdown/codedText.ts";
import { FenceBody } from "../markdown/fenceBody.ts";
import type { CardSink } from "../markdown/stepSegments.ts";
import type { PanelContext } from "../panelContext.ts";
import { STOP } from "../rovingFocus.ts";
import { canComeBack, isUndecided, operationOf, shownStatus, stateLabels } from "./editState.ts";
import { LineCounts } from "./fileLabel.ts";
import { decisionNote, editAction, editName } from "./messages.ts";

/**
 * An edit block as a row of its file's card: place, counts, state, and the new code, which streams
 * in.
 */
export class BlockRow implements CardSink {
  readonly element = h("li", { class: "block" });
  private readonly context: PanelContext;
  private readonly turnId: string;
  private readonly stopsChanged: () => void;
  private readonly name = h("span", { class: "block-name" });
  private readonly counts = new LineCounts();
  private readonly state = h("span", { class: "state" });
  private readonly reason = h("p", { class: "card-reason", hidden: true });
  private readonly warning = h("p", { class: "card-warning", hidden: true });
  private readonly buttons = h("span", { class: "block-buttons", hidden: true });
  private readonly choices = h("div", { class: "buttons", hidden: true });
  private readonly code = h("details", { class: "card-code no-code" });
  /** Out of the tab order until there is code to unfold. */
  private readonly line = h("summary", { attributes: { tabindex: "-1", [STOP]: "none" } });
  private edit: EditBlock;
  private opening: string | null = "";
  private body: FenceBody | null = null;
  private block: CodeBlock | null = null;
  private openedByStream = false;

  /** `stopsChanged` is called when other controls can be focused. */
  constructor(edit: EditBlock, turnId: string, context: PanelContext, stopsChanged: () => void) {
    this.edit = edit;
    this.stopsChanged = stopsChanged;
    this.turnId = turnId;
    this.context = context;
    this.line.append(icon("chevron"), this.name, " ", this.counts.element, " ", this.state);
    this.line.addEventListener("click", (event) => {
      if (!this.block) event.preventDefault();
    });
    this.code.append(this.line);
    this.element.append(this.code, this.buttons, this.reason, this.warning, this.choices);
    this.update(edit);
  }

  /** True while one of its buttons has the focus. */
  get focused(): boolean {
    return (
      this.buttons.contains(document.activeElement) || this.choices.contains(document.activeElement)
    );
  }

  /** The block as it is shown. */
  get latest(): EditBlock {
    return this.edit;
  }

  update(edit: EditBlock): void {
    this.edit = edit;
    const status = shownStatus(edit);
    const label = stateLabels[status];
    this.element.dataset.tone = label.tone;
    if (this.state.dataset.status !== status) {
      this.state.dataset.status = status;
      this.state.replaceChildren(icon(label.icon), h("span", { class: "state-word" }, label.word));
      this.state.title = label.word;
    }
    setText(this.name, editName(edit));
    this.name.title = editAction(edit);
    this.counts.update(edit.addedLines, edit.removedLines);
    showNote(this.reason, decisionNote(edit), "info");
    showNote(this.warning, warningsText(edit.warnings, t), "warning");
    if (edit.status !== "streaming") this.settleCode();
    this.updateButtons();
  }

  push(text: string): void {
    if (this.opening !== null) {
      this.opening += text;
      const newline = this.opening.indexOf("\n");
      if (newline < 0) return;
      const opener = this.opening.slice(0, newline).replace(/\r$/, "");
      const fence = parseFenceOpener(opener) ??
        parseListedOpener(opener, true) ?? {
          character: "`",
          length: 3,
          indent: 0,
          emphasis: "",
          info: "",
        };
      const rest = this.opening.slice(newline + 1);
      this.opening = null;
      this.body = new FenceBody(fence, false);
      this.block = new CodeBlock(fence.info, this.context, "proposal");
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
    this.line.setAttribute(STOP, "");
    this.stopsChanged();
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

  private updateButtons(): void {
    const { status } = this.edit;
    const kind =
      status === "pending"
        ? "decide"
        : isUndecided(this.edit)
          ? "conflict"
          : status === "held" || canComeBack(this.edit)
            ? status
            : "";
    if (this.element.dataset.asks === kind) return;
    this.element.dataset.asks = kind;
    // VS Code adds commands to the context menu of what can be decided.
    const isWhole = operationOf(this.edit) !== null;
    const { turnId } = this;
    const { blockId } = this.edit;
    const context = { [isWhole ? "graftOperation" : "graftBlock"]: true, turnId, blockId };
    if (kind === "decide" || kind === "conflict")
      this.element.dataset.vscodeContext = JSON.stringify(context);
    else delete this.element.dataset.vscodeContext;
    const { post } = this.context;
    const change = editName(this.edit);
    const ask = () => post({ type: "change-block", turnId, blockId });
    this.buttons.hidden = kind !== "decide" || isWhole;
    this.buttons.replaceChildren(
      ...(this.buttons.hidden
        ? []
        : [rowButton(t("Ask for a change to {change}", { change }), "edit", "change", ask)]),
    );
    this.choices.hidden = !["held", "withdrawn", "conflict"].includes(kind);
    this.choices.replaceChildren(
      ...(kind === "held" || kind === "withdrawn" ? [this.proposeAgain(kind)] : []),
      ...(kind === "conflict" ? this.conflictButtons(change) : []),
    );
    this.stopsChanged();
  }

  private proposeAgain(kind: "held" | "withdrawn"): HTMLElement {
    const { turnId } = this;
    const { blockId, path } = this.edit;
    const facts = { action: editAction(this.edit), path };
    return button({
      label: kind === "held" ? t("Show anyway") : t("Bring back"),
      description:
        kind === "held"
          ? t("Show anyway: {action}, {path}", facts)
          : t("Bring back: {action}, {path}", facts),
      onClick: () => this.context.post({ type: "propose-anyway", turnId, blockId }),
    });
  }

  private conflictButtons(change: string): readonly HTMLElement[] {
    const { turnId } = this;
    const { path, blockId } = this.edit;
    const { post } = this.context;
    const reject = () => post({ type: "reject-block", turnId, blockId });
    const overwrite = () => post({ type: "accept-block", turnId, blockId, overwrite: true });
    if (operationOf(this.edit))
      return [
        button({
          label: t("Reject"),
          description: t("Reject {change}", { change }),
          onClick: reject,
        }),
        button({
          label: t("Delete anyway"),
          description: t("Delete anyway: {path}", { path }),
          onClick: overwrite,
        }),
      ];
    return [
      button({
        label: t("Keep mine"),
        description: t("Keep mine: {change}", { change }),
        onClick: reject,
      }),
      button({
        label: t("Take proposed"),
        description: t("Take proposed: {change}", { change }),
        onClick: overwrite,
      }),
      button({
        label: t("Show both"),
        description: t("Show both: {change}", { change }),
        onClick: () => this.context.post({ type: "show-proposal", path }),
      }),
    ];
  }
}

function showNote(element: HTMLElement, text: string | null, image: "info" | "warning"): void {
  element.hidden = text === null;
  if (text !== null && element.dataset.text !== text) {
    element.dataset.text = text;
    element.replaceChildren(icon(image), h("span", {}, ...codedText(text)));
  }
}
