import type { PendingFile } from "../../src/protocol/messages.ts";
import { FileLabel, LineCounts } from "../cards/fileLabel.ts";
import { button, rowButton } from "../controls.ts";
import { h, icon, setText } from "../dom.ts";
import { t } from "../l10n.ts";
import { conflictCount, fileCount, pendingFacts } from "../messages.ts";
import type { PanelContext } from "../panelContext.ts";
import { RovingFocus, STOP } from "../rovingFocus.ts";

/** What is pending in the workspace, whatever turn proposed it: totals and decisions on all of it, unfolding to the files. */
export class ReviewBar {
  readonly element = h("div", { class: "review-bar", hidden: true, attributes: { role: "group", "aria-label": t("Proposed changes") } });
  private readonly context: PanelContext;
  private readonly emptied: () => void;
  private readonly files = h("span", { class: "review-files" });
  private readonly counts = new LineCounts();
  private readonly conflicts = h("span", { class: "review-conflicts" });
  private readonly toggle: HTMLElement;
  private readonly list = h("ul", { class: "review-list", hidden: true, attributes: { id: "review-list" } });
  private readonly roving = new RovingFocus(this.list);
  private readonly rows = new Map<string, FileRow>();

  /** `emptied` takes the focus when the last file with the focus is decided. */
  constructor(context: PanelContext, emptied: () => void) {
    this.context = context;
    this.emptied = emptied;
    const attributes = { type: "button", "aria-expanded": "false", "aria-controls": "review-list" };
    this.toggle = h("button", { class: "review-toggle", attributes, onClick: () => this.unfold(this.list.hasAttribute("hidden")) });
    this.toggle.append(icon("chevron"), h("span", { class: "review-sum" }, this.files, " ", this.counts.element, " ", this.conflicts));
    const review = button({
      label: t("Review"),
      description: t("Review proposed changes"),
      appearance: "primary",
      onClick: () => context.post({ type: "show-proposal", path: null }),
    });
    const accept = button({
      label: t("Accept all"),
      description: t("Accept all, except conflicts and changes with a warning"),
      onClick: () => context.post({ type: "accept-all" }),
    });
    const reject = button({ label: t("Reject all"), onClick: () => context.post({ type: "reject-all" }) });
    this.element.append(h("div", { class: "review-head" }, this.toggle, h("div", { class: "buttons" }, review, accept, reject)), this.list);
  }

  /** Shows what is pending now. */
  update(pending: readonly PendingFile[]): void {
    const hadFocus = this.element.contains(document.activeElement);
    const paths = new Set(pending.map(({ path }) => path));
    const gone = [...this.rows].filter(([path]) => !paths.has(path));
    const next = gone.find(([, row]) => row.element.contains(document.activeElement))?.[1].element.nextElementSibling ?? this.list;
    for (const [path, row] of gone) {
      row.element.remove();
      this.rows.delete(path);
    }
    for (const file of pending) this.show(file);
    this.element.hidden = pending.length === 0;
    setText(this.files, fileCount(pending.length));
    const sum = (of: (file: PendingFile) => number) => pending.reduce((total, file) => total + of(file), 0);
    this.counts.update(
      sum(({ added }) => added),
      sum(({ removed }) => removed),
    );
    const conflicts = sum((file) => file.conflicts);
    this.conflicts.hidden = conflicts === 0;
    setText(this.conflicts, conflictCount(conflicts));
    this.roving.refresh();
    if (pending.length === 0) this.unfold(false);
    if (!hadFocus || this.element.contains(document.activeElement)) return;
    if (pending.length === 0) this.emptied();
    else if (!this.roving.focusFrom(next, '[data-decides="accept"]')) this.toggle.focus();
  }

  private show(file: PendingFile): void {
    const known = this.rows.get(file.path);
    const row = known ?? new FileRow(file.path, this.context);
    row.update(file);
    if (known) return;
    this.rows.set(file.path, row);
    this.list.append(row.element);
  }

  private unfold(open: boolean): void {
    this.list.hidden = !open;
    this.toggle.setAttribute("aria-expanded", String(open));
    this.roving.refresh();
  }
}

/** One file in the list. */
class FileRow {
  readonly element = h("li", { class: "review-file" });
  private readonly path: string;
  private readonly label: FileLabel;
  private readonly counts = new LineCounts();
  private readonly facts = h("span", { class: "review-facts" });
  private readonly buttons: HTMLElement;

  constructor(path: string, { post }: PanelContext) {
    this.path = path;
    this.label = new FileLabel(() => post({ type: "show-proposal", path }));
    this.label.element.setAttribute(STOP, "");
    this.label.element.setAttribute("tabindex", "-1");
    this.buttons = h(
      "span",
      { class: "block-buttons" },
      rowButton(t("Accept file {path}", { path }), "check", "accept", () => post({ type: "accept-file", path })),
      rowButton(t("Reject file {path}", { path }), "cross", "reject", () => post({ type: "reject-file", path })),
    );
    this.element.append(this.label.element, " ", h("span", { class: "review-what" }, this.counts.element, " ", this.facts), this.buttons);
  }

  update(file: PendingFile): void {
    this.label.update(this.path, t("Show proposed changes to {path}", { path: this.path }));
    this.counts.update(file.added, file.removed);
    setText(this.facts, pendingFacts(file));
    this.buttons.hidden = file.streaming;
  }
}
