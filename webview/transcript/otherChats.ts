import type { OpenChatState } from "../../src/protocol/messages.ts";
import { chatStateLabel } from "../chatMessages.ts";
import { h, icon, keepChildren } from "../dom.ts";
import { t } from "../l10n.ts";
import type { PanelContext } from "../panelContext.ts";

const ICONS = { waiting: "question", done: "check", running: "spinner" } as const;
const TONES = { waiting: "wait", done: "good", running: "busy" } as const;
const ORDER = ["waiting", "done", "running"] as const;

/** The other chats in which something is going on, those first that need the user; a click shows one. */
export class OtherChats {
  readonly element = h("nav", {
    class: "other-chats",
    hidden: true,
    attributes: { "aria-label": t("Other chats") },
  });
  private readonly context: PanelContext;
  /** By what they show. */
  private rows: ReadonlyMap<string, HTMLElement> = new Map();

  constructor(context: PanelContext) {
    this.context = context;
  }

  update(chats: readonly OpenChatState[] = []): void {
    const focused = document.activeElement?.getAttribute("data-chat");
    const sorted = ORDER.flatMap((state) => chats.filter((chat) => chat.state === state));
    const before = this.rows;
    this.rows = new Map(
      sorted.map((chat) => {
        const key = JSON.stringify(chat);
        return [key, before.get(key) ?? this.row(chat)];
      }),
    );
    const rows = [...this.rows.values()];
    this.element.hidden = rows.length === 0;
    keepChildren(this.element, rows);
    const kept = rows.find((row) => focused && row.getAttribute("data-chat") === focused);
    if (kept !== document.activeElement) kept?.focus();
  }

  private row({ chatId, title, state }: OpenChatState): HTMLElement {
    const name = title || t("Empty chat");
    const label = chatStateLabel(state, name);
    return h(
      "button",
      {
        class: "other-chat",
        title: label,
        attributes: {
          type: "button",
          "aria-label": label,
          "data-chat": chatId,
          "data-tone": TONES[state],
        },
        onClick: () => this.context.post({ type: "show-chat", chatId }),
      },
      icon(ICONS[state]),
      h("span", { class: "other-chat-name" }, name),
    );
  }
}
