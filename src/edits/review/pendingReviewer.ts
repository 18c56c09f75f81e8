import { err, ok } from "../../base/result.ts";
import {
  type BlockOutcome,
  changesMode,
  type OperationReviewer,
  type PendingOperation,
  type PendingProposal,
  type Proposal,
  type Review,
  type Reviewer,
  type ReviewOrigin,
} from "../../ports/review.ts";
import type { FileRef, FileSnapshot } from "../../ports/workspace.ts";

/** Keeps all that is proposed until {@link decidePending} settles it; nothing is written. */
export interface PendingReviewer extends Reviewer {
  readonly operations: OperationReviewer;
  /** A file as it was when its first change was proposed; null where nothing is pending. */
  original(file: FileRef): FileSnapshot | null;
  /** Takes out what was decided. */
  settle(decided: FileRef | PendingOperation): void;
}

/** A reviewer for where nobody decides while a turn runs. */
export function createPendingReviewer(): PendingReviewer {
  const files = new Map<string, PendingProposal & { readonly original: FileSnapshot }>();
  const waiting: PendingOperation[] = [];
  const add = (snapshot: FileSnapshot, origin: ReviewOrigin, { text, blocks }: Proposal) => {
    const { file } = snapshot;
    const before = files.get(file.uri);
    const own = blocks.map((block) => ({ ...block, origin }));
    const all = [...(before?.blocks ?? []), ...own];
    const original = before?.original ?? snapshot;
    const hunks = all.map((block) => [block.origin]);
    files.set(file.uri, { file, text, hunks, blocks: all, original });
  };
  return {
    open: (snapshot: FileSnapshot, origin): Review => ({
      update() {},
      async keep() {},
      async propose(proposal) {
        if (proposal.blocks.length > 0) add(snapshot, origin, proposal);
        const blocks = proposal.blocks.map(({ blockId }) => pendingBlock(blockId));
        return { blocks, text: proposal.text };
      },
      dispose() {},
    }),
    pending: ({ uri }) => files.get(uri) ?? null,
    allPending: () => [...files.values()],
    original: ({ uri }) => files.get(uri)?.original ?? null,
    settle(decided) {
      if ("uri" in decided) files.delete(decided.uri);
      else waiting.splice(waiting.indexOf(decided) >>> 0, 1);
    },
    operations: {
      beforehand: true,
      aside: { drop: ({ uri }) => void files.delete(uri) },
      pending: waiting,
      async propose(operation) {
        const { path, uri } = operation.file;
        const { file } = operation;
        const own = waiting.find((each) => each.file.uri === uri && changesMode(each));
        if (own && (changesMode(operation) || operation.to === null)) {
          waiting.splice(waiting.indexOf(own), 1);
          // The other of two modes is that of the file.
          if (changesMode(operation) && own.executable !== operation.executable)
            return ok(withdrawnBlock(operation.blockId));
        } else if (waiting.some((each) => each.file.uri === file.uri || each.to?.uri === uri))
          return err({ code: "operation-proposed", path });
        waiting.push(operation);
        return ok(pendingBlock(operation.blockId));
      },
      async withdraw(operation) {
        waiting.splice(waiting.indexOf(operation) >>> 0, 1);
      },
    },
  };
}

/** A mode that the file has anyway. */
function withdrawnBlock(blockId: string): BlockOutcome {
  return { blockId, status: "rejected", reason: { code: "withdrawn" } };
}

function pendingBlock(blockId: string): BlockOutcome {
  return { blockId, status: "pending", reason: null };
}
