import { rowButton } from "../controls.ts";
import { h } from "../dom.ts";
import { t } from "../l10n.ts";
import type { PanelContext } from "../panelContext.ts";
import { type Share, shareCount, shareName } from "./shares.ts";

/** Rows above a list of files: one for each chat and guest, with decisions on its changes alone. */
export class ShareRows {
  private readonly context: PanelContext;
  private readonly list: HTMLElement;
  private rows: readonly HTMLElement[] = [];
  private shown = "[]";

  constructor(context: PanelContext, list: HTMLElement) {
    this.context = context;
    this.list = list;
  }

  /** Shows these; none where all changes are of one chat. */
  update(shares: readonly Share[]): void {
    const several = shares.length > 1 ? shares : [];
    const key = JSON.stringify(several);
    if (key === this.shown) return;
    this.shown = key;
    for (const row of this.rows) row.remove();
    this.rows = several.map((share) => this.row(share));
    this.list.prepend(...this.rows);
  }

  private row(share: Share): HTMLElement {
    const chat = shareName(share);
    const decide = (type: "accept-chat" | "reject-chat") => () =>
      this.context.post({ type, of: share.chatId });
    const accept = t("Accept only the changes from {chat}, except conflicts and warnings", {
      chat,
    });
    const reject = t("Reject only the changes from {chat}", { chat });
    return h(
      "li",
      { class: "review-file review-share" },
      h("span", { class: "review-share-name", title: chat }, chat),
      " ",
      h("span", { class: "review-what" }, h("span", { class: "review-facts" }, shareCount(share))),
      h(
        "span",
        { class: "block-buttons" },
        rowButton(accept, "check", "accept", decide("accept-chat")),
        rowButton(reject, "cross", "reject", decide("reject-chat")),
      ),
    );
  }
}
