import { button } from "../controls.ts";
import { h, icon } from "../dom.ts";
import { linkedText } from "../markdown/linkedText.ts";
import { STILL_ANSWERING } from "../messages.ts";
import type { PanelContext } from "../panelContext.ts";
import { OUTCOME_BUTTONS, type OutcomeButton } from "./outcomeButtons.ts";
import type { TurnOutcome } from "./turnOutcome.ts";

/** How a turn ended when it did not finish, with buttons for what to do. */
export function outcomeView(
  outcome: TurnOutcome,
  turnId: string,
  context: PanelContext,
): HTMLElement {
  const image = icon(outcome.level === "error" ? "warning" : "info");
  const text = h(
    "div",
    {},
    h("strong", {}, outcome.title),
    outcome.detail === "" ? null : h("p", {}, ...linkedText(outcome.detail)),
  );
  const buttons = outcome.actions.map((action) =>
    actionButton(
      OUTCOME_BUTTONS[action],
      outcome.level === "error" && action === outcome.actions[0],
      turnId,
      context,
    ),
  );
  return h(
    "div",
    {
      class: `outcome outcome-${outcome.level}`,
      attributes: { role: "group", "aria-label": outcome.title },
    },
    h("div", { class: "outcome-text" }, image, text),
    h("div", { class: "buttons" }, ...buttons),
  );
}

function actionButton(
  { label, icon: image, does }: OutcomeButton,
  isPrimary: boolean,
  turnId: string,
  context: PanelContext,
): HTMLElement {
  return button({
    label,
    ...(image && { icon: image }),
    appearance: isPrimary ? "primary" : "secondary",
    onClick: () => act(does, turnId, context),
  });
}

function act(does: OutcomeButton["does"], turnId: string, context: PanelContext): void {
  if (does === "retry") retry(turnId, context);
  else if (does === "new-chat") context.newChat();
  else if ("send" in does) context.send(does.send);
  else context.post(does.post);
}

/** Requests another answer in place of agent turn `turnId`, or explains why not now. */
export function retry(turnId: string, context: PanelContext): void {
  if (context.busy()) context.explain(STILL_ANSWERING);
  else context.post({ type: "retry", turnId });
}
