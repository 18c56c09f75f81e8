import type { PanelStatus, PendingFile } from "../../src/protocol/messages.ts";
import { fileCount } from "../../src/turns/messages.ts";
import { FileLabel, LineCounts } from "../cards/fileLabel.ts";
import { button, rowButton } from "../controls.ts";
import { h, icon, setText } from "../dom.ts";
import { t } from "../l10n.ts";
import { conflictCount, pendingFacts } from "../messages.ts";
import type { PanelContext } from "../panelContext.ts";
import { operationsText, unkeptText } from "../proposalMessages.ts";
import { RovingFocus, STOP } from "../rovingFocus.ts";
import { CheckView } from "./checkView.ts";
import { ShareRows } from "./shareRows.ts";
import { sharesOf, sharesText } from "./shares.ts";

/**
 * Everything to review in the workspace, from any turn. Shows totals and decisions on all of it,
 * and expands to a file list.
 */
export class ReviewBar {
  readonly element = h("div", {
    class: "review-bar",
    hidden: true,
    attributes: { role: "group", "aria-label": t("Changes to review") },
  });
  private readonly context: PanelContext;
  private readonly emptied: () => void;
  private readonly files = h("span", { class: "review-files" });
  private readonly counts = new LineCounts();
  private readonly operations = h("span", { class: "review-operations" });
  private readonly conflicts = h("span", { class: "review-conflicts" });
  private readonly others = h("span", { class: "review-others" });
  private readonly unkept = h("p", {
    class: "review-unkept",
    hidden: true,
    attributes: { role: "status" },
  });
  private readonly toggle: HTMLElement;
  private readonly chooseCheck = h("div", { class: "buttons" });
  private readonly buttons = h("div", { class: "buttons" });
  private readonly list = h("ul", {
    class: "review-list",
    hidden: true,
    attributes: { id: "review-list" },
  });
  private readonly roving = new RovingFocus(this.list);
  private readonly shares: ShareRows;
  private readonly rows = new Map<string, FileRow>();
  private readonly checkView: CheckView;
  private check: PanelStatus["check"];
  private pending: readonly PendingFile[] = [];
  private shownButtons = "";

  /** `emptied` takes over the focus if the last file is decided while focused. */
  constructor(context: PanelContext, emptied: () => void) {
    this.context = context;
    this.emptied = emptied;
    this.shares = new ShareRows(context, this.list);
    const attributes = { type: "button", "aria-expanded": "false", "aria-controls": "review-list" };
    this.toggle = h("button", {
      class: "review-toggle",
      attributes,
      onClick: () => this.unfold(this.list.hasAttribute("hidden")),
    });
    this.toggle.append(
      icon("chevron"),
      h(
        "span",
        { class: "review-sum" },
        this.files,
        " ",
        this.counts.element,
        " ",
        this.operations,
        " ",
        this.conflicts,
        " ",
        this.others,
      ),
    );
    this.checkView = new CheckView(context);
    this.chooseCheck.append(
      button({
        label: t("Choose a check…"),
        description: t("Choose a check…: a command that runs on the proposals after each answer"),
        onClick: () => context.post({ type: "check", action: "choose" }),
      }),
    );
    this.element.append(
      h("div", { class: "review-head" }, this.toggle, this.chooseCheck, this.buttons),
      this.unkept,
      this.checkView.element,
      this.list,
    );
  }

  /** Shows the current files to review, and what the check says of them. */
  update(pending: readonly PendingFile[], check: PanelStatus["check"]): void {
    this.pending = pending;
    this.check = check;
    const hadFocus = this.element.contains(document.activeElement);
    const next = this.updateRows();
    this.element.hidden = pending.length === 0;
    setText(this.files, fileCount(t, new Set(pending.map(({ path }) => path)).size));
    const sum = (of: (file: PendingFile) => number) =>
      pending.reduce((total, file) => total + of(file), 0);
    this.counts.update(
      sum(({ added }) => added),
      sum(({ removed }) => removed),
    );
    const operations = operationsText(pending);
    this.operations.hidden = operations === "";
    setText(this.operations, operations);
    const conflicts = sum((file) => file.conflicts);
    this.conflicts.hidden = conflicts === 0;
    setText(this.conflicts, conflictCount(conflicts));
    const shares = sharesOf(pending);
    const byChat = sharesText(shares);
    this.others.hidden = byChat === "";
    setText(this.others, byChat);
    this.shares.update(shares);
    const unkept = unkeptText(pending);
    this.unkept.hidden = unkept === "";
    setText(this.unkept, unkept);
    this.updateButtons();
    this.roving.refresh();
    if (pending.length === 0) this.unfold(false);
    this.updateCheck();
    if (!hadFocus || this.element.contains(document.activeElement)) return;
    if (pending.length === 0) this.emptied();
    else if (!this.roving.focusFrom(next, '[data-decides="accept"]')) this.toggle.focus();
  }

