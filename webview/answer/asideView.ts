import { h } from "../dom.ts";
import { t } from "../l10n.ts";
import { MarkdownView } from "../markdown/markdownView.ts";
import type { PanelContext } from "../panelContext.ts";

/** A side question and its answer, which are no part of the conversation. */
export function asideView(question: string, text: string, context: PanelContext): HTMLElement {
  const answer = new MarkdownView(context);
  answer.push(text);
  answer.finish();
  return h(
    "aside",
    { class: "aside", attributes: { "aria-label": t("Side question") } },
    h("p", { class: "aside-question" }, h("strong", {}, t("Side question:")), " ", question),
    answer.element,
  );
}
