import type { PanelStatus } from "../../src/protocol/messages.ts";
import { button } from "../controls.ts";
import { h, icon } from "../dom.ts";
import { t } from "../l10n.ts";
import type { PanelContext } from "../panelContext.ts";

/** Not translated: the demo's script understands English. */
const examples = [
  "Add a doc comment to each exported function",
  "Rename describe to summarize",
  "Extract a constant from a repeated number",
  "Explain the outline of this file",
];

/** What an empty chat shows. `choose` puts an example into the composer. */
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
      h("h2", {}, t("Ask for a change, watch the diff, accept it")),
      h("p", {}, t("Graft streams edits into a diff. Nothing changes until you accept.")),
      ...(status.demo ? [this.demoNote()] : []),
      h("p", { class: "empty-lead" }, status.demo ? t("Open a TypeScript, JavaScript or Python file and try:") : t("Open a file and try:")),
      h("div", { class: "examples" }, ...examples.map((text) => this.example(text))),
    );
  }

  private demoNote(): HTMLElement {
    const settings = button({ label: t("Connect a model"), onClick: () => this.context.post({ type: "open-settings" }) });
    const text = h("p", {}, t("Demo mode: scripted answers, no AI. The edits are real."));
    return h("div", { class: "banner" }, icon("info"), h("div", { class: "banner-text" }, text, settings));
  }

  private example(text: string): HTMLElement {
    return h("button", { class: "example", attributes: { type: "button" }, onClick: () => this.choose(text) }, text);
  }
}
