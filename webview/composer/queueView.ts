import { attachmentLabel } from "../../src/turns/messages.ts";
import type { QueuedMessage } from "../../src/turns/turnEvent.ts";
import { button } from "../controls.ts";
import { h, icon, keepChildren, setText } from "../dom.ts";
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
    attributes: { role: "group", "aria-label": t("Queued messages"), tabindex: "-1" },
  });
  private readonly context: PanelContext;
  private readonly leave: () => void;
  private messages: readonly QueuedMessage[] = [];
  private outgoing: readonly QueuedMessage[] = [];
  private busy = false;
  private readonly words = h("span", {});
  private readonly send: HTMLElement;
  private readonly list = h("ul", {});
  /** By message, and whether the host has it. */
  private rows: ReadonlyMap<string, HTMLElement> = new Map();

  /** `leave` moves the focus elsewhere when the last message goes. */
  constructor(context: PanelContext, leave: () => void) {
    this.context = context;
    this.leave = leave;
    this.send = button({
      label: t("Send now"),
      icon: "send",
      onClick: () => context.post({ type: "send-queued" }),
    });
    this.element.append(h("div", { class: "queue-head" }, this.words, this.send), this.list);
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
    const focused = document.activeElement;
    const hadFocus = this.element.contains(focused);
    const before = this.rows;
    const row = (message: QueuedMessage, isThere: boolean) => {
      const key = JSON.stringify([message, isThere]);
      return [key, before.get(key) ?? this.row(message, isThere)] as const;
    };
    this.rows = new Map([
      ...messages.map((message) => row(message, true)),
      ...outgoing.map((message) => row(message, false)),
    ]);
    const queued = busy ? t("Queued") : t("Queued for your next message");
    setText(this.words, messages.length === 0 ? t("Sending…") : queued);
    this.send.hidden = busy || messages.length === 0;
    keepChildren(this.list, [...this.rows.values()]);
    this.element.hidden = this.rows.size === 0;
    if (!hadFocus || focused === null) return;
    if (this.element.hidden) {
      this.leave();
      return;
    }
    if (this.element.contains(document.activeElement)) return;
    // The same button again, or none: Enter must not reach another one than the user chose.
    const buttons = [...this.element.querySelectorAll<HTMLElement>("vscode-button:not([hidden])")];
    (buttons.find((each) => nameOf(each) === nameOf(focused)) ?? this.element).focus();
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
      ...(isThere ? [edit, remove] : [h("span", { class: "queue-sending" }, t("Sending…"))]),
    );
  }
}

function nameOf(element: Element): string {
  return element.getAttribute("aria-label") ?? element.textContent ?? "";
}
