import { attachmentLabel } from "../../src/turns/messages.ts";
import type { QueuedMessage } from "../../src/turns/turnEvent.ts";
import { button } from "../controls.ts";
import { h, icon } from "../dom.ts";
import { t } from "../l10n.ts";
import type { PanelContext } from "../panelContext.ts";

/**
 * Messages that the user wrote while a turn ran. They can be edited and removed until they are
 * sent.
 */
export class QueueView {
  readonly element = h("div", {
    class: "queue",
    hidden: true,
    attributes: { role: "group", "aria-label": t("Queued messages") },
  });
  private readonly context: PanelContext;
  private messages: readonly QueuedMessage[] = [];
  private outgoing: readonly QueuedMessage[] = [];
  private busy = false;

  constructor(context: PanelContext) {
    this.context = context;
  }

  /**
   * Shows the queue and the messages being sent to it, if they changed. `busy` means that a running
   * turn will receive them.
   */
  update({
    messages = this.messages,
    outgoing = this.outgoing,
    busy = this.busy,
  }: {
    readonly messages?: readonly QueuedMessage[];
    readonly outgoing?: readonly QueuedMessage[];
    readonly busy?: boolean;
  }): void {
    const isSame =
      outgoing.length === this.outgoing.length &&
      outgoing.every((each, at) => each === this.outgoing[at]);
    if (messages === this.messages && isSame && busy === this.busy) return;
    this.messages = messages;
    this.outgoing = outgoing;
    this.busy = busy;
    const hadFocus = this.element.contains(document.activeElement);
    const rows = [
      ...messages.map((message) => this.row(message, true)),
      ...outgoing.map((message) => this.row(message, false)),
    ];
    const list = h("ul", {}, ...rows);
    const words = busy ? t("Queued") : t("Queued for your next message");
    const send = button({
      label: t("Send now"),
      icon: "send",
      onClick: () => this.context.post({ type: "send-queued" }),
    });
    this.element.replaceChildren(
      h("div", { class: "queue-head" }, h("span", {}, words), busy ? null : send),
      list,
    );
    this.element.hidden = rows.length === 0;
    if (hadFocus) this.element.querySelector<HTMLElement>("vscode-button")?.focus();
  }

  /** A message that has not reached the host cannot be edited or removed. */
  private row({ id, text, attached = [] }: QueuedMessage, isThere: boolean): HTMLElement {
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
    const names = attached.map((ref) => attachmentLabel(ref, t)).join(", ");
    const more =
      attached.length === 0
        ? null
        : h(
            "span",
            { class: "queue-attached", title: names },
            icon("file"),
            String(attached.length),
          );
    more?.setAttribute("aria-label", t("Attached: {name}", { name: names }));
    more?.setAttribute("role", "img");
    return h(
      "li",
      {},
      h("span", { class: "queue-text", title: text }, text),
      more,
      ...(isThere ? [edit, remove] : []),
    );
  }
}
