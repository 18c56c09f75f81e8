import * as z from "zod/mini";
import { blockWarningSchema, reviewReasonSchema } from "../../ports/review.ts";

const rangeSchema = z.object({ start: z.int(), end: z.int() });
const rangesSchema = z.readonly(z.array(rangeSchema));
const changesSchema = z.readonly(
  z.array(z.union([z.int(), z.readonly(z.tuple([z.int()], z.string()))])),
);
const textsSchema = z.readonly(z.array(z.string()));
const blockSchema = z.object({
  blockId: z.string(),
  warnings: z.readonly(z.array(blockWarningSchema)),
  range: rangeSchema,
  /** The number of its message; absent in earlier records. */
  message: z.exactOptional(z.int()),
  isOver: z.exactOptional(z.literal(true)),
});
const decidedSchema = z.object({
  accepted: z.int(),
  rejected: z.int(),
  why: z.exactOptional(textsSchema),
  notSaved: z.exactOptional(z.boolean()),
  gone: z.exactOptional(reviewReasonSchema),
});

/** A {@link ReviewRecord} as it is read back. */
export const reviewRecordSchema = z.object({
  real: z.string(),
  proposed: z.string(),
  /** The proposed text without the user's typing, as the latest message knows it. */
  model: z.string(),
  /** What differs between the two, as it was typed; absent for nothing, and in earlier records. */
  typing: z.exactOptional(changesSchema),
  /**
   * What takes the user's own typing since the latest message began out of the proposed text; absent
   * where that is all that differs, empty where the model was told of it.
   */
  untyped: z.exactOptional(changesSchema),
  blocks: z.readonly(z.array(blockSchema)),
  /** What the user changed in the proposal before the latest message, as unified diffs. */
  userDiffs: textsSchema,
  userLines: z.object({ touched: rangesSchema, cuts: rangesSchema }),
  decided: z.readonly(z.array(z.readonly(z.tuple([z.string(), decidedSchema])))),
  /** Accepts that may not be on the disk: the file's text before them, and their blocks. */
  unsaved: z.exactOptional(z.object({ text: z.string(), blockIds: textsSchema })),
});

/** A review as it is kept over a restart. */
export type ReviewRecord = z.infer<typeof reviewRecordSchema>;
