import { h } from "../dom.ts";
import type { PanelContext } from "../panelContext.ts";
import { CodeBlock } from "./codeBlock.ts";
import { type MarkdownPiece, MarkdownStream, type MarkdownTail } from "./markdownStream.ts";
import { renderMarkdown } from "./renderMarkdown.ts";
import type { MarkdownSink } from "./stepSegments.ts";

/** A run of streaming Markdown. Redraws only the tail and leaves finished blocks untouched. */
export class MarkdownView implements MarkdownSink {
  readonly element = h("div", { class: "markdown" });
  private readonly context: PanelContext;
  private readonly tail = h("div", { class: "tail" });
  private stream = new MarkdownStream();
  private source: string[] = [];
  private code: CodeBlock | null = null;
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
    const block = renderMarkdown(tail.tokens);
    if (tail.continuesList) block.firstElementChild?.classList.add("continued");
    this.tail.replaceChildren(block);
    if (tail.plain !== "") this.tail.append(tail.plain);
  }

  private dress(block: DocumentFragment, continuesList: boolean): void {
    if (continuesList) block.firstElementChild?.classList.add("continued");
    // Code blocks in lists and quotes.
    for (const code of block.querySelectorAll<HTMLElement>("pre > code")) {
      const view = new CodeBlock(/language-(\S+)/.exec(code.className)?.[1] ?? "", this.context);
      view.append(code.textContent ?? "");
      view.close();
      code.parentElement?.replaceWith(view.element);
    }
  }
}
