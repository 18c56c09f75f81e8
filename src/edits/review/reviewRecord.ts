import * as z from "zod/mini";
import { blockWarningSchema } from "../../ports/review.ts";
import type { DecidedHunks } from "./blockOutcomes.ts";
import type { TrackedBlock } from "./reviewHunks.ts";
import type { UserLines } from "./userLines.ts";

const rangeSchema = z.object({ start: z.int(), end: z.int() });

/** A review as it is kept over a restart. */
export interface ReviewRecord {
  readonly real: string;
  readonly proposed: string;
  /** The proposed text without the user's typing. */
  readonly model: string;
  readonly blocks: readonly TrackedBlock[];
  /** What the user changed in the proposal before the latest message, as unified diffs. */
  readonly userDiffs: readonly string[];
  readonly userLines: UserLines;
  readonly decided: readonly (readonly [string, DecidedHunks])[];
}

/** A {@link ReviewRecord} as it is read back. */
export const reviewRecordSchema = z.object({
  real: z.string(),
  proposed: z.string(),
  model: z.string(),
  blocks: z.array(z.object({ blockId: z.string(), warnings: z.array(blockWarningSchema), range: rangeSchema })),
  userDiffs: z.array(z.string()),
  userLines: z.object({ touched: z.array(rangeSchema), cuts: z.array(rangeSchema) }),
  decided: z.array(z.tuple([z.string(), z.object({ accepted: z.int(), rejected: z.int(), why: z.exactOptional(z.array(z.string())) })])),
});
