import type { PanelStatus } from "../../src/protocol/messages.ts";
import { button } from "../controls.ts";
import { h } from "../dom.ts";
import { icon } from "../icons.ts";
import type { PanelContext } from "../panelContext.ts";

/** What stands in the way before anything is asked, each with its remedy. */
export class Banner {
  readonly element = h("div", { class: "banners" });
  private readonly context: PanelContext;
  private shown = "";

  constructor(context: PanelContext) {
    this.context = context;
  }

  update(status: PanelStatus): void {
    const key = `${status.trusted} ${status.keyMissing} ${status.elsewhere}`;
    if (key === this.shown) return;
    this.shown = key;
    const { post } = this.context;
    const rows: HTMLElement[] = [];
    if (status.elsewhere) {
      rows.push(
        row("The last chat is open in another window, so this is a new one.", {
          label: "Open It Here",
          onClick: () => post({ type: "open-elsewhere" }),
        }),
      );
    }
    if (!status.trusted) {
      rows.push(
        row("Restricted mode: Graft can read and answer, but changes no files until you trust this workspace.", {
          label: "Manage Workspace Trust",
          onClick: () => post({ type: "manage-trust" }),
        }),
      );
    }
    if (status.keyMissing) {
      rows.push(row("The endpoint that is set needs an API key.", { label: "Set API Key", onClick: () => post({ type: "set-api-key" }) }));
    }
    this.element.replaceChildren(...rows);
  }
}

function row(text: string, action: { readonly label: string; readonly onClick: () => void }): HTMLElement {
  return h("div", { class: "banner" }, icon("warning"), h("div", { class: "banner-text" }, h("p", {}, text), button({ ...action })));
}
