import * as z from "zod/mini";
import { blockReasonSchema, blockWarningSchema } from "./blockReason.ts";

const editStatusSchema = z.enum([
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
]);

const editBlockSchema = z.object({
  /** Unique in the turn. */
  blockId: z.string(),
  /** The edit request (tool call, or the command) it belongs to. */
  callId: z.string(),
  /** Workspace-relative path of the file. */
  path: z.string(),
  /** 1-based number of the block within its turn. */
  index: z.int(),
  /** The address as people read it: `lines 3-9`, `ast-path:Shape-area`, `complete file`. */
  target: z.string(),
  op: z.enum(["replace", "before", "after", "with-comment", "remove", "append", "prepend", "complete"]),
  status: editStatusSchema,
  /** Null for plain success, and for a reason that another version wrote. */
  reason: z.catch(z.nullable(blockReasonSchema), null),
  /** A block with warnings is never accepted automatically. */
  warnings: z.catch(z.array(blockWarningSchema), []),
  /** True for a conflict that waits for the user; absent where nobody decides on it any more. */
  undecided: z.optional(z.boolean()),
  addedLines: z.int(),
  removedLines: z.int(),
  /** The step (0-based model answer of the turn) whose text holds the block. */
  step: z.int(),
  /** Half-open UTF-16 range of the whole block, fences included, in that step's text; `textEnd` is null while it streams. */
  textStart: z.int(),
  textEnd: z.nullable(z.int()),
});

const queuedMessageSchema = z.object({ id: z.string(), text: z.string() });

const usageSchema = z.object({
  inputTokens: z.nullable(z.int()),
  outputTokens: z.nullable(z.int()),
});

const turnEndReasonSchema = z.enum(["done", "cancelled", "error", "step-limit", "length", "interrupted"]);

const restoredFileSchema = z.object({ path: z.string(), deleted: z.boolean() });

const linesSchema = z.object({ first: z.int(), last: z.int() });

const editorViewSchema = z.object({ selection: z.nullable(linesSchema), visible: z.nullable(linesSchema), tabs: z.array(z.string()) });

