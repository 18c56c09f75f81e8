import type { UserTurn } from "../../src/turns/turn.ts";
import { h } from "../dom.ts";
import { icon } from "../icons.ts";

/** What the user asked, as he wrote it. */
export function userTurnView(turn: UserTurn): HTMLElement {
  const place =
    turn.editFile === null ? null : h("div", { class: "user-place" }, icon("diff"), h("span", {}, `Edit mode on ${turn.editFile}`));
  return h("div", { class: "user-text" }, place, h("div", { class: "user-words" }, turn.text));
}
