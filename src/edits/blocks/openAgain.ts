import type { Placement } from "../drafts/placer.ts";
import type { WrittenBlock } from "../drafts/writtenBlock.ts";

/**
 * Remembers an open block before it is closed for now; gives what opens it again, and what it then
 * is.
 */
export function openAgain(
  { warnings, adjustments, addedLines, removedLines, textEnd }: WrittenBlock,
  place: Placement,
): () => Partial<WrittenBlock> {
  const counts = { addedLines, removedLines };
  return () => {
    place.reopen?.();
    return { status: "streaming", reason: null, warnings, adjustments, ...counts, textEnd };
  };
}
