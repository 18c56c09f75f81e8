import * as z from "zod/mini";
import { attachmentRefsSchema } from "../turns/attachment.ts";

const comparedRowSchema = z.object({
  /** Unique in the file. */
  id: z.string(),
  part: z.enum(["element", "own", "outside", "file"]),
  paths: z.array(z.string()),
  /** By candidate. */
  effects: z.array(z.enum(["same", "changed", "added", "removed"])),
  /** By candidate, the first one that has the very same there. */
  sameAs: z.array(z.int()),
});

const comparedFileSchema = z.object({
  path: z.string(),
  rows: z.array(comparedRowSchema),
  /** Why the file is one row; null where its elements are told apart. */
  whole: z.nullable(z.enum(["no-grammar", "syntax", "new-file", "deleted", "moved", "uncertain"])),
  /** Candidates whose changes met what the user changed meanwhile. */
  leftOut: z.array(z.int()),
});

/** Host to panel, about a request to several models. */
export const candidateHostMessages = [
  /** Send the draft to several models: `send-to-models` answers. */
  z.object({ type: z.literal("draft-to-models") }),
  /** This draft was sent. */
  z.object({ type: z.literal("draft-sent"), text: z.string() }),
  /** What the models of an agent turn make of the files, by element. */
  z.object({ type: z.literal("compared"), turnId: z.string(), files: z.array(comparedFileSchema) }),
  /** What was chosen is proposed, but for these. */
  z.object({
    type: z.literal("combined"),
    turnId: z.string(),
    problems: z.array(
      z.object({
        code: z.enum([
          "busy",
          "nothing",
          "syntax",
          "not-as-chosen",
          "changed-meanwhile",
          "refused",
        ]),
        path: z.string(),
        /** The element, or what else there is to say; "" for nothing. */
        detail: z.string(),
      }),
    ),
  }),
] as const;

/** Panel to host, about a request to several models. */
export const candidatePanelMessages = [
  /** Choose models for this draft, and send it; `draft-sent` answers once it is. */
  z.object({
    type: z.literal("send-to-models"),
    text: z.string().check(z.maxLength(1_000_000)),
    attached: attachmentRefsSchema,
  }),
  /** Compare the answers of an agent turn; `compared` answers. */
  z.object({ type: z.literal("compare-answers"), turnId: z.string() }),
  /** Propose the files with these rows from these candidates; the others stay. `combined` answers. */
  z.object({
    type: z.literal("propose-chosen"),
    turnId: z.string(),
    choices: z
      .array(z.object({ path: z.string(), row: z.string(), candidate: z.int() }))
      .check(z.maxLength(10_000)),
  }),
  /** Show what a candidate makes of a file. */
  z.object({
    type: z.literal("compare-file"),
    turnId: z.string(),
    path: z.string(),
    candidate: z.int(),
  }),
  /** Show the chat in which a candidate answered, beside this one. */
  z.object({
    type: z.literal("open-answer"),
    of: z.string().check(z.regex(/^chat-[a-z0-9-]{1,40}$/)),
  }),
] as const;

/** What candidates make of one file, for the panel. */
export type ComparedAnswers = z.infer<typeof comparedFileSchema>;
/** A difference that is taken as a whole. */
export type ComparedPart = z.infer<typeof comparedRowSchema>;
/** Why something that was chosen is not proposed. */
export type CombinedProblem = z.infer<(typeof candidateHostMessages)[3]>["problems"][number];
