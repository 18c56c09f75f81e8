import * as z from "zod/mini";
import { type FailureRemedy, modelErrorSchema, OUTCOMES, TOO_LONG } from "../model/modelFailure.ts";
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
  /** The file of the agent that the user chose as a mode is gone, or cannot be read. */
  z.object({
    code: z.literal("agent-file"),
    kind: z.literal("agent"),
    retryable: z.boolean(),
    path: z.string(),
    problem: z.enum(["not-found", "broken"]),
  }),
  /** Another maker's agent did not answer. `problem` and `why` are codes; `detail` is what was said. */
  z.object({
    code: z.literal("agent-failed"),
    kind: z.literal("agent"),
    retryable: z.boolean(),
    agent: z.string(),
    problem: z.enum([
      "not-found",
      "not-started",
      "not-trusted",
      "ended",
      "confined",
      "too-much",
      "sign-in",
      "sign-in-failed",
      "other-protocol",
      "unreadable",
      "refused",
      "no-shadow",
      "no-processes",
      // In Ask or Plan mode: whatever way it writes, Graft cannot prove that it does not.
      "own-modes",
    ]),
    detail: z.string(),
    why: z.optional(z.string()),
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

/** What helps with an error, the most useful first; never empty. */
export function failureRemedies({ code }: Pick<TurnError, "code">): readonly FailureRemedy[] {
  switch (code) {
    case "request-too-large":
    case "compaction-failed":
      return TOO_LONG;
    case "edit-mode-refused":
    case "agent-file":
    case "internal":
    case "agent-failed":
      return ["retry"];
    default:
      return OUTCOMES[code][2];
  }
}
