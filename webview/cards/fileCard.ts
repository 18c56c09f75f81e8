import type { PanelAction } from "../../src/protocol/messages.ts";
import type { EditBlock } from "../../src/turns/editBlock.ts";
import { button } from "../controls.ts";
import { h, icon } from "../dom.ts";
import { t } from "../l10n.ts";
import type { PanelContext } from "../panelContext.ts";
import { RovingFocus } from "../rovingFocus.ts";
import { BlockRow } from "./blockRow.ts";
import { operationOf, type ShownOperation, shownStatus, wasApplied } from "./editState.ts";
import { FileLabel, LineCounts } from "./fileLabel.ts";
import {
  acceptedCount,
  countEdit,
  fileState,
  hasProposal,
  noEdits,
  statesText,
} from "./fileTotals.ts";

/**
 * The edits of one file in one turn: the file's name, what became of them and the decision, then a
 * row for each block.
 */
export class FileCard {
  readonly element = h("section", { class: "card", attributes: { role: "group" } });
  private readonly context: PanelContext;
  private readonly turnId: string;
  private readonly file = new FileLabel(() => this.openFile());
  private readonly counts = new LineCounts();
  private readonly state = h("span", { class: "state" });
  private readonly restore: HTMLElement;
  private readonly buttons = h("div", { class: "buttons", hidden: true });
  private readonly behind = h(
    "p",
    { class: "card-behind", hidden: true },
    icon("spinner"),
    h("span", {}, t("The diff is catching up…")),
  );
  private readonly protection = h(
    "p",
    { class: "card-protected", hidden: true },
    icon("warning"),
    h(
      "span",
      {},
      t(
        "Protected: an editor, a hook or a build acts on this file. It is never accepted with the rest.",
      ),
    ),
  );
  private readonly list = h("ul", { class: "blocks" });
  private readonly roving = new RovingFocus(this.list);
  private readonly rows = new Map<string, BlockRow>();
  private totals = noEdits;
  private latest: EditBlock;
  /** What becomes of the whole file, unless that was rejected. */
  private operation: ShownOperation | undefined;
  private ended = false;
  private shownButtons = "";

  constructor(edit: EditBlock, turnId: string, context: PanelContext) {
    this.latest = edit;
    this.turnId = turnId;
    this.context = context;
    this.restore = button({
      label: t("Undo this turn's changes to {path}", { path: edit.path }),
      icon: "restore",
      appearance: "icon",
      onClick: () => context.post({ type: "restore-files", turnId, path: this.latest.path }),
    });
    const facts = h("span", { class: "card-facts" }, this.counts.element, " ", this.state);
    const end = h("span", { class: "card-end" }, facts, this.restore);
    this.element.append(
      h("div", { class: "card-head" }, this.file.element, " ", end, this.buttons),
      this.protection,
      this.behind,
      this.list,
    );
  }

  /** Shows a block as it is now; its row is added when it is new. */
  update(edit: EditBlock): void {
    const row = this.rows.get(edit.blockId);
    this.totals = countEdit(this.totals, row?.latest ?? null, edit);
    this.latest = edit;
    this.operation = this.operationAfter(edit);
    const hadFocus = row?.focused ?? false;
    if (row) row.update(edit);
    else this.addRow(edit);
    this.updateHead();
    // The next decision, so that one key decides on block after block.
    if (
      row &&
      hadFocus &&
      !row.focused &&
      !this.roving.focusFrom(row.element, '[data-decides="accept"]')
    )
      this.focusNext();
  }

  /** What becomes of the whole file; of a mode a row tells, where the text changes, too. */
  private operationAfter(edit: EditBlock): ShownOperation | undefined {
    const known = this.operation?.executable === undefined ? this.operation : undefined;
    const operation = operationOf(edit);
    if (operation === null) return known;
    const isAlone = this.rows.size === 0 || this.rows.has(edit.blockId);
    if (operation.executable !== undefined && !(isAlone && this.rows.size < 2)) return known;
    return edit.status === "rejected" ? undefined : operation;
  }

  /** Where a block's source goes. */
  sink(blockId: string): BlockRow | null {
    return this.rows.get(blockId) ?? null;
  }

  /** The turn is over: its changes can be undone. */
  end(): void {
    if (this.ended) return;
    this.ended = true;
    this.updateHead();
  }

