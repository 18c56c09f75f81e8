import type { PanelAction } from "../../src/protocol/messages.ts";
import type { IconName } from "../iconShapes.ts";
import { t } from "../l10n.ts";
import type { OutcomeAction } from "./turnOutcome.ts";

/** The button for an action at the end of a turn, and what it does. */
export interface OutcomeButton {
  readonly label: string;
  readonly icon?: IconName;
  readonly does: "retry" | "new-chat" | { readonly send: string } | { readonly post: PanelAction };
}

const openSettings = (query?: "graft.connections" | "http."): OutcomeButton["does"] => ({
  post: { type: "open-settings", ...(query !== undefined && { query }) },
});

/** The buttons at the end of a turn that did not finish. */
export const OUTCOME_BUTTONS: Readonly<Record<OutcomeAction, OutcomeButton>> = {
  retry: { label: t("Retry"), icon: "retry", does: "retry" },
  // The model reads this, so it is not translated.
  continue: { label: t("Continue"), icon: "send", does: { send: "Continue." } },
  "set-api-key": { label: t("Set API key"), does: { post: { type: "set-api-key" } } },
  "choose-model": { label: t("Choose model"), does: { post: { type: "choose-model" } } },
  "test-connection": { label: t("Test connection"), does: { post: { type: "test-connection" } } },
  compact: { label: t("Compact"), does: { send: "/compact" } },
  "new-chat": { label: t("New chat"), does: "new-chat" },
  "open-settings": { label: t("Open settings"), does: openSettings() },
  "open-connections": { label: t("Open connections"), does: openSettings("graft.connections") },
  "open-network-settings": { label: t("Open settings"), does: openSettings("http.") },
};
