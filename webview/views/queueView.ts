import type { QueuedMessage } from "../../src/turns/turnEvent.ts";
import { button } from "../controls.ts";
import { h } from "../dom.ts";
import type { PanelContext } from "../panelContext.ts";

/** What the user wrote while a turn ran: shown until it is sent, and to be taken back until then. */
export class QueueView {
  readonly element = h("div", { class: "queue", hidden: true, attributes: { role: "group", "aria-label": "Queued messages" } });
  private readonly context: PanelContext;
  private messages: readonly QueuedMessage[] = [];
  private busy = false;

  constructor(context: PanelContext) {
    this.context = context;
  }

  /** Shows the queue, where it changed; `busy` says whether a turn runs that will take it. */
  update({ messages = this.messages, busy = this.busy }: { readonly messages?: readonly QueuedMessage[]; readonly busy?: boolean }): void {
    if (messages === this.messages && busy === this.busy) return;
    this.messages = messages;
    this.busy = busy;
    const hadFocus = this.element.contains(document.activeElement);
    const list = h("ul", {}, ...messages.map((message) => this.row(message)));
    const words = busy ? "Sent at the next step of the answer, or behind it:" : "Not sent yet. Goes with your next message:";
    const send = button({ label: "Send now", icon: "send", onClick: () => this.context.post({ type: "send-queued" }) });
    this.element.replaceChildren(h("div", { class: "queue-head" }, h("span", {}, words), busy ? null : send), list);
    this.element.hidden = messages.length === 0;
    if (hadFocus) this.element.querySelector<HTMLElement>("vscode-button")?.focus();
  }

  private row({ id, text }: QueuedMessage): HTMLElement {
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
