import type { EditBlock } from "../../src/turns/editBlock.ts";
import { fileCount } from "../../src/turns/messages.ts";
import type { ToolCallState } from "../../src/turns/turn.ts";
import { button } from "../controls.ts";
import { h, icon, setText } from "../dom.ts";
import { t } from "../l10n.ts";
import type { PanelContext } from "../panelContext.ts";
import { LineCounts } from "./fileLabel.ts";
import { countEdit, fileState, noEdits } from "./fileTotals.ts";
import { toolSummary } from "./toolSummary.ts";

/** From so many files on their cards are folded at first. */
const FOLDED_FROM = 4;

/** The files that a command changed: one decision for all of them, and their cards. */
export class CommandChanges {
  readonly element = h("div", { class: "command-changes" });
  /** Holds the cards of the files. */
  readonly cards = h("div", { class: "command-cards" });
  private readonly context: PanelContext;
  private readonly turnId: string;
  private readonly callId: string;
  private readonly command: string;
  private readonly files = new Set<string>();
  private readonly blocks = new Map<string, EditBlock>();
  private readonly words = h("span", { class: "command-words" });
  private readonly counts = new LineCounts();
  private readonly state = h("span", { class: "state" });
  private readonly toggle: HTMLElement;
  private readonly buttons: HTMLElement;
  private readonly head: HTMLElement;
  private totals = noEdits;
  private wasToggled = false;

  constructor(turnId: string, call: ToolCallState, context: PanelContext) {
    this.context = context;
    this.turnId = turnId;
    this.callId = call.callId;
    this.command = toolSummary(call.input);
    this.toggle = h("button", {
      class: "command-toggle",
      attributes: { type: "button", "aria-expanded": "true" },
      onClick: () => {
        this.wasToggled = true;
        this.unfold(this.cards.hasAttribute("hidden"));
      },
    });
    this.toggle.append(
      ...[icon("chevron"), this.words, " ", this.counts.element],
      // The row above shows it.
      h("span", { class: "hidden-word" }, ` · ${this.command}`),
    );
    const facts = { command: this.command };
    this.buttons = h(
      "div",
      { class: "buttons" },
      this.button("accept-call", t("Accept"), t("Accept what {command} changed", facts)),
      this.button("reject-call", t("Reject"), t("Reject what {command} changed", facts)),
    );
    this.head = h(
      "div",
      { class: "command-head", hidden: true },
      this.toggle,
      " ",
      this.state,
      this.buttons,
    );
    this.element.append(this.head, this.cards);
  }

  /** Counts a block as it is now. */
  update(edit: EditBlock): void {
    this.totals = countEdit(this.totals, this.blocks.get(edit.blockId) ?? null, edit);
    this.blocks.set(edit.blockId, edit);
    this.files.add(edit.path);
    // One file's card says it all.
    this.head.hidden = this.files.size < 2;
    setText(this.words, fileCount(t, this.files.size));
    this.counts.update(this.totals.added, this.totals.removed);
    const label = fileState(this.totals);
    this.element.dataset.tone = label.tone;
    const shown = `${label.icon} ${label.word}`;
    if (this.state.dataset.shown !== shown) {
      this.state.dataset.shown = shown;
      this.state.replaceChildren(icon(label.icon), label.word);
    }
    const isOpen = this.totals.statuses.has("pending");
    if (!isOpen && this.buttons.contains(document.activeElement)) this.toggle.focus();
    this.buttons.hidden = !isOpen;
    if (!this.wasToggled) this.unfold(this.files.size < FOLDED_FROM);
  }

  private unfold(open: boolean): void {
    this.cards.hidden = !open;
    this.toggle.setAttribute("aria-expanded", String(open));
  }

  private button(
    type: "accept-call" | "reject-call",
    label: string,
    description: string,
  ): HTMLElement {
    const { turnId, callId } = this;
    return button({
      label,
      description,
      onClick: () => this.context.post({ type, turnId, callId }),
    });
  }
}
