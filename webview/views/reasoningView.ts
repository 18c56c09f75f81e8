import { h, setText } from "../dom.ts";
import { icon } from "../icons.ts";

/** The model's thinking, folded away; it grows as one text node. */
export class ReasoningView {
  readonly element: HTMLElement;
  private readonly text = document.createTextNode("");
  private readonly title = h("span", {}, "Thinking…");

  constructor() {
    const body = h("div", { class: "reasoning-text" }, this.text);
    this.element = h("details", { class: "reasoning" }, h("summary", {}, icon("chevron"), this.title), body);
  }

  append(text: string): void {
    this.text.appendData(text);
  }

  finish(): void {
    setText(this.title, "Thinking");
  }
}
