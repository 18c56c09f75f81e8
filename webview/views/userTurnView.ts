import type { UserTurn } from "../../src/turns/turn.ts";
import { h } from "../dom.ts";
import { icon } from "../icons.ts";

/** What the user said while an answer was under way. */
export function userMessageView(text: string): HTMLElement {
  return h("div", { class: "user-text", attributes: { role: "note", "aria-label": "You" } }, h("div", { class: "user-words" }, text));
}

/** What the user asked, as he wrote it, with the file the model was told about. */
export function userTurnView(turn: UserTurn): HTMLElement {
  const place =
    turn.editFile === null ? null : h("div", { class: "user-place" }, icon("diff"), h("span", {}, `Edit mode on ${turn.editFile}`));
  const active = turn.activeFile === null || turn.editFile !== null ? null : `Active file: ${turn.activeFile}`;
  const words = h("div", { class: "user-words" }, turn.text);
  return h("div", { class: "user-text" }, place, words, active === null ? null : h("div", { class: "user-place" }, active));
}
