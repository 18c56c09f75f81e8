import { button } from "../controls.ts";
import { h } from "../dom.ts";
import { icon } from "../icons.ts";
import { type PanelContext, STILL_ANSWERING } from "../panelContext.ts";
import type { OutcomeAction, TurnOutcome } from "../turnOutcome.ts";

/** How a turn ended when it did not simply finish, with what can be done about it. */
export function outcomeView(outcome: TurnOutcome, turnId: string, context: PanelContext): HTMLElement {
  const image = icon(outcome.level === "error" ? "warning" : "info");
  const text = h("div", {}, h("strong", {}, outcome.title), outcome.detail === "" ? null : h("p", {}, outcome.detail));
  const buttons = outcome.actions.map((action) =>
    actionButton(action, outcome.level === "error" && action === outcome.actions[0], turnId, context),
  );
  return h(
    "div",
    { class: `outcome outcome-${outcome.level}`, attributes: { role: "group", "aria-label": outcome.title } },
    h("div", { class: "outcome-text" }, image, text),
    h("div", { class: "buttons" }, ...buttons),
  );
}

function actionButton(action: OutcomeAction, primary: boolean, turnId: string, context: PanelContext): HTMLElement {
  const appearance = primary ? "primary" : "secondary";
  switch (action) {
    case "retry":
      return button({
        label: "Retry",
        icon: "retry",
        appearance,
        onClick: () => retry(turnId, context),
      });
    case "continue":
      return button({ label: "Continue", icon: "send", appearance, onClick: () => context.post({ type: "send", text: "Continue." }) });
    case "set-api-key":
      return button({ label: "Set API Key", appearance, onClick: () => context.post({ type: "set-api-key" }) });
    case "open-settings":
      return button({ label: "Open Settings", appearance, onClick: () => context.post({ type: "open-settings" }) });
  }
}

/** Asks again what agent turn `turnId` answered, or says why not now. */
export function retry(turnId: string, context: PanelContext): void {
  if (context.busy()) context.explain(STILL_ANSWERING);
  else context.post({ type: "retry", turnId });
}
