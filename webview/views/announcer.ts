import { h } from "../dom.ts";

/** A region that only screen readers perceive; sentences said in one frame are read together. */
export class Announcer {
  readonly element = h("div", { class: "hidden-word", attributes: { "aria-live": "polite", role: "status" } });
  private pending: string[] = [];

  say(sentence: string): void {
    this.pending.push(sentence);
    if (this.pending.length > 1) return;
    // A region is read when it changes, so that the same sentence twice needs an empty moment between.
    this.element.textContent = "";
    requestAnimationFrame(() => {
      this.element.textContent = this.pending.join(" ");
      this.pending = [];
    });
  }
}
