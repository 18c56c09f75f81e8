import type { OpenedPlace } from "../drafts/draft.ts";
import type { WrittenBlock } from "../drafts/writtenBlock.ts";

/**
 * Remembers an open block before it is closed for now; gives what opens it again, and what it then
 * is.
 */
export function openAgain(
  { warnings, adjustments, addedLines, removedLines, textEnd }: WrittenBlock,
  place: OpenedPlace,
): () => Partial<WrittenBlock> {
  const counts = { addedLines, removedLines };
  return () => {
    place.reopen?.();
    return { status: "streaming", reason: null, warnings, adjustments, ...counts, textEnd };
  };
}
