import type { PanelStatus } from "../../src/protocol/messages.ts";
import { button } from "../controls.ts";
import { h } from "../dom.ts";
import type { PanelContext } from "../panelContext.ts";

type Queued = NonNullable<PanelStatus["queued"]>;

/** What the user wrote while a turn ran: shown until it is sent, and to be taken back until then. */
export class QueueView {
  readonly element = h("div", { class: "queue", hidden: true, attributes: { role: "group", "aria-label": "Queued messages" } });
  private readonly context: PanelContext;
  private shown = "";

  constructor(context: PanelContext) {
    this.context = context;
  }

  update(queued: Queued, busy: boolean): void {
    const state = JSON.stringify([queued, busy]);
    if (state === this.shown) return;
    this.shown = state;
    const hadFocus = this.element.contains(document.activeElement);
    const list = h("ul", {}, ...queued.map((message) => this.row(message)));
    const words = busy ? "Sent at the next step of the answer, or behind it:" : "Not sent, because the answer ended early:";
    const send = button({ label: "Send now", icon: "send", onClick: () => this.context.post({ type: "send-queued" }) });
    this.element.replaceChildren(h("div", { class: "queue-head" }, h("span", {}, words), busy ? null : send), list);
    this.element.hidden = queued.length === 0;
    if (hadFocus) this.element.querySelector<HTMLElement>("vscode-button")?.focus();
  }

  private row({ id, text }: Queued[number]): HTMLElement {
    const take = (edit: boolean) => this.context.post({ type: "unqueue", id, edit });
    const edit = button({ label: "Edit", icon: "edit", appearance: "icon", description: `Edit: ${text}`, onClick: () => take(true) });
    const remove = button({
      label: "Remove",
      icon: "cross",
      appearance: "icon",
      description: `Remove: ${text}`,
      onClick: () => take(false),
    });
    return h("li", {}, h("span", { class: "queue-text", title: text }, text), edit, remove);
  }
}
