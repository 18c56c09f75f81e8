import { visibleLine, visibleText } from "../../src/base/text/visibleText.ts";
import type { McpOffer } from "../../src/protocol/messages.ts";
import { button, disableControls, setDisabled } from "../controls.ts";
import { h, icon } from "../dom.ts";
import { t } from "../l10n.ts";
import type { PanelContext } from "../panelContext.ts";

/**
 * The workspace's MCP servers that would start, each with its full definition. Only those that the
 * user checks start.
 */
export class AgreementsView {
  readonly element = h("div", { hidden: true });
  private readonly context: PanelContext;
  private shown = "";

  constructor(context: PanelContext) {
    this.context = context;
  }

  update(offers: readonly McpOffer[]): void {
    const keys = offers.map(({ key }) => key).join();
    if (keys === this.shown) return;
    this.shown = keys;
    this.element.hidden = offers.length === 0;
    this.element.replaceChildren(...(offers.length > 0 ? [this.form(offers)] : []));
    if (offers.length > 0)
      this.context.announce(t("Graft asks: {question}", { question: QUESTION }));
  }

  private form(offers: readonly McpOffer[]): HTMLElement {
    const { post } = this.context;
    const open = offers.map(({ key }) => key);
    const rows = offers.map((offer) => offerRow(offer));
    const ticked = () => rows.flatMap(({ input, key }) => (input.checked ? [key] : []));
    const answer = (start: readonly string[]) => {
      post({ type: "agree", open, start: [...start] });
      disableControls(element);
    };
    const start = button({
      label: t("Start selected"),
      appearance: "primary",
      onClick: () => answer(ticked()),
    });
    const none = button({ label: t("Start none"), onClick: () => answer([]) });
    setDisabled(start, true);
    const files = [...new Set(offers.map(({ path }) => path))].map((path) =>
      button({
        label: t("Open {path}", { path: visibleLine(path) }),
        onClick: () => post({ type: "open-file", path, line: null }),
      }),
    );
    const element = h(
      "div",
      {
        class: "question agreements",
        attributes: { role: "group", tabindex: "-1", "aria-label": QUESTION },
      },
      h("p", {}, icon("question"), h("span", {}, QUESTION)),
      h("div", { class: "agreement-list" }, ...rows.map((each) => each.element)),
      h("div", { class: "buttons" }, start, none, ...files),
    );
    element.addEventListener("change", () => setDisabled(start, ticked().length === 0));
    return element;
  }
}

const QUESTION = t("The workspace wants to start MCP servers. Which may start?");

function offerRow({ key, name, remote, definition }: McpOffer): {
  readonly key: string;
  readonly input: HTMLInputElement;
  readonly element: HTMLElement;
} {
  const shown = visibleLine(name);
  const input = h("input", { attributes: { type: "checkbox" } });
  const what = remote
    ? t("Connects to another server.")
    : t(
        "Runs on this machine, with your full user permissions. Graft asks again when its definition changes, but not when the programs it names change.",
      );
  const label = t("Definition of {name}", { name: shown });
  const element = h(
    "div",
    {},
    h(
      "label",
      { class: "option" },
      input,
      h("span", {}, h("strong", {}, shown), " ", h("br"), what),
    ),
    h(
      "pre",
      { class: "command", attributes: { tabindex: "0", role: "group", "aria-label": label } },
      visibleText(definition),
    ),
  );
  return { key, input, element };
}
