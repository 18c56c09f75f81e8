import { button } from "../controls.ts";
import { h } from "../dom.ts";
import { t } from "../l10n.ts";
import type { PanelContext } from "../panelContext.ts";
import { showDiagram } from "./diagramView.ts";

/** The size in UTF-16 units from which the next line starts a new chunk. */
const CHUNK = 4_000;

/**
 * A code block that grows in chunks, so that only the last one is laid out again. Highlighted when
 * it is closed.
 */
export class CodeBlock {
  readonly element: HTMLElement;
  private readonly context: PanelContext;
  private readonly info: string;
  private readonly language: string;
  private readonly code = h("code");
  private readonly pre: HTMLElement;
  private readonly tools: HTMLElement;
  private text = document.createTextNode("");

  /**
   * `info` is the text after the opening fence. A `proposal` offers no *Apply*, because it already
   * is a proposal.
   */
  constructor(info: string, context: PanelContext, isProposal?: "proposal") {
    this.context = context;
    this.info = info;
    this.language = languageOf(info);
    this.addChunk();
    const apply = button({
      label: t("Apply as proposal"),
      icon: "apply",
      appearance: "icon",
      onClick: () => this.apply(),
    });
    const insert = button({
      label: t("Insert at cursor"),
      icon: "edit",
      appearance: "icon",
      onClick: () => this.insert(),
    });
    const copy = button({
      label: t("Copy code"),
      icon: "copy",
      appearance: "icon",
      onClick: () => this.copy(),
    });
    const name =
      this.language === "" ? t("Code") : t("Code, {language}", { language: this.language });
    this.pre = h("pre", { attributes: { tabindex: "0", "aria-label": name } }, this.code);
    this.tools = h("span", { class: "code-tools" }, isProposal ? null : apply, insert, copy);
    this.element = h(
      "div",
      { class: "code-block" },
      h(
        "div",
        { class: "code-head" },
        h("span", { class: "code-language" }, this.language),
        this.tools,
      ),
      this.pre,
    );
  }

  append(text: string): void {
    let rest = text;
    while (rest !== "") {
      // Chunks end at line breaks, wherever the text pieces end.
      const end = rest.indexOf("\n", Math.max(0, CHUNK - this.text.length)) + 1;
      this.text.appendData(end === 0 ? rest : rest.slice(0, end));
      if (end > 0) this.addChunk();
      rest = end === 0 ? "" : rest.slice(end);
    }
  }

  close(): void {
    if (this.language === "mermaid") showDiagram(this.element, this.tools, this.pre, this.context);
    else this.context.highlight(this.code, this.language);
  }

  private addChunk(): void {
    this.text = document.createTextNode("");
    this.code.append(h("span", { class: "code-chunk" }, this.text));
  }

  private get source(): string {
    return (this.code.textContent ?? "").replace(/\n$/, "");
  }

  private apply(): void {
    const turnId = this.element.closest<HTMLElement>("[data-turn]")?.dataset.turn;
    const before = textBefore(this.element).trim().slice(-2_000);
    if (turnId !== undefined)
      this.context.post({
        type: "apply-code",
        turnId,
        text: this.source,
        info: this.info.slice(0, 2_000),
        before,
      });
  }

  private insert(): void {
    this.context.post({ type: "insert-code", text: this.source });
  }

  private copy(): void {
    this.context.post({ type: "copy", text: this.code.textContent ?? "" });
    this.context.announce(t("Code copied"));
  }
}

/** The paragraph before an element, or the text on its own line. */
function textBefore(element: Element): string {
  let text = "";
  for (let node = element.previousSibling; node; node = node.previousSibling) {
    const isBlock = node instanceof Element && !node.matches("a, code, em, strong, del");
    if ((isBlock && text.trim() !== "") || (node instanceof Element && node.matches(".code-block")))
      break;
    text = (node.textContent ?? "") + text;
    if (isBlock) break;
  }
  return text;
}

function languageOf(info: string): string {
  return /^[\w#+-]*/.exec(info)?.[0].toLowerCase() ?? "";
}
