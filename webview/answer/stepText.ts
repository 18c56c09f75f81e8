import type { EditBlock } from "../../src/turns/editBlock.ts";
import type { FileCards } from "../cards/fileCards.ts";
import { MarkdownView } from "../markdown/markdownView.ts";
import { StepSegments } from "../markdown/stepSegments.ts";
import type { PanelContext } from "../panelContext.ts";

/**
 * The text of one step: Markdown, with edit blocks in their files' cards, in one or more containers
 * between tool calls.
 */
export class StepText {
  private readonly context: PanelContext;
  private readonly undrawn = new Set<MarkdownView>();
  private readonly segments = new StepSegments<HTMLElement>({
    markdown: (container) => this.addMarkdown(container),
    card: (blockId, container) => this.cards.place(blockId, container),
  });

  private readonly cards: FileCards;

  constructor(context: PanelContext, cards: FileCards) {
    this.context = context;
    this.cards = cards;
  }

  append(text: string, container: HTMLElement): void {
    this.segments.append(text, container);
  }

  /** Call before `append` in a frame, so that no fence flashes up. */
  setEdit(edit: EditBlock): void {
    this.segments.setEdit({ blockId: edit.blockId, start: edit.textStart, end: edit.textEnd });
  }

  /** Ends the current run of Markdown because something else follows. */
  interrupt(): void {
    this.segments.interrupt();
  }

  /** Ends the text. Blocks without text are shown in `container`. */
  finish(container: HTMLElement): void {
    this.segments.finish(container);
  }

  draw(): void {
    for (const view of this.undrawn) view.draw();
    this.undrawn.clear();
  }

  private addMarkdown(container: HTMLElement): {
    push(text: string): void;
    cut(offset: number): string;
    finish(): void;
  } {
    const view = new MarkdownView(this.context);
    container.append(view.element);
    return {
      push: (text) => {
        view.push(text);
        this.undrawn.add(view);
      },
      cut: (offset) => {
        this.undrawn.add(view);
        return view.cut(offset);
      },
      finish: () => {
        this.undrawn.delete(view);
        view.finish();
      },
    };
  }
}
