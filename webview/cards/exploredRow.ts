import { h, icon, setText } from "../dom.ts";
import { t } from "../l10n.ts";
import type { ToolRow } from "./toolRow.ts";
import { exploredText, toolSentence } from "./toolSentence.ts";
import { toolState } from "./toolState.ts";
import { toolTimeline } from "./toolTimeline.ts";

/**
 * Consecutive calls that only look, folded into one row that unfolds to theirs: `Explored 8
 * places`.
 */
export class ExploredRow {
  readonly element: HTMLDetailsElement;
  private readonly words = h("span", { class: "tool-what" });
  private readonly state = h("span", { class: "state" });
  private readonly list = h("div", { class: "explored-rows" });
  private readonly rows: ToolRow[] = [];

  constructor() {
    const line = h(
      "summary",
      {},
      icon("chevron"),
      this.words,
      " ",
      h("span", { class: "tool-end" }, this.state),
    );
    this.element = h("details", { class: "explored" }, line, this.list);
  }

  /** Moves elements into the list, and with them a row to count. */
  add(row: ToolRow, ...between: readonly HTMLElement[]): void {
    const focused = [...between, row.element].some((element) =>
      element.contains(document.activeElement),
    );
    if (focused) this.element.open = true;
    const active = document.activeElement;
    this.list.append(...between, row.element);
    // Moving an element takes the focus from it.
    if (focused && active instanceof HTMLElement) active.focus({ preventScroll: true });
    this.rows.push(row);
    this.update();
  }

  /** Shows what became of the calls. */
  update(): void {
    setText(this.words, exploredText(this.rows.length));
    const labels = this.rows.flatMap(({ latest }) => toolState(latest) ?? []);
    const label =
      labels.find(({ tone }) => tone === "busy") ?? labels.find(({ tone }) => tone === "bad");
    this.element.dataset.tone = label?.tone ?? "off";
    if (this.state.textContent !== (label?.word ?? ""))
      this.state.replaceChildren(...(label ? [icon(label.icon), label.word] : []));
    const spans = toolTimeline(this.rows.map(({ latest }) => latest));
    const sentences = new Map(this.rows.map(({ latest }) => [latest.callId, toolSentence(latest)]));
    for (const row of this.rows) {
      const span = spans.get(row.latest.callId);
      const beside = (span?.beside ?? []).flatMap((id) => sentences.get(id) ?? []);
      row.showSpan(
        span ?? null,
        beside.length === 0 ? "" : t("Ran together with {calls}", { calls: beside.join(", ") }),
      );
    }
    if (this.rows.some(({ needsSight }) => needsSight)) this.element.open = true;
  }
}
