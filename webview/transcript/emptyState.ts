import type { ModelOffer, PanelStatus } from "../../src/protocol/messages.ts";
import { button } from "../controls.ts";
import { h, icon } from "../dom.ts";
import { t } from "../l10n.ts";
import { offerText } from "../messages.ts";
import type { PanelContext } from "../panelContext.ts";

/** Not translated, because the demo script understands only English. */
const examples = [
  "Add a doc comment to each exported function",
  "Explain the outline of this file",
];
/** Fits only the demo file. */
const demoExample = "Rename describe to summarize";

/**
 * The content of an empty chat: models to choose from, then examples. `choose` puts an example into
 * the composer.
 */
export class EmptyState {
  readonly element = h("div", { class: "empty" });
  private readonly context: PanelContext;
  private readonly choose: (text: string) => void;
  private shown = "";
  private asked = false;

  constructor(context: PanelContext, choose: (text: string) => void) {
    this.context = context;
    this.choose = choose;
  }

  update(status: PanelStatus): void {
    // Only a visible empty chat looks for models.
    if (!status.chosen && status.workspace && !this.asked && this.element.offsetParent !== null) {
      this.asked = true;
      this.context.post({ type: "find-models" });
    }
    const key = JSON.stringify([status.demo, status.chosen, status.offers]);
    if (key === this.shown) return;
    this.shown = key;
    this.element.replaceChildren(
      h("h2", {}, t("Ask for a change, watch the diff, accept it")),
      h("p", {}, t("Graft streams edits into a diff. Nothing changes until you accept.")),
      ...(status.chosen ? this.firstSteps(status.demo) : this.firstModel(status.offers)),
    );
  }

  private firstModel(offers: readonly ModelOffer[] | null): readonly HTMLElement[] {
    const take = (offer: ModelOffer) => () => this.context.post({ type: "take-offer", offer });
    const found = (offers ?? []).filter(({ source }) => source !== "provider");
    const providers = (offers ?? []).filter(({ source }) => source === "provider");
    const rows = [
      ...found.map((offer) => this.row("offer", offerText(offer), take(offer))),
      this.row("offer", t("Enter an API key"), () => this.context.post({ type: "enter-api-key" })),
      this.row("offer", t("More models and servers"), () =>
        this.context.post({ type: "choose-model" }),
      ),
      this.row("offer", t("Try demo mode"), () => this.context.post({ type: "try-demo" })),
    ];
    const keyFor = t("Enter an API key for");
    const keys = h(
      "div",
      { class: "providers", attributes: { role: "group", "aria-label": keyFor } },
      h("span", {}, keyFor),
      ...providers.map((offer) => this.row("provider", offer.label, take(offer))),
    );
    const lead =
      offers === null ? t("Looking for models on this machine…") : t("Which model should answer?");
    const privacy = t(
      "No sign-in, no telemetry. Requests go only to the model you choose. Demo mode is scripted and uses no AI.",
    );
    return [
      h("p", { class: "empty-lead" }, lead),
      h("div", { class: "examples offers" }, ...rows),
      ...(providers.length > 0 ? [keys] : []),
      h("p", {}, privacy),
    ];
  }

  private firstSteps(demo: boolean): readonly HTMLElement[] {
    const lead = demo
      ? t("Open a TypeScript, JavaScript or Python file and try:")
      : t("Open a file and try:");
    const rows = [...examples, ...(demo ? [demoExample] : [])].map((text) =>
      this.row("example", text, () => this.choose(text)),
    );
    return [
      ...(demo ? [this.demoNote()] : []),
      h("p", { class: "empty-lead" }, lead),
      h("div", { class: "examples" }, ...rows),
    ];
  }

  private demoNote(): HTMLElement {
    const choose = button({
      label: t("Choose model"),
      onClick: () => this.context.post({ type: "choose-model" }),
    });
    const text = h("p", {}, t("Demo mode: scripted answers, no AI. The edits are real."));
    return h(
      "div",
      { class: "banner" },
      icon("info"),
      h("div", { class: "banner-text" }, text, choose),
    );
  }

  private row(
    name: "example" | "offer" | "provider",
    text: string,
    onClick: () => void,
  ): HTMLElement {
    return h("button", { class: name, attributes: { type: "button" }, onClick }, text);
  }
}
