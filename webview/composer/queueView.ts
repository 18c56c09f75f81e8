import type { QueuedMessage } from "../../src/turns/turnEvent.ts";
import { button } from "../controls.ts";
import { h } from "../dom.ts";
import { t } from "../l10n.ts";
import type { PanelContext } from "../panelContext.ts";

/** Messages that the user wrote while a turn ran. They can be edited and removed until they are sent. */
export class QueueView {
  readonly element = h("div", { class: "queue", hidden: true, attributes: { role: "group", "aria-label": t("Queued messages") } });
  private readonly context: PanelContext;
  private messages: readonly QueuedMessage[] = [];
  private busy = false;

  constructor(context: PanelContext) {
    this.context = context;
  }

  /** Shows the queue if it changed; `busy` while a turn runs, which will take it. */
  update({ messages = this.messages, busy = this.busy }: { readonly messages?: readonly QueuedMessage[]; readonly busy?: boolean }): void {
    if (messages === this.messages && busy === this.busy) return;
    this.messages = messages;
    this.busy = busy;
    const hadFocus = this.element.contains(document.activeElement);
    const list = h("ul", {}, ...messages.map((message) => this.row(message)));
    const words = busy ? t("Queued") : t("Queued for your next message");
    const send = button({ label: t("Send now"), icon: "send", onClick: () => this.context.post({ type: "send-queued" }) });
    this.element.replaceChildren(h("div", { class: "queue-head" }, h("span", {}, words), busy ? null : send), list);
    this.element.hidden = messages.length === 0;
    if (hadFocus) this.element.querySelector<HTMLElement>("vscode-button")?.focus();
  }

  private row({ id, text }: QueuedMessage): HTMLElement {
    const unqueue = (edit: boolean) => this.context.post({ type: "unqueue", id, edit });
    const edit = button({
      label: t("Edit"),
      icon: "edit",
      appearance: "icon",
      description: t("Edit: {text}", { text }),
      onClick: () => unqueue(true),
    });
    const remove = button({
      label: t("Remove"),
      icon: "cross",
      appearance: "icon",
      description: t("Remove: {text}", { text }),
      onClick: () => unqueue(false),
    });
    return h("li", {}, h("span", { class: "queue-text", title: text }, text), edit, remove);
  }
}
