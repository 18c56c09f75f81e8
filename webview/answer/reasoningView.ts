import { h, icon, setText } from "../dom.ts";
import { t } from "../l10n.ts";

/** The model's reasoning, folded. It grows as one text node. */
export class ReasoningView {
  readonly element: HTMLElement;
  private readonly text = document.createTextNode("");
  private readonly title = h("span", {}, t("Thinking…"));

  constructor() {
    const body = h(
      "div",
      {
        class: "reasoning-text",
        attributes: { tabindex: "0", role: "group", "aria-label": t("Thinking") },
      },
      this.text,
    );
    this.element = h(
      "details",
      { class: "reasoning" },
      h("summary", {}, icon("chevron"), this.title),
      body,
    );
  }

  append(text: string): void {
    this.text.appendData(text);
  }

  finish(): void {
    setText(this.title, t("Thinking"));
  }
}