const turnEventBodySchema = z.discriminatedUnion("type", [
  /** A user turn has its text here and ends at once, without a `turn-end`; an agent turn has a model. */
  z.object({
    type: z.literal("turn-start"),
    role: z.enum(["user", "agent"]),
    parentTurnId: z.nullable(z.string()),
    text: z.nullable(z.string()),
    model: z.nullable(z.string()),
    /** Set on a user turn that came from Start Edit Mode on File: the file's path. */
    editFile: z.nullable(z.string()),
    /** On a user turn, the workspace-relative path of the file in the active editor, else null. */
    activeFile: z.nullable(z.string()),
    /** On a user turn, what else the editor showed; absent where there is none. */
    editor: z.optional(editorViewSchema),
  }),
  /** A request to the model begins; steps count from 0 within the turn. */
  z.object({ type: z.literal("step-start"), step: z.int() }),
  z.object({ type: z.literal("text-delta"), text: z.string() }),
  z.object({ type: z.literal("reasoning-delta"), text: z.string() }),
  z.object({ type: z.literal("tool-call-start"), callId: z.string(), name: z.string() }),
  z.object({ type: z.literal("tool-call-delta"), callId: z.string(), argsText: z.string() }),
  /** The call is complete. `input` is the parsed JSON, or the text as written where it is not JSON. */
  z.object({ type: z.literal("tool-call"), callId: z.string(), name: z.string(), argsText: z.string(), input: z.unknown() }),
  z.object({ type: z.literal("tool-start"), callId: z.string() }),
  z.object({
    type: z.literal("approval-request"),
    callId: z.string(),
    tool: z.string(),
    /** `read` only for a tool of an MCP server that says it only reads. */
    effect: z.enum(["read", "write", "execute"]),
    summary: z.string(),
    /** The command line that would run, and in which folder of the workspace (`.` for the workspace itself). */
    command: z.optional(z.object({ text: z.string(), folder: z.string() })),
    /** The MCP server whose reading tools are all asked about at once. */
    server: z.optional(z.string()),
    /** Set for what is asked about each time. */
    eachTime: z.optional(z.literal(true)),
  }),
  z.object({
    type: z.literal("approval-decision"),
    callId: z.string(),
    allowed: z.boolean(),
    by: z.enum(["user", "settings", "trust", "cancel"]),
    /** The rule of the settings, or the earlier permission, that decided; absent where the user was asked, and for a default. */
    rule: z.optional(z.string()),
    /** For how long the user allowed it. */
    scope: z.optional(z.enum(["call", "turn", "session", "workspace"])),
  }),
  /** A running tool asks the user; its result, or another question, is the end of it too. */
  z.object({
    type: z.literal("question"),
    callId: z.string(),
    kind: z.enum(["choice", "multi-choice", "text", "confirm"]),
    question: z.string(),
    options: z.array(z.string()),
  }),
  /** The question is over, answered or not, and its tool goes on. */
  z.object({ type: z.literal("question-end"), callId: z.string() }),
  /** What a running tool has to show so far: the last lines of its output, in place of what it showed before. Not kept in the history. */
  z.object({ type: z.literal("tool-progress"), callId: z.string(), text: z.string() }),
  /** `output` is what the model is told. `error` is its category and sentence when the status is not success. */
  z.object({
    type: z.literal("tool-result"),
    callId: z.string(),
    status: z.enum(["success", "error", "cancelled"]),
    output: z.string(),
    error: z.nullable(z.object({ category: z.string(), message: z.string() })),
    durationMs: z.number(),
    /** How often the tool was run again after a passing failure; absent where it never was. */
    retries: z.optional(z.int()),
  }),
  z.object({
    type: z.literal("edit-session-start"),
    callId: z.string(),
    path: z.string(),
    exists: z.boolean(),
    mode: z.nullable(z.enum(["lines", "ast", "complete"])),
  }),
  z.object({
    type: z.literal("edit-session-end"),
    callId: z.string(),
    reason: z.enum(["completed", "replaced", "cancelled", "error", "disposed"]),
  }),
  z.object({ type: z.literal("edit-update"), edit: editBlockSchema }),
  /** One change reached the file. */
  z.object({ type: z.literal("change-done"), callId: z.string(), blockId: z.string(), path: z.string(), target: z.string() }),
  /** What the model was told about its edits, as the next input of the same turn. */
  z.object({ type: z.literal("edit-report"), text: z.string() }),
  /** A sentence for the user that is not part of the answer. */
  z.object({
    type: z.literal("notice"),
    level: z.enum(["info", "warning", "error"]),
    text: z.string(),
    /** What the user can do about it. */
    action: z.optional(z.literal("start-edit-mode")),
  }),
  /** The model at this address turned out to take no tools; from here on the chat asks it without. */
  z.object({ type: z.literal("tools-refused"), address: z.string() }),
  /** The user restored files to before a turn, or took that back (`undone`); `request` is what he had asked for there. May come after the turn's end. */
  z.object({
    type: z.literal("files-restored"),
    request: z.string(),
    files: z.array(restoredFileSchema),
    undone: z.optional(z.boolean()),
  }),
  z.object({ type: z.literal("usage"), usage: usageSchema }),
  /** The calls of a message begin to run; `tool-processing-complete` follows whatever happens, but for a crash. */
  z.object({ type: z.literal("tool-processing-start"), callIds: z.array(z.string()) }),
  z.object({ type: z.literal("tool-processing-complete") }),
  /** Nothing of the answer had come when the request failed; it is made again after `waitMs` milliseconds. */
  z.object({
    type: z.literal("retry"),
    attempt: z.int(),
    maxAttempts: z.int(),
    waitMs: z.number(),
    error: z.object({ kind: z.string(), message: z.string() }),
  }),
  /** What the user wrote while the turn ran, told to the model between two steps. */
  z.object({ type: z.literal("user-message"), text: z.string() }),
  /** What the provider wants back with the answer of this step; opaque. */
  z.object({
    type: z.literal("provider-data"),
    source: z.string(),
    message: z.record(z.string(), z.unknown()),
    calls: z.record(z.string(), z.record(z.string(), z.unknown())),
    reasoningField: z.optional(z.literal("reasoning_content")),
  }),
  /** The user switched to the branch that ends with this turn. */
  z.object({ type: z.literal("head") }),
  /** The model is asked to sum up all earlier turns; `compaction` follows where it does. */
  z.object({ type: z.literal("compaction-start") }),
  /** From here on the model is told this summary in the place of all earlier turns. */
  z.object({ type: z.literal("compaction"), summary: z.string() }),
  /** Rules of the workspace that hold from here on: the file's path and its text, or its beginning. */
  z.object({ type: z.literal("rules"), path: z.string(), text: z.string() }),
  /** All that waits to be sent from here on; of no turn. */
  z.object({ type: z.literal("queue"), messages: z.array(queuedMessageSchema) }),
  /** The user named the chat; of no turn. */
  z.object({ type: z.literal("chat-title"), title: z.string() }),
  z.object({
    type: z.literal("turn-end"),
    reason: turnEndReasonSchema,
    error: z.nullable(z.object({ kind: z.string(), message: z.string(), retryable: z.boolean() })),
  }),
]);

/** The stamp of an event: `seq` counts up from 1 within a chat (merged deltas keep the last one's number), `at` is milliseconds since 1970. */
const turnStampSchema = z.object({ seq: z.int(), turnId: z.string(), at: z.number() });

/** A stamped event: the one vocabulary of trace, history, panel and command line. */
export const turnEventSchema = z.intersection(turnStampSchema, turnEventBodySchema);

/** The states of an edit block, from the first character of its fence to its end. */
export type EditStatus = z.infer<typeof editStatusSchema>;
/** One edit block as the panel shows it and the trace keeps it. */
export type EditBlock = z.infer<typeof editBlockSchema>;
/** The lines selected and visible in the active file, 1-based and inclusive, and the workspace-relative paths of open tabs, the latest first. */
export type EditorView = z.infer<typeof editorViewSchema>;
/** A file that the user restored; `deleted` where it had not been there before. */
export type RestoredFile = z.infer<typeof restoredFileSchema>;
/** What the user wrote while a turn was running, and what is not sent yet. */
export type QueuedMessage = z.infer<typeof queuedMessageSchema>;
/** Why an agent turn ended. `interrupted` is given on load to a turn that a crash or a reload cut off. */
export type TurnEndReason = z.infer<typeof turnEndReasonSchema>;
/** What happens in a turn, before the stream hub stamps it. */
export type TurnEventBody = z.infer<typeof turnEventBodySchema>;
/** What happened in a turn: plain JSON, one line of the history file. */
export type TurnEvent = z.infer<typeof turnStampSchema> & TurnEventBody;
