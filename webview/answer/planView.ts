import { button } from "../controls.ts";
import { h } from "../dom.ts";
import { t } from "../l10n.ts";
import type { PanelContext } from "../panelContext.ts";

/** What the user can do with the plan that turn `turnId` ended with. */
export function planView(turnId: string, { post }: PanelContext): HTMLElement {
  const act = (action: "open" | "start" | "start-new") => () =>
    post({ type: "plan", turnId, action });
  return h(
    "div",
    { class: "plan buttons", attributes: { role: "group", "aria-label": t("Plan") } },
    button({ label: t("Start"), icon: "send", appearance: "primary", onClick: act("start") }),
    button({ label: t("Start in new chat"), onClick: act("start-new") }),
    button({ label: t("Edit plan"), icon: "edit", onClick: act("open") }),
  );
}
