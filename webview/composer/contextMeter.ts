import type { PanelStatus } from "../../src/protocol/messages.ts";
import type { AgentTurn } from "../../src/turns/turn.ts";
import type { ContextUse } from "../../src/turns/turnEvent.ts";
import { button, setDisabled } from "../controls.ts";
import { h, ring, setText } from "../dom.ts";
import { t } from "../l10n.ts";
import { contextParts, tokenCount, usageLines } from "../messages.ts";
import type { PanelContext } from "../panelContext.ts";

/** The share of a request's limit from which the meter warns. */
const NEARLY_FULL = 0.8;

interface NextRequest extends Pick<PanelStatus, "next"> {
  /** The display name of the model. */
  readonly model: string;
  /** Tokens of the draft's attachments. */
  readonly draft: number;
  readonly canCompact: boolean;
}

/**
 * The usage of the model's context window. Hover and focus show what uses it, the cost of the
 * answers, and a button that compacts. Escape hides that again.
 */
export class ContextMeter {
  readonly element = h("div", { class: "meter", hidden: true });
  private readonly context: PanelContext;
  private readonly share = h("span", { class: "meter-share" });
  private readonly ring = ring();
  private readonly toggle: HTMLElement;
  private readonly total = h("span");
  private readonly model = h("p", { class: "meter-model" });
  private readonly rows = h("ul", { class: "meter-parts" });
  private readonly usage = h("p", { class: "meter-usage" });
  private readonly compact: HTMLElement;
  private shown = "";

  constructor(context: PanelContext) {
    this.context = context;
    this.toggle = h("button", {
      class: "meter-button",
      attributes: { type: "button", "aria-describedby": "meter-parts" },
    });
    this.toggle.append(this.ring.element, this.share);
    this.rows.id = "meter-parts";
    this.compact = button({
      label: t("Compact now"),
      description: t("Compact now: replace the chat so far with a summary"),
      onClick: () => {
        context.send("/compact");
        this.toggle.focus();
        this.dismiss(true);
      },
    });
    const head = h(
      "p",
      { class: "meter-head" },
      h("strong", {}, t("Context window")),
      " ",
      this.total,
    );
    const details = h("div", {
      class: "meter-details",
      attributes: { role: "group", "aria-label": t("Context window") },
    });
    details.append(
      head,
      this.model,
      this.rows,
      this.usage,
      h("div", { class: "buttons" }, this.compact),
    );
    this.element.append(this.toggle, details);
    this.toggle.addEventListener("click", () => this.dismiss(false));
    this.element.addEventListener("keydown", (event) => {
      if (event.key !== "Escape" || this.element.classList.contains("dismissed")) return;
      event.preventDefault();
      this.toggle.focus();
      this.dismiss(true);
    });
    for (const end of ["pointerleave", "focusout"] as const)
      this.element.addEventListener(end, ({ relatedTarget }) => {
        if (!(relatedTarget instanceof Node && this.element.contains(relatedTarget)))
          this.dismiss(false);
      });
  }

  /**
   * Estimates the usage of the next request: that of the last one, sent by `turn` (null if none),
   * plus the draft's attachments.
   */
  update(turn: AgentTurn | null, { model, next, draft, canCompact }: NextRequest): void {
    setDisabled(this.compact, !canCompact);
    this.element.hidden = !turn?.contextUse;
    if (!turn?.contextUse) return;
    const isOther = next !== undefined && next.model !== turn.model;
    const use = isOther ? inWindow(turn.contextUse, next.window) : turn.contextUse;
    const shown = JSON.stringify([
      turn.id,
      use,
      draft,
      model,
      isOther,
      turn.inputTokens,
      turn.outputTokens,
    ]);
    if (shown === this.shown) return;
    this.shown = shown;
    setText(this.model, model);
    const last = isOther ? [t("Last answer: {model}", { model: turn.model })] : [];
    setText(this.usage, [...last, ...usageLines(turn, this.context.answers())].join("\n"));
    const used = use.system + use.tools + use.attachments + use.history + draft;
    const percent = Math.min(100, Math.round((100 * used) / use.window));
    this.ring.update(percent);
    this.element.classList.toggle("nearly-full", used > (use.window - use.reserve) * NEARLY_FULL);
    setText(this.share, `${percent}%`);
    this.toggle.setAttribute("aria-label", t("{percent}% of the context window used", { percent }));
    setText(
      this.total,
      t("{used} of {window} tokens", { used: tokenCount(used), window: tokenCount(use.window) }),
    );
    const row = ([name, tokens]: readonly [string, number]) =>
      h("li", {}, h("span", {}, name), " ", h("span", {}, tokenCount(tokens)));
    this.rows.replaceChildren(...contextParts(use, draft).map(row));
  }

  private dismiss(dismissed: boolean): void {
    this.element.classList.toggle("dismissed", dismissed);
  }
}

/** The same usage in another model's window. */
function inWindow(use: ContextUse, window: number): ContextUse {
  return { ...use, window, reserve: Math.min(use.reserve, Math.floor(window / 4)) };
}