  private addRow(edit: EditBlock): void {
    const row = new BlockRow(edit, this.turnId, this.context, () => this.roving.refresh());
    this.rows.set(edit.blockId, row);
    this.list.append(row.element);
    if (this.rows.size === 2) for (const each of this.rows.values()) each.alone = false;
    if (this.rows.size > 2) row.alone = false;
    this.roving.refresh();
  }

  private updateHead(): void {
    const { totals } = this;
    const { path } = this.latest;
    const isProposed = hasProposal(totals);
    const { operation } = this;
    const showsDiff = isProposed && !operation;
    this.file.update(
      path,
      showsDiff ? t("Show proposed changes to {path}", { path }) : t("Open {path}", { path }),
      operation,
    );
    this.element.classList.toggle("whole", operation !== undefined);
    this.counts.update(totals.added, totals.removed);
    const label = fileState(totals);
    this.element.dataset.tone = label.tone;
    const shown = `${label.icon} ${label.word}`;
    if (this.state.dataset.shown !== shown) {
      this.state.dataset.shown = shown;
      this.state.replaceChildren(icon(label.icon), h("span", { class: "state-word" }, label.word));
      this.state.title = label.word;
    }
    this.element.setAttribute(
      "aria-label",
      t("Edits of {path}: {state}", { path, state: statesText(totals) }),
    );
    this.restore.hidden = !this.ended || acceptedCount(totals) === 0;
    // A decided file has no diff that could lag.
    this.behind.dataset.path = isProposed ? path : "";
    this.behind.hidden = !isProposed || !this.context.isBehind(path);
    this.protection.dataset.path = this.behind.dataset.path;
    this.protection.hidden = !isProposed || !this.context.isProtected(path);
    this.updateButtons();
  }

  private updateButtons(): void {
    const kind = this.totals.statuses.has("pending") ? "decide" : "";
    if (kind === this.shownButtons) return;
    this.shownButtons = kind;
    const hadFocus = this.buttons.contains(document.activeElement);
    this.buttons.hidden = kind === "";
    this.buttons.replaceChildren(...this.buttonsFor(kind));
    if (hadFocus) this.focusNext();
  }

  /** To the next decision below in the chat, else the last one above, else to the file's name. */
  private focusNext(): void {
    const decisions = document.querySelectorAll<HTMLElement>(
      '.card [data-decides="accept"], .block > .buttons vscode-button:first-child',
    );
    const open = [...decisions].filter((each) => each.closest("[hidden]") === null);
    const isBelow = (each: HTMLElement) =>
      (this.buttons.compareDocumentPosition(each) & Node.DOCUMENT_POSITION_FOLLOWING) !== 0;
    (open.find(isBelow) ?? open.at(-1) ?? this.file.element).focus();
  }

  private buttonsFor(kind: "decide" | ""): readonly HTMLElement[] {
    if (kind === "") return [];
    const { path } = this.latest;
    const { turnId } = this;
    const show = this.button(t("Show diff"), t("Show diff of {path}", { path }), {
      type: "show-proposal",
      path,
    });
    const accept = this.button(t("Accept"), t("Accept changes to {path}", { path }), {
      type: "accept-file",
      path,
      turnId,
    });
    const reject = this.button(t("Reject"), t("Reject changes to {path}", { path }), {
      type: "reject-file",
      path,
      turnId,
    });
    accept.dataset.decides = "accept";
    return this.operation ? [accept, reject] : [accept, reject, show];
  }

  private button(label: string, description: string, message: PanelAction): HTMLElement {
    return button({ label, description, onClick: () => this.context.post(message) });
  }

  private openFile(): void {
    const [first] = this.rows.values();
    const { op, target } = this.latest;
    const path =
      op === "rename" && wasApplied(shownStatus(this.latest)) ? target : this.latest.path;
    if (hasProposal(this.totals)) this.context.post({ type: "show-proposal", path });
    else this.context.post({ type: "open-file", path, line: first?.latest.line ?? null });
  }
}

/** Shows on the cards inside `root` which diffs lag behind, and which files are protected. */
export function showBehind(
  root: ParentNode,
  context: Pick<PanelContext, "isBehind" | "isProtected">,
): void {
  for (const note of root.querySelectorAll<HTMLElement>(".card-protected"))
    note.hidden = !context.isProtected(note.dataset.path ?? "");
  for (const note of root.querySelectorAll<HTMLElement>(".card-behind"))
    note.hidden = !context.isBehind(note.dataset.path ?? "");
}
