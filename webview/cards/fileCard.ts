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
 * The edits of one file in one turn: the file's name and what became of them, then a row for each
 * block. The bar below the chat decides on them.
 */
export class FileCard {
  readonly element = h("section", { class: "card", attributes: { role: "group" } });
  private readonly context: PanelContext;
  private readonly turnId: string;
  private readonly file = new FileLabel(() => this.openFile());
  private readonly counts = new LineCounts();
  private readonly state = h("span", { class: "state" });
  private readonly restore: HTMLElement;
  private readonly buttons: HTMLElement;
  /** What the user can do about a state. */
  private readonly offers: Readonly<Record<"unsaved" | "undone", HTMLElement>>;
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
    const save = button({
      label: t("Save"),
      description: t("Save {path}", { path: edit.path }),
      onClick: () => context.post({ type: "save-file", path: this.latest.path }),
    });
    const redo = button({
      label: t("Redo"),
      description: t("Redo this turn's changes to {path}", { path: edit.path }),
      onClick: () => context.post({ type: "redo-file", turnId, path: this.latest.path }),
    });
    this.offers = { unsaved: save, undone: redo };
    this.buttons = h("div", { class: "buttons", hidden: true });
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
    // Its button is gone.
    if (row && hadFocus && !row.focused && !this.roving.focusFrom(row.element, "vscode-button"))
      this.file.element.focus();
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
    const { statuses } = this.totals;
    const isUnsaved = statuses.has("unsaved") || statuses.has("undone-unsaved");
    const wasUndone = statuses.has("undone") || statuses.has("undone-unsaved");
    const isUndone = wasUndone && acceptedCount(this.totals) === 0;
    const offers = [
      ...(isUnsaved ? [this.offers.unsaved] : []),
      ...(isUndone ? [this.offers.undone] : []),
    ];
    const { children } = this.buttons;
    if (children.length === offers.length && offers.every((each, at) => children[at] === each))
      return;
    const focused = document.activeElement;
    const hadFocus = this.buttons.contains(focused);
    this.buttons.hidden = offers.length === 0;
    this.buttons.replaceChildren(...offers);
    const kept = offers.find((each) => each === focused);
    if (hadFocus) (kept ?? this.file.element).focus();
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
