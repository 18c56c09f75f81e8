import { ok } from "../../base/result.ts";
import type {
  OperationReviewer,
  PendingOperation,
  PendingProposal,
  Proposal,
  Review,
  Reviewer,
  ReviewOrigin,
} from "../../ports/review.ts";
import type { FileRef, FileSnapshot } from "../../ports/workspace.ts";

/** Keeps all that is proposed, where nobody decides: nothing is written. */
export class PendingReviewer implements Reviewer {
  private readonly files = new Map<string, PendingProposal>();
  private readonly waiting: PendingOperation[] = [];

  readonly operations: OperationReviewer = {
    beforehand: true,
    pending: this.waiting,
    propose: async (operation) => {
      const { path, uri } = operation.file;
      const isTaken = this.waiting.some(({ file, to }) => file.uri === uri || to?.uri === uri);
      if (isTaken) return { ok: false, error: { code: "operation-proposed", path } };
      this.waiting.push(operation);
      return ok({ blockId: operation.blockId, status: "pending", reason: null });
    },
  };

  open({ file }: FileSnapshot, origin: ReviewOrigin): Review {
    const add = ({ text, blocks }: Proposal) => {
      const own = blocks.map(({ blockId }) => ({ origin, blockId }));
      const earlier = this.files.get(file.uri)?.blocks ?? [];
      const all = [...earlier, ...own];
      this.files.set(file.uri, { file, text, hunks: all.length, blocks: all });
    };
    return {
      update() {},
      async keep() {},
      async propose(proposal) {
        if (proposal.blocks.length > 0) add(proposal);
        const blocks = proposal.blocks.map(({ blockId }) => ({
          blockId,
          status: "pending" as const,
          reason: null,
        }));
        return { blocks, text: proposal.text };
      },
      dispose() {},
    };
  }

  pending({ uri }: FileRef): PendingProposal | null {
    return this.files.get(uri) ?? null;
  }

  allPending(): readonly PendingProposal[] {
    return [...this.files.values()];
  }
}
