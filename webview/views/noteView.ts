import { button } from "../controls.ts";
import { h } from "../dom.ts";
import { icon } from "../icons.ts";
import type { PanelContext } from "../panelContext.ts";

const images = { info: "info", warning: "warning", error: "stopped" } as const;
const words = { info: "Note", warning: "Warning", error: "Error" } as const;

/** A sentence for the user between the parts of an answer; several lines stay lines. `remedy` is what he can do about it. */
export function noteView(level: keyof typeof images, text: string, remedy: HTMLElement | null = null): HTMLElement {
  const label = h("span", { class: "hidden-word" }, `${words[level]}: `);
  return h("div", { class: `note note-${level}` }, icon(images[level]), h("div", { class: "note-text" }, h("p", {}, label, text), remedy));
}

/** What the model was told, folded away under a heading. */
export function foldedView(heading: string, text: string): HTMLElement {
  const summary = h("summary", {}, icon("chevron"), icon("report"), h("span", {}, heading));
  return h("details", { class: "report" }, summary, h("pre", { attributes: { tabindex: "0", "aria-label": heading } }, text));
}

/** Starts edit mode on the active editor's file, for models that take no tools. */
export function startEditModeButton(context: PanelContext): HTMLElement {
  return button({ label: "Start Edit Mode on File", icon: "diff", onClick: () => context.post({ type: "start-edit-mode" }) });
}
