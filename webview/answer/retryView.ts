import { turnErrorMessage } from "../../src/turns/messages.ts";
import type { TurnNotice } from "../../src/turns/turn.ts";
import { h, icon, setText } from "../dom.ts";
import { t } from "../l10n.ts";
import { setLinkedText } from "../markdown/linkedText.ts";
import { retryText } from "../messages.ts";
import type { PanelContext } from "../panelContext.ts";
import { errorTitle } from "./turnOutcome.ts";

type RetryPart = TurnNotice & { readonly code: "retry" };

/**
 * The retries of one request, in one line: why, when, *Cancel* while it waits, and the whole error
 * on demand.
 */
export class RetryView {
  readonly element: HTMLElement;
  private readonly words = h("span");
  private readonly cancel: HTMLElement;
  private readonly detail = h("p");
  private retry: RetryPart;

  constructor(retry: RetryPart, context: PanelContext) {
    this.cancel = h(
      "button",
      {
        class: "quiet",
        attributes: { type: "button" },
        onClick: () => context.post({ type: "stop" }),
      },
      t("Cancel"),
    );
    const details = h(
      "details",
      { class: "retry-details" },
      h("summary", {}, t("Details")),
      this.detail,
    );
    const line = h("div", { class: "retry-line" }, this.words, this.cancel, details);
    this.element = h("div", { class: "note note-warning retry" }, icon("clock"), line);
    this.retry = retry;
    this.show(retry);
  }

  /** Shows a later retry of the same request. */
  show(retry: RetryPart): void {
    this.retry = retry;
    setLinkedText(this.detail, turnErrorMessage(retry.error, t, true));
    this.update(null, 0);
  }

  /**
   * Counts down to `retryAt`, in milliseconds since 1970 as `now`; null when it no longer waits.
   */
  update(retryAt: number | null, now: number): void {
    const { attempt, maxAttempts, error } = this.retry;
    const seconds = retryAt === null ? null : Math.max(1, Math.ceil((retryAt - now) / 1000));
    setText(this.words, retryText(errorTitle(error), seconds, attempt, maxAttempts));
    this.cancel.hidden = retryAt === null;
  }
}
