import type { AgentTurn } from "../../src/turns/turn.ts";
import { button, setDisabled } from "../controls.ts";
import { h, ring, setText } from "../dom.ts";
import { t } from "../l10n.ts";
import { tokenCount, usageLines } from "../messages.ts";
import type { PanelContext } from "../panelContext.ts";
import { contextUsage, type NextRequest } from "./contextUsage.ts";

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

  /** Shows the usage of the next request, as far as the last one tells, which `turn` sent. */
  update(turn: AgentTurn | null, next: NextRequest, canCompact: boolean): void {
    setDisabled(this.compact, !canCompact);
    const usage = contextUsage(turn, next);
    this.element.hidden = usage === null;
    if (!usage || !turn) return;
    const shown = JSON.stringify([turn.id, usage, turn.inputTokens, turn.outputTokens]);
    if (shown === this.shown) return;
    this.shown = shown;
    const { percent, answered } = usage;
    setText(this.model, usage.model);
    const lines = usageLines(turn, this.context.answers());
    setText(this.usage, (answered === null ? lines : [answered, ...lines]).join("\n"));
    this.ring.update(percent);
    this.element.classList.toggle("nearly-full", usage.isNearlyFull);
    setText(this.share, `${percent}%`);
    this.toggle.setAttribute("aria-label", t("{percent}% of the context window used", { percent }));
    setText(this.total, usage.total);
    const row = ([name, tokens]: readonly [string, number]) =>
      h("li", {}, h("span", {}, name), " ", h("span", {}, tokenCount(tokens)));
    this.rows.replaceChildren(...usage.parts.map(row));
  }

  private dismiss(dismissed: boolean): void {
    this.element.classList.toggle("dismissed", dismissed);
  }
}
