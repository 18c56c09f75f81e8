import * as z from "zod/mini";
import { usageSchema } from "../../model/streamPart.ts";
import { turnErrorSchema } from "../turnError.ts";

/** Why an agent turn ended, in a history file. */
export const turnEndReasonSchema = z.enum([
  "done",
  "cancelled",
  "error",
  "step-limit",
  "length",
  "interrupted",
]);

/** What a candidate makes of a file: its text before and after, null for no file. */
const candidateFileSchema = z.object({
  path: z.string(),
  base: z.nullable(z.string()),
  text: z.nullable(z.string()),
});

/** The answer in that chat is over. `left` are files that it moves, or makes a program or none. */
const candidateEndSchema = z.object({
  type: z.literal("candidate-end"),
  chatId: z.string(),
  reason: turnEndReasonSchema,
  error: z.catch(z.nullable(turnErrorSchema), null),
  files: z.array(candidateFileSchema),
  left: z.array(z.string()),
  /** What it took; absent where that is not known. */
  usage: z.exactOptional(usageSchema),
});

/** Events of a turn that several models answer. */
export const candidateEventSchemas = [
  /** Several models answer the request, each in a chat of its own. */
  z.object({
    type: z.literal("candidates"),
    candidates: z.array(z.object({ chatId: z.string(), model: z.string() })),
  }),
  candidateEndSchema,
] as const;

/** What a model that answered beside others makes of a file; null for no file. */
export type CandidateFile = z.infer<typeof candidateFileSchema>;
/** How a model's answer beside others ended. */
export type CandidateEnd = Readonly<Omit<z.infer<typeof candidateEndSchema>, "type">>;
