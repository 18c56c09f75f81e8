import * as z from "zod/mini";
import { blockWarningSchema } from "../ports/review.ts";
import { blockReasonSchema } from "./blockReason.ts";

/** The states of an edit block, from the first character of its fence to its end. */
export const editStatusSchema = z.enum([
  "streaming",
  "captured",
  "pending",
  "applied",
  "partly-applied",
  "rejected",
  "ignored",
  "refused",
  /** Only a guard stands against it; it is proposed when the user asks for it. */
  "held",
  "incomplete",
  /** The user stopped the answer. */
  "stopped",
  "conflict",
  /** A later edit has other text for its place. */
  "superseded",
  /** Taken back by a later edit or a command, and not by the user. */
  "withdrawn",
]);

/** One edit block as the panel shows it and the trace keeps it. */
export const editBlockSchema = z.object({
  /** Unique in the turn. */
  blockId: z.string(),
  /** The edit request (tool call, or the command) it belongs to. */
  callId: z.string(),
  /** Workspace-relative path of the file. */
  path: z.string(),
  /** 1-based number of the block within its turn. */
  index: z.int(),
  /**
   * The address as people read it: `lines 3-9`, `ast-path:Shape-area`, `complete file`; for
   * `rename` the file's new path. Nobody sees that of a deletion or a mode.
   */
  target: z.string(),
  /** The first line that its opener names; absent where it names none. */
  line: z.optional(z.int()),
  /** How its opener names the place; absent for a change in a tool's arguments. */
  format: z.optional(z.enum(["ast", "lines", "complete"])),
  op: z.enum([
    "replace",
    "before",
    "after",
    "with-comment",
    "remove",
    "append",
    "prepend",
    "complete",
    "delete",
    "rename",
    "make-executable",
    "make-plain",
  ]),
  status: editStatusSchema,
  /** Null for plain success, and for a reason that another version wrote. */
  reason: z.catch(z.nullable(blockReasonSchema), null),
  /** A block with warnings is never accepted automatically. */
  warnings: z.catch(z.readonly(z.array(blockWarningSchema)), []),
  /** True for a conflict that waits for the user; absent where nobody can decide on it. */
  undecided: z.optional(z.boolean()),
  /** Set where something of it was accepted that the disk may not have yet. */
  isUnsaved: z.optional(z.literal(true)),
  /** Set where the file was restored after it was accepted; the reducer sets it. */
  undone: z.optional(z.literal(true)),
  /** Set where the disk may not have what undid it, or made it again. */
  isUndoUnsaved: z.optional(z.literal(true)),
  /** Why the user rejected it, or a part of it, in their words. */
  rejection: z.optional(z.string()),
  /**
   * What the user changed in the file's proposal, as a unified diff; on the block that was decided
   * last.
   */
  userDiff: z.optional(z.string()),
  /**
   * As long as nothing of it is decided, its part of the difference between file and proposal;
   * before it is proposed, what it does to its place.
   */
  addedLines: z.int(),
  removedLines: z.int(),
  /** The step (0-based model answer of the turn) whose text holds the block. */
  step: z.int(),
  /**
   * Half-open UTF-16 range of the whole block, fences included, in that step's text; `textEnd` is
   * null while it streams.
   */
  textStart: z.int(),
  textEnd: z.nullable(z.int()),
});

/** The states of an edit block, from the first character of its fence to its end. */
export type EditStatus = z.infer<typeof editStatusSchema>;

/** A block as decided: what the panel shows of it and the trace keeps. */
export type EditBlock = z.infer<typeof editBlockSchema>;

/** {@link ToldEdit} in a history file. */
export const toldEditSchema = z.object({
  blockId: z.string(),
  status: editStatusSchema,
  became: z.exactOptional(editStatusSchema),
});

/** What a model was told of an edit: its status, and what became of what replaced it. */
export type ToldEdit = Readonly<z.infer<typeof toldEditSchema>>;

/** What is told of an edit that is in this state. */
export function toldOf({ blockId, status, reason }: EditBlock): ToldEdit {
  const became = reason?.code === "superseded" ? reason.became : undefined;
  return { blockId, status, ...(became && { became }) };
}

/** True where both say the same. */
export function saysTheSame(one: ToldEdit | undefined, other: ToldEdit): boolean {
  return one?.status === other.status && one.became === other.became;
}