  /** Updates the rows. Returns the row after a removed one that had the focus, or the list. */
  private updateRows(): Element {
    const keys = new Set(this.pending.map(fileKey));
    const gone = [...this.rows].filter(([key]) => !keys.has(key));
    const focused = gone.find(([, row]) => row.element.contains(document.activeElement))?.[1];
    const next = focused?.element.nextElementSibling ?? this.list;
    for (const [key, row] of gone) {
      row.element.remove();
      this.rows.delete(key);
    }
    for (const file of this.pending) {
      const known = this.rows.get(fileKey(file));
      const row = known ?? new FileRow(file, this.context);
      row.update(file);
      if (known) continue;
      this.rows.set(fileKey(file), row);
      this.list.append(row.element);
    }
    return next;
  }

  private updateButtons(): void {
    const elsewhere = this.pending.some((file) => file.elsewhere);
    this.chooseCheck.hidden = !(
      this.check?.command === null && this.pending.some((file) => !file.elsewhere)
    );
    const kind = this.pending.length === 0 ? "" : elsewhere ? "elsewhere" : "here";
    if (kind === this.shownButtons) return;
    this.shownButtons = kind;
    const { post } = this.context;
    this.buttons.replaceChildren(
      button({
        label: elsewhere ? t("Take over") : t("Review"),
        description: elsewhere
          ? t("Open in another window. Take over to review the changes here")
          : t("Review changes"),
        appearance: "primary",
        onClick: () => post({ type: "show-proposal", path: null }),
      }),
      button({
        label: t("Accept all"),
        description: t("Accept all, except conflicts, changes with a warning and protected files"),
        onClick: () => post({ type: "accept-all" }),
      }),
      button({ label: t("Reject all"), onClick: () => post({ type: "reject-all" }) }),
    );
  }

  private unfold(open: boolean): void {
    this.list.hidden = !open;
    this.toggle.setAttribute("aria-expanded", String(open));
    this.roving.refresh();
  }

  private updateCheck(): void {
    const isProposed = this.pending.some(({ elsewhere }) => !elsewhere);
    this.checkView.update(isProposed ? this.check : undefined);
  }
}

/** A file's text and the whole file are decided on apart. */
function fileKey({ path, operation }: PendingFile): string {
  return `${operation !== undefined} ${path}`;
}

class FileRow {
  readonly element = h("li", { class: "review-file" });
  private readonly label: FileLabel;
  private readonly counts = new LineCounts();
  private readonly facts = h("span", { class: "review-facts" });
  private readonly accept: HTMLElement;
  private readonly reject: HTMLElement;

  constructor({ path, operation }: PendingFile, { post }: PanelContext) {
    const decide = (type: "accept" | "reject") => {
      const block = operation?.block;
      if (!block) post({ type: `${type}-file`, path });
      else if (type === "accept") post({ type: "accept-block", ...block, overwrite: false });
      else post({ type: "reject-block", ...block });
    };
    this.label = new FileLabel(() => post({ type: "show-proposal", path }));
    this.label.element.setAttribute(STOP, "");
    this.label.element.setAttribute("tabindex", "-1");
    this.accept = rowButton(t("Accept file {path}", { path }), "check", "accept", () =>
      decide("accept"),
    );
    this.reject = rowButton(t("Reject file {path}", { path }), "cross", "reject", () =>
      decide("reject"),
    );
    const buttons = h("span", { class: "block-buttons" }, this.accept, this.reject);
    this.element.append(
      this.label.element,
      " ",
      h("span", { class: "review-what" }, this.counts.element, " ", this.facts),
      buttons,
    );
  }

  update(file: PendingFile): void {
    const { path, streaming, hunks, conflicts, operation } = file;
    const open = operation
      ? t("Open {path}", { path })
      : t("Show proposed changes to {path}", { path });
    this.label.update(path, open, operation);
    this.counts.update(file.added, file.removed);
    setText(this.facts, pendingFacts(file));
    // If all hunks are conflicts, there is nothing to accept.
    this.accept.hidden = streaming || (!operation && hunks === conflicts);
    this.reject.hidden = streaming;
  }
}
