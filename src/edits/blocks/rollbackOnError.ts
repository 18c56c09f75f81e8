import { err } from "../../base/result.ts";
import { thrownText } from "../../base/text/sentence.ts";
import type { BlockReason } from "../../turns/blockReason.ts";
import type { Placer } from "../drafts/placer.ts";

/**
 * Remembers what a placer holds. After an error that may have damaged it, that is a placer without
 * place for more blocks.
 */
export function rollbackOnError(placer: Placer): (error: unknown) => Placer {
  const text = placer.text();
  const ranges = placer.ranges();
  return (error) => {
    if (placer.text() === text) return placer;
    const reason: BlockReason = { code: "internal", said: thrownText(error) };
    return {
      text: () => text,
      ranges: () => ranges,
      open: () => err(reason),
      finish: () => ({ addsSyntaxError: new Set(), cuts: new Map() }),
    };
  };
}
