import { siblings } from "../../src/turns/branch.ts";
import type { Turn, TurnTree } from "../../src/turns/turn.ts";
import { button, setDisabled } from "../controls.ts";
import { h } from "../dom.ts";

/** Which neighbour is wanted. */
export type Direction = "previous" | "next";

/** ‹ 2/3 › for a turn that has siblings, null for one that has none; `show` is called with the sibling to switch to. */
export function versionSwitch(tree: TurnTree, turn: Turn, show: (turnId: string, direction: Direction) => void): HTMLElement | null {
  const versions = siblings(tree, turn);
  if (versions.length < 2) return null;
  const at = versions.indexOf(turn.id);
  const what = turn.role === "user" ? "request" : "answer";
  const step = (direction: Direction) => {
    const to = versions[direction === "next" ? at + 1 : at - 1];
    const element = button({
      label: direction === "next" ? `Next ${what}` : `Previous ${what}`,
      icon: "chevron",
      appearance: "icon",
      onClick: () => to !== undefined && show(to, direction),
    });
    element.classList.add(`version-${direction}`);
    setDisabled(element, to === undefined);
    return element;
  };
  const name = `Version ${at + 1} of ${versions.length} of this ${what}`;
  const count = h("span", { class: "version-count", title: name }, `${at + 1}/${versions.length}`);
  return h("div", { class: "versions", attributes: { role: "group", "aria-label": name } }, step("previous"), count, step("next"));
}
