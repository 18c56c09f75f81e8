import type { Review } from "../../ports/review.ts";

/** Takes no part in the proposal of a file, for this reason. */
export function refusedReview(
  code: "being-written" | "deletion-proposed" | "proposals-elsewhere",
): Review {
  const reason = { code };
  return {
    update() {},
    async keep() {},
    async propose({ blocks }) {
      return {
        blocks: blocks.map(({ blockId }) => ({ blockId, status: "rejected" as const, reason })),
        text: null,
      };
    },
    dispose() {},
  };
}
