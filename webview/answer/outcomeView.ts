import { button } from "../controls.ts";
import { h, icon } from "../dom.ts";
import { t } from "../l10n.ts";
import { STILL_ANSWERING } from "../messages.ts";
import type { PanelContext } from "../panelContext.ts";
import type { OutcomeAction, TurnOutcome } from "./turnOutcome.ts";

/** How a turn ended when it did not finish, with buttons for what to do. */
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
      return button({ label: t("Retry"), icon: "retry", appearance, onClick: () => retry(turnId, context) });
    case "continue":
      // The model reads this, so it is not translated.
      return button({ label: t("Continue"), icon: "send", appearance, onClick: () => context.send("Continue.") });
    case "set-api-key":
      return button({ label: t("Set API key"), appearance, onClick: () => context.post({ type: "set-api-key" }) });
    case "choose-model":
      return button({ label: t("Choose model"), appearance, onClick: () => context.post({ type: "choose-model" }) });
    case "test-connection":
      return button({ label: t("Test connection"), appearance, onClick: () => context.post({ type: "test-connection" }) });
    case "compact":
      return button({ label: t("Compact"), appearance, onClick: () => context.send("/compact") });
    case "new-chat":
      return button({ label: t("New chat"), appearance, onClick: () => context.newChat() });
    case "open-settings":
      return button({ label: t("Open settings"), appearance, onClick: () => context.post({ type: "open-settings" }) });
    case "open-connections":
      return button({
        label: t("Open connections"),
        appearance,
        onClick: () => context.post({ type: "open-settings", query: "graft.connections" }),
      });
    case "open-network-settings":
      return button({ label: t("Open settings"), appearance, onClick: () => context.post({ type: "open-settings", query: "http." }) });
  }
}

/** Requests another answer in place of agent turn `turnId`, or explains why not now. */
export function retry(turnId: string, context: PanelContext): void {
  if (context.busy()) context.explain(STILL_ANSWERING);
  else context.post({ type: "retry", turnId });
}
