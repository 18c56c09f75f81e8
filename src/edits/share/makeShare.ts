import { sha256 } from "../../base/sha256.ts";
import type { FileOperation } from "../../ports/review.ts";
import type { FileRef } from "../../ports/workspace.ts";
import type { ReviewRecord } from "../review/reviewRecord.ts";
import { emptyShare, type Share, type SharedFile } from "./share.ts";

/** A file's review as it is now. */
export interface Shareable {
  readonly file: FileRef;
  readonly exists: boolean;
  readonly review: ReviewRecord;
}

/** What is known around the proposals that are shared. */
export interface SharedFrom {
  readonly comment: string;
  /** What the chat is called that a block of a record is from, by the block's id there. */
  chatOf(blockId: string): string;
  /** A file's text; null where there is none. */
  textOf(file: FileRef): Promise<string | null>;
}

/** What is shared, and the paths that are not, since the files may hold keys. */
export interface MadeShare {
  readonly review: Share;
  readonly secret: readonly string[];
}

/** Makes one review of what is pending, for another machine. */
export async function makeShare(
  reviews: readonly Shareable[],
  operations: readonly FileOperation[],
  from: SharedFrom,
): Promise<MadeShare> {
  const isSecret = ({ secret }: FileRef) => secret !== undefined;
  const open = reviews.filter(({ file }) => !isSecret(file));
  const secret = reviews.filter(({ file }) => isSecret(file)).map(({ file }) => file.path);
  const files: SharedFile[] = [];
  for (const review of open) files.push(await sharedFile(review, from));
  const moved: Share["operations"][number][] = [];
  for (const { file, to, executable } of operations) {
    if (isSecret(file) || (to && isSecret(to))) {
      secret.push(file.path);
      continue;
    }
    const text = await from.textOf(file);
    const hash = text === null ? null : await sha256(text);
    const mode = executable === undefined ? {} : { executable };
    moved.push({ path: file.path, to: to?.path ?? null, hash, ...mode });
  }
  return { review: { ...emptyShare(from.comment), files, operations: moved }, secret };
}

async function sharedFile(
  { file, exists, review }: Shareable,
  { chatOf }: SharedFrom,
): Promise<SharedFile> {
  const { real: base, proposed, userLines } = review;
  const decided = new Map(review.decided);
  return {
    ...{ path: file.path, exists, hash: await sha256(base), base, proposed },
    blocks: review.blocks.map(({ blockId, warnings, range }) => {
      const { accepted = 0, rejected = 0, why = [] } = decided.get(blockId) ?? {};
      const counts = { accepted: Math.max(0, accepted), rejected: Math.max(0, rejected) };
      return {
        ...{ chat: chatOf(blockId), range, warnings: [...warnings] },
        ...{ ...counts, why: [...why] },
      };
    }),
    userLines: { touched: [...userLines.touched], cuts: [...userLines.cuts] },
  };
}
