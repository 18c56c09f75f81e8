import type { PanelStatus } from "../../src/protocol/messages.ts";
import { button } from "../controls.ts";
import { h, icon } from "../dom.ts";
import { t } from "../l10n.ts";
import type { PanelContext } from "../panelContext.ts";

/** Problems that limit Graft, each with a button that fixes it. */
export class Banner {
  readonly element = h("div", { class: "banners" });
  private readonly context: PanelContext;
  private shown = "";

  constructor(context: PanelContext) {
    this.context = context;
  }

  update(status: PanelStatus): void {
    const key = `${status.trusted} ${status.keyMissing}`;
    if (key === this.shown) return;
    this.shown = key;
    const { post } = this.context;
    const rows: HTMLElement[] = [];
    if (!status.trusted) {
      rows.push(
        bannerRow(
          t(
            "Restricted mode: Graft can read and answer. It cannot change files until you trust this workspace.",
          ),
          {
            label: t("Manage trust"),
            onClick: () => post({ type: "manage-trust" }),
          },
        ),
      );
    }
    if (status.keyMissing) {
      rows.push(
        bannerRow(t("The endpoint needs an API key."), {
          label: t("Set API key"),
          onClick: () => post({ type: "set-api-key" }),
        }),
      );
    }
    this.element.replaceChildren(...rows);
  }
}

function bannerRow(
  text: string,
  action: { readonly label: string; readonly onClick: () => void },
): HTMLElement {
  return h(
    "div",
    { class: "banner" },
    icon("warning"),
    h("div", { class: "banner-text" }, h("p", {}, text), button({ ...action })),
  );
}
