import type { AgentTurn } from "../../src/turns/turn.ts";
import { h, icon, setText } from "../dom.ts";
import { t } from "../l10n.ts";
import type { TurnChanges } from "../turnChanges.ts";

/** Draws the turn of an agent. */
interface DrawnTurn {
  readonly element: HTMLElement;
  update(changes: TurnChanges): void;
  updateTimes(now: number): void;
}

/** What an agent did that a call started, folded; it unfolds where the agent waits for the user. */
export class InnerView {
  readonly element: HTMLDetailsElement;
  private readonly turn: AgentTurn;
  private readonly view: DrawnTurn;
  private readonly sum = h("span");

  constructor(turn: AgentTurn, view: DrawnTurn) {
    this.turn = turn;
    this.view = view;
    const head = h("summary", { class: "inner-head" }, icon("chevron"), this.sum);
    this.element = h("details", { class: "inner-turn" }, head, this.view.element);
    this.show();
  }

  update(changes: TurnChanges): void {
    this.view.update(changes);
    this.show();
  }

  updateTimes(now: number): void {
    this.view.updateTimes(now);
  }

  private show(): void {
    const calls = [...this.turn.toolCalls.values()];
    const count = calls.length;
    setText(
      this.sum,
      count === 1 ? t("1 step of the agent") : t("{count} steps of the agent", { count }),
    );
    const waits = calls.some(
      ({ approval, question }) => approval?.decision === "pending" || question !== null,
    );
    if (waits) this.element.open = true;
  }
}
