import { h } from "../dom.ts";
import { icon } from "../icons.ts";

const images = { info: "info", warning: "warning", error: "stopped" } as const;
const words = { info: "Note", warning: "Warning", error: "Error" } as const;

/** A sentence for the user between the parts of an answer; several lines stay lines. */
export function noteView(level: "info" | "warning" | "error", text: string): HTMLElement {
  const label = h("span", { class: "hidden-word" }, `${words[level]}: `);
  return h("div", { class: `note note-${level}` }, icon(images[level]), h("p", {}, label, text));
}

/** What the model was told, folded away under a heading. */
export function foldedView(heading: string, text: string): HTMLElement {
  const summary = h("summary", {}, icon("chevron"), icon("report"), h("span", {}, heading));
  return h("details", { class: "report" }, summary, h("pre", { attributes: { tabindex: "0", "aria-label": heading } }, text));
}
