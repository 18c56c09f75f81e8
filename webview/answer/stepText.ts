import type { EditBlock } from "../../src/turns/turnEvent.ts";
import { type CardRole, EditCard } from "../cards/editCard.ts";
import { MarkdownView } from "../markdown/markdownView.ts";
import { StepSegments } from "../markdown/stepSegments.ts";
import type { PanelContext } from "../panelContext.ts";

/** The text of one step: Markdown, with edit blocks as cards, in one or more containers between tool calls. */
export class StepText {
  private readonly cards = new Map<string, EditCard>();
  private readonly context: PanelContext;
  private readonly turnId: string;
  private readonly edits = new Map<string, { readonly edit: EditBlock; readonly role: CardRole }>();
  private readonly undrawn = new Set<MarkdownView>();
  private readonly segments = new StepSegments<HTMLElement>({
    markdown: (container) => this.addMarkdown(container),
    card: (blockId, container) => this.addCard(blockId, container),
  });

  constructor(context: PanelContext, turnId: string) {
    this.context = context;
    this.turnId = turnId;
  }

  append(text: string, container: HTMLElement): void {
    this.segments.append(text, container);
  }

  /** Call before `append` in a frame, so that no fence flashes up. */
  setEdit(edit: EditBlock, role: CardRole): void {
    this.edits.set(edit.blockId, { edit, role });
    this.cards.get(edit.blockId)?.update(edit, role);
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

  private addCard(blockId: string, container: HTMLElement): EditCard | { push(): void; finish(): void } {
    const known = this.edits.get(blockId);
    if (!known) return { push: () => undefined, finish: () => undefined };
    const card = new EditCard(known.edit, this.context, this.turnId);
    card.update(known.edit, known.role);
    this.cards.set(blockId, card);
    container.append(card.element);
    return card;
  }
}
