import { siblings } from "../../src/turns/branch.ts";
import type { Turn, TurnTree } from "../../src/turns/turn.ts";
import { button, setDisabled } from "../controls.ts";
import { h } from "../dom.ts";
import { t } from "../l10n.ts";
import { versionText } from "../messages.ts";

/** The direction of a switch. */
export type Direction = "previous" | "next";

const labels = {
  user: { previous: t("Previous request"), next: t("Next request") },
  agent: { previous: t("Previous answer"), next: t("Next answer") },
} as const;

/** ‹ 2/3 › for a turn with siblings, otherwise null. `show` receives the sibling to switch to. */
export function versionSwitch(
  tree: TurnTree,
  turn: Turn,
  show: (turnId: string, direction: Direction) => void,
): HTMLElement | null {
  const versions = siblings(tree, turn);
  if (versions.length < 2) return null;
  const at = versions.indexOf(turn.id);
  const step = (direction: Direction) => {
    const to = versions[direction === "next" ? at + 1 : at - 1];
    const element = button({
      label: labels[turn.role][direction],
      icon: "chevron",
      appearance: "icon",
      onClick: () => to !== undefined && show(to, direction),
    });
    element.classList.add(`version-${direction}`);
    setDisabled(element, to === undefined);
    return element;
  };
  const name = versionText(turn.role, at + 1, versions.length);
  const count = h("span", { class: "version-count", title: name }, `${at + 1}/${versions.length}`);
  return h(
    "div",
    { class: "versions", attributes: { role: "group", "aria-label": name } },
    step("previous"),
    count,
    step("next"),
  );
}
