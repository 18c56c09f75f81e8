import type { EditBlock } from "../../src/turns/editBlock.ts";
import type { CardSink } from "../markdown/stepSegments.ts";
import type { PanelContext } from "../panelContext.ts";
import { FileCard } from "./fileCard.ts";

/**
 * A turn's cards, one a file. A card stands where its file was written last, so that new code
 * streams in at the end of the answer.
 */
export class FileCards {
  private readonly turnId: string;
  private readonly context: PanelContext;
  private readonly cards = new Map<string, FileCard>();
  private readonly blocks = new Map<string, { readonly card: FileCard; readonly rank: number }>();
  /** The rank of the block at whose place a card stands. */
  private readonly placed = new Map<FileCard, number>();
  /**
   * Where cards are to stand from the end of this frame on: moving one costs as much as it has
   * rows.
   */
  private readonly places = new Map<FileCard, Comment>();

  constructor(turnId: string, context: PanelContext) {
    this.turnId = turnId;
    this.context = context;
  }

  /**
   * Shows a block as it is now. Call it for each block in the order of the turn, before its place
   * is known.
   */
  update(edit: EditBlock): void {
    const known = this.blocks.get(edit.blockId);
    const card = known?.card ?? this.cardOf(edit);
    if (!known) this.blocks.set(edit.blockId, { card, rank: this.blocks.size });
    card.update(edit);
  }

  /**
   * Puts a block's card at the end of `container` with the next {@link settle}, unless the card
   * already stands at a later block.
   */
  place(blockId: string, container: HTMLElement): CardSink {
    const block = this.blocks.get(blockId);
    const row = block?.card.sink(blockId);
    if (!block || !row) return { push: () => undefined, finish: () => undefined };
    const { card, rank } = block;
    if (rank > (this.placed.get(card) ?? -1)) {
      this.placed.set(card, rank);
      this.places.get(card)?.remove();
      const place = document.createComment("");
      container.append(place);
      this.places.set(card, place);
    }
    return row;
  }

  /** Moves the cards to their places; once a frame. */
  settle(): void {
    for (const [{ element }, place] of this.places) {
      if (place.previousSibling === element) {
        place.remove();
        continue;
      }
      const focused = element.contains(document.activeElement) ? document.activeElement : null;
      place.replaceWith(element);
      // Moving an element takes the focus from it.
      if (focused instanceof HTMLElement) focused.focus({ preventScroll: true });
    }
    this.places.clear();
  }

  /** The turn is over. */
  end(): void {
    for (const card of this.cards.values()) card.end();
  }

  private cardOf(edit: EditBlock): FileCard {
    const known = this.cards.get(edit.path);
    if (known) return known;
    const card = new FileCard(edit, this.turnId, this.context);
    this.cards.set(edit.path, card);
    return card;
  }
}
