import * as z from "zod/mini";
import { modelErrorSchema } from "../model/modelFailure.ts";
import { fileErrorSchema } from "../ports/review.ts";

/** A {@link TurnError} in a history file. */
export const turnErrorSchema = z.union([
  modelErrorSchema,
  /**
   * The request exceeds the context window, whatever Graft clips. Sizes are estimates in tokens.
   */
  z.object({
    code: z.literal("request-too-large"),
    kind: z.literal("context-length"),
    retryable: z.boolean(),
    tokens: z.number(),
    /** What the context window leaves for a request. */
    limit: z.number(),
    /** Whose message is the largest, or that all tool descriptions together are. */
    largest: z.object({
      of: z.enum(["system", "user", "assistant", "tool", "tools"]),
      tokens: z.number(),
    }),
  }),
  /** The request exceeds the context window, and it could not be summarized. */
  z.object({
    code: z.literal("compaction-failed"),
    kind: z.literal("context-length"),
    retryable: z.boolean(),
    cause: modelErrorSchema,
  }),
  /**
   * Edit mode could not start on the file that the user named. `kind` is the category of the tool's
   * error.
   */
  z.object({
    code: z.literal("edit-mode-refused"),
    kind: z.string(),
    retryable: z.boolean(),
    error: fileErrorSchema,
  }),
  /** An exception inside Graft. */
  z.object({
    code: z.literal("internal"),
    kind: z.literal("internal"),
    retryable: z.boolean(),
    said: z.string(),
  }),
]);

/** Why a turn ended with `error`, as data. `kind` is what the user's remedies depend on. */
export type TurnError = Readonly<z.infer<typeof turnErrorSchema>>;
