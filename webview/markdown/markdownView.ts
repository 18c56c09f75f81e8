import { h, icon } from "../dom.ts";
import { t } from "../l10n.ts";
import type { PanelContext } from "../panelContext.ts";
import { boundedTokens } from "./boundedLexer.ts";
import { CodeBlock } from "./codeBlock.ts";
import { foldText, isFold } from "./folds.ts";
import { type MarkdownPiece, MarkdownStream, type MarkdownTail } from "./markdownStream.ts";
import { renderMarkdown } from "./renderMarkdown.ts";
import type { MarkdownSink } from "./stepSegments.ts";

/** Folds in folds, beyond which their content stays on one level. */
const DEEPEST = 6;

/** A run of streaming Markdown. Redraws only the tail and leaves finished blocks untouched. */
export class MarkdownView implements MarkdownSink {
  readonly element = h("div", { class: "markdown" });
  private readonly context: PanelContext;
  private readonly tail = h("div", { class: "tail" });
  private stream = new MarkdownStream();
  private source: string[] = [];
  private code: CodeBlock | null = null;
  /** The folds that are open in the text, the innermost last. */
  private folds: HTMLDetailsElement[] = [];
  private over = false;

  constructor(context: PanelContext) {
    this.context = context;
    this.element.append(this.tail);
  }

  push(text: string): void {
    this.source.push(text);
    this.stream.push(text);
  }

  cut(offset: number): string {
    const source = this.source.join("");
    this.source = [source.slice(0, offset)];
    if (this.stream.cut(offset) === null) {
      this.stream = new MarkdownStream();
      this.stream.push(source.slice(0, offset));
      this.code = null;
      this.folds = [];
      this.element.replaceChildren(this.tail);
    }
    return source.slice(offset);
  }

  finish(): void {
    this.over = true;
    this.draw();
    this.tail.remove();
    // Empty if there were only blank lines between two edit blocks.
    if (!this.element.hasChildNodes()) this.element.remove();
  }

  /** Shows new text. Called once per frame. */
  draw(): void {
    const { pieces, tail } = this.over ? this.stream.finish() : this.stream.update();
    for (const piece of pieces) this.add(piece);
    if (tail) this.drawTail(tail);
  }

  private add(piece: MarkdownPiece): void {
    if (piece.type === "block") {
      const block = renderMarkdown([piece.token]);
      this.dress(block, piece.continuesList);
      this.tail.before(block);
    } else if (piece.type === "code-open") {
      this.code = new CodeBlock(piece.info, this.context);
      this.tail.before(this.code.element);
    } else if (piece.type === "code-text") this.code?.append(piece.text);
    else if (piece.type === "fold-open") this.openFold(piece.isOpen);
    else if (piece.type === "fold-title") this.setTitle(piece.text);
    else if (piece.type === "fold-close") this.folds.pop()?.after(this.tail);
    else {
      this.code?.close();
      this.code = null;
    }
  }

  private drawTail(tail: MarkdownTail): void {
    if (tail.tokens.length === 0 && tail.plain === "") {
      if (this.tail.hasChildNodes()) this.tail.replaceChildren();
      return;
    }
    const block = renderMarkdown(tail.tokens.filter((token) => !isFold(token)));
    for (const token of tail.tokens)
      if (isFold(token)) block.append(h("p", {}, foldText(token.raw)));
    this.tail.classList.toggle("continues", tail.continuesList);
    this.tail.replaceChildren(block);
    if (tail.plain !== "") this.tail.append(tail.plain);
  }

  /** What follows, the tail too, goes into the fold. */
  private openFold(isOpen: boolean): void {
    const body = h("div", { class: "markdown" });
    const summary = h("summary", {}, icon("chevron"), h("span", {}, t("Details")));
    const fold = h("details", { class: "fold" }, summary, body);
    fold.open = isOpen;
    this.folds.push(fold);
    if (this.folds.length > DEEPEST) return;
    this.tail.before(fold);
    body.append(this.tail);
  }

  private setTitle(text: string): void {
    const title = renderMarkdown(boundedTokens(text, {}) ?? []);
    const [first] = title.children;
    this.folds
      .at(-1)
      ?.firstElementChild?.lastElementChild?.replaceChildren(...(first?.childNodes ?? [text]));
  }

  private dress(block: DocumentFragment, continuesList: boolean): void {
    if (continuesList) block.firstElementChild?.classList.add("continued");
    for (const formula of block.querySelectorAll<HTMLElement>(".math"))
      this.context.typeset(formula);
    // Code blocks in lists and quotes.
    for (const code of block.querySelectorAll<HTMLElement>("pre > code")) {
      const view = new CodeBlock(/language-(\S+)/.exec(code.className)?.[1] ?? "", this.context);
      view.append(code.textContent ?? "");
      view.close();
      code.parentElement?.replaceWith(view.element);
    }
  }
}
