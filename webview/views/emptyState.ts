import type { PanelStatus } from "../../src/protocol/messages.ts";
import { button } from "../controls.ts";
import { h } from "../dom.ts";
import { icon } from "../icons.ts";
import type { PanelContext } from "../panelContext.ts";

const examples = [
  "Add a doc comment to each exported function",
  "Rename describe to summarize",
  "Extract a constant from a repeated number",
  "Explain the outline of this file",
];

/** What a chat shows before the first question. `choose` puts an example into the composer. */
export class EmptyState {
  readonly element = h("div", { class: "empty" });
  private readonly context: PanelContext;
  private readonly choose: (text: string) => void;
  private shown = "";

  constructor(context: PanelContext, choose: (text: string) => void) {
    this.context = context;
    this.choose = choose;
  }

  update(status: PanelStatus): void {
    const key = `${status.demo} ${status.workspace}`;
    if (key === this.shown) return;
    this.shown = key;
    this.element.replaceChildren(
      h("h2", {}, "Ask for a change, watch the diff, accept it"),
      h("p", {}, "Graft writes edits into a diff while the answer streams. Nothing in your files changes until you accept it."),
      ...(status.demo ? [this.demoNote()] : []),
      h(
        "p",
        { class: "empty-lead" },
        status.demo ? "Open a TypeScript, JavaScript or Python file and try:" : "For example, with a file open:",
      ),
      h("div", { class: "examples" }, ...examples.map((text) => this.example(text))),
    );
  }

  private demoNote(): HTMLElement {
    const settings = button({ label: "Connect a model", onClick: () => this.context.post({ type: "open-settings" }) });
    const text = h("p", {}, "Demonstration: a built-in script answers, no AI. It makes real edits, so you can try the whole way.");
    return h("div", { class: "banner" }, icon("info"), h("div", { class: "banner-text" }, text, settings));
  }

  private example(text: string): HTMLElement {
    const element = h("button", { class: "example", attributes: { type: "button" }, onClick: () => this.choose(text) }, text);
    return element;
  }
}
