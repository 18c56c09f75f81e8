import { err } from "../../base/result.ts";
import { thrownText } from "../../base/text/sentence.ts";
import type { BlockReason } from "../../turns/blockReason.ts";
import type { Draft } from "../drafts/draft.ts";

/**
 * Remembers what a draft holds. After an error that may have damaged it, that is a draft without
 * place for more blocks.
 */
export function rollbackOnError(draft: Draft): (error: unknown) => Draft {
  const text = draft.text();
  const ranges = draft.ranges();
  return (error) => {
    if (draft.text() === text) return draft;
    const reason: BlockReason = { code: "internal", said: thrownText(error) };
    return {
      text: () => text,
      ranges: () => ranges,
      open: () => err(reason),
      finish: () => ({ addsSyntaxError: new Set(), cuts: new Map() }),
    };
  };
}
