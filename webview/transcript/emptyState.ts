import type { ModelOffer, PanelStatus } from "../../src/protocol/messages.ts";
import { EXAMPLES } from "../context/examples.ts";
import { button } from "../controls.ts";
import { h, icon, keepChildren, setText } from "../dom.ts";
import { t } from "../l10n.ts";
import { offerText } from "../messages.ts";
import type { PanelContext } from "../panelContext.ts";

/**
 * The content of an empty chat: models to choose from, then examples. `choose` puts an example into
 * the composer.
 */
export class EmptyState {
  readonly element = h("div", { class: "empty" });
  // Made once: a button that the user is about to press outlasts models that are found meanwhile.
  private readonly title = h("h2", {}, t("Ask for a change, watch the diff, accept it"));
  private readonly promise = h(
    "p",
    {},
    t("Graft streams edits into a diff. Nothing changes until you accept."),
  );
  private readonly lead = h("p", { class: "empty-lead" });
  private readonly offers = h("div", { class: "examples offers" });
  private readonly offered = new Map<string, HTMLElement>();
  private readonly more: HTMLElement;
  private readonly ways: HTMLElement;
  private readonly privacy = h(
    "p",
    {},
    t(
      "No sign-in, no telemetry. Requests go only to the model you choose. Demo mode is scripted and uses no AI.",
    ),
  );
  private readonly context: PanelContext;
  private readonly choose: (text: string) => void;
  private shown = "";
  private asked = false;

  constructor(context: PanelContext, choose: (text: string) => void) {
    this.context = context;
    this.choose = choose;
    const post = (type: "choose-model" | "enter-api-key" | "try-demo") => () =>
      context.post({ type });
    this.more = this.row("way", t("More models and servers"), post("choose-model"));
    this.ways = h(
      "div",
      { class: "ways" },
      this.more,
      this.row("way", t("Enter an API key"), post("enter-api-key")),
      this.row("way", t("Try demo mode"), post("try-demo")),
    );
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
    const content = status.chosen ? this.firstSteps(status.demo) : this.firstModel(status.offers);
    keepChildren(this.element, [this.title, this.promise, ...content]);
  }

  private firstModel(offers: readonly ModelOffer[] | null): readonly HTMLElement[] {
    setText(
      this.lead,
      offers === null ? t("Looking for models on this machine…") : t("Which model should answer?"),
    );
    const isEmpty = offers?.length === 0;
    this.more.hidden = isEmpty;
    const choose = () => this.context.post({ type: "choose-model" });
    const rows = isEmpty
      ? [this.row("offer", t("Choose a model"), choose)]
      : (offers ?? []).map((offer) => this.offer(offer));
    this.offers.hidden = rows.length === 0;
    keepChildren(this.offers, rows);
    return [this.lead, this.offers, this.ways, this.privacy];
  }

  private offer(offer: ModelOffer): HTMLElement {
    const key = JSON.stringify(offer);
    const take = () => this.context.post({ type: "take-offer", offer });
    const row = this.offered.get(key) ?? this.row("offer", offerText(offer), take);
    this.offered.set(key, row);
    return row;
  }

  private firstSteps(demo: boolean): readonly HTMLElement[] {
    const lead = demo
      ? t("Open a TypeScript, JavaScript or Python file and try:")
      : t("Open a file and try:");
    const rows = EXAMPLES.map((text) => this.row("example", text, () => this.choose(text)));
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

  private row(name: "example" | "offer" | "way", text: string, onClick: () => void): HTMLElement {
    return h("button", { class: name, attributes: { type: "button" }, onClick }, text);
  }
}
