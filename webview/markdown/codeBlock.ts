import { button } from "../controls.ts";
import { h } from "../dom.ts";
import { t } from "../l10n.ts";
import type { PanelContext } from "../panelContext.ts";

/** A code block that grows as one text node and is highlighted when it is closed. */
export class CodeBlock {
  readonly element: HTMLElement;
  private readonly context: PanelContext;
  private readonly language: string;
  private readonly code = h("code");
  private readonly text = document.createTextNode("");

  /** `info` is the text after the opening fence. */
  constructor(info: string, context: PanelContext) {
    this.context = context;
    this.language = languageOf(info);
    this.code.append(this.text);
    const copy = button({ label: t("Copy code"), icon: "copy", appearance: "icon", onClick: () => this.copy() });
    const name = this.language === "" ? t("Code") : t("Code, {language}", { language: this.language });
    this.element = h(
      "div",
      { class: "code-block" },
      h("div", { class: "code-head" }, h("span", { class: "code-language" }, this.language), copy),
      h("pre", { attributes: { tabindex: "0", "aria-label": name } }, this.code),
    );
  }

  append(text: string): void {
    this.text.appendData(text);
  }

  close(): void {
    this.context.highlight(this.code, this.language);
  }

  private copy(): void {
    this.context.post({ type: "copy", text: this.code.textContent ?? "" });
    this.context.announce(t("Code copied"));
  }
}

function languageOf(info: string): string {
  return /^[\w#+-]*/.exec(info)?.[0].toLowerCase() ?? "";
}
