import { reportsText } from "../../src/turns/messages.ts";
import { button } from "../controls.ts";
import { h, icon, setText } from "../dom.ts";
import { t } from "../l10n.ts";
import { linkedText } from "../markdown/linkedText.ts";
import type { PanelContext } from "../panelContext.ts";

const images = { info: "info", warning: "warning", error: "stopped" } as const;
const words = { info: t("Note"), warning: t("Warning"), error: t("Error") } as const;

/**
 * A message for the user between the parts of an answer. Line breaks are kept. `remedy` is a button
 * that helps.
 */
export function noteView(
  level: keyof typeof images,
  text: string,
  remedy: HTMLElement | null = null,
): HTMLElement {
  const label = h("span", { class: "hidden-word" }, `${words[level]}: `);
  return h(
    "div",
    { class: `note note-${level}` },
    icon(images[level]),
    h("div", { class: "note-text" }, h("p", {}, label, ...linkedText(text)), remedy),
  );
}

/** Text that only the model sees, folded under a heading. */
export function foldedView(heading: string, text: string): HTMLElement {
  return h(
    "details",
    { class: "report" },
    h("summary", {}, icon("chevron"), icon("report"), h("span", {}, heading)),
    foldedText(heading, text),
  );
}

/** What an answer's steps reported to the model, folded under one heading with their number. */
export class ReportsView {
  readonly element = h("details", { class: "report" });
  private readonly heading = h("span");
  private count = 0;

  constructor() {
    this.element.append(h("summary", {}, icon("chevron"), icon("report"), this.heading));
  }

  /** Adds a report below the others. */
  add(text: string): void {
    this.count++;
    setText(this.heading, reportsText(this.count, t));
    this.element.append(foldedText(reportsText(1, t), text));
  }
}

function foldedText(heading: string, text: string): HTMLElement {
  return h("pre", { attributes: { tabindex: "0", "aria-label": heading } }, text);
}

/** Starts edit mode on the active editor's file, for models without tool calling. */
export function startEditModeButton(context: PanelContext): HTMLElement {
  return button({
    label: t("Start edit mode"),
    icon: "diff",
    onClick: () => context.post({ type: "start-edit-mode" }),
  });
}
