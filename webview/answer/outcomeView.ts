import { button } from "../controls.ts";
import { h, icon } from "../dom.ts";
import type { IconName } from "../iconShapes.ts";
import { t } from "../l10n.ts";
import { linkedText } from "../markdown/linkedText.ts";
import { STILL_ANSWERING } from "../messages.ts";
import type { PanelContext } from "../panelContext.ts";
import type { OutcomeAction, TurnOutcome } from "./turnOutcome.ts";

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
      action,
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
  action: OutcomeAction,
  primary: boolean,
  turnId: string,
  context: PanelContext,
): HTMLElement {
  const { label, icon: image, act } = ACTIONS[action];
  return button({
    label,
    ...(image && { icon: image }),
    appearance: primary ? "primary" : "secondary",
    onClick: () => act(context, turnId),
  });
}

/** A button's label and icon, and what it does. */
interface ActionButton {
  readonly label: string;
  readonly icon?: IconName;
  readonly act: (context: PanelContext, turnId: string) => void;
}

const openSettings = (query?: "graft.connections" | "http.") => (context: PanelContext) =>
  context.post({ type: "open-settings", ...(query !== undefined && { query }) });

const ACTIONS: Readonly<Record<OutcomeAction, ActionButton>> = {
  retry: { label: t("Retry"), icon: "retry", act: (context, turnId) => retry(turnId, context) },
  continue: {
    label: t("Continue"),
    icon: "send",
    // The model reads this, so it is not translated.
    act: (context) => context.send("Continue."),
  },
  "set-api-key": {
    label: t("Set API key"),
    act: (context) => context.post({ type: "set-api-key" }),
  },
  "choose-model": {
    label: t("Choose model"),
    act: (context) => context.post({ type: "choose-model" }),
  },
  "test-connection": {
    label: t("Test connection"),
    act: (context) => context.post({ type: "test-connection" }),
  },
  compact: { label: t("Compact"), act: (context) => context.send("/compact") },
  "new-chat": { label: t("New chat"), act: (context) => context.newChat() },
  "open-settings": { label: t("Open settings"), act: openSettings() },
  "open-connections": { label: t("Open connections"), act: openSettings("graft.connections") },
  "open-network-settings": { label: t("Open settings"), act: openSettings("http.") },
};

/** Requests another answer in place of agent turn `turnId`, or explains why not now. */
export function retry(turnId: string, context: PanelContext): void {
  if (context.busy()) context.explain(STILL_ANSWERING);
  else context.post({ type: "retry", turnId });
}
