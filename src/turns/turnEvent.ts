import * as z from "zod/mini";
import { providerDataSchema } from "../model/providerData.ts";
import { usageSchema } from "../model/streamPart.ts";
import { agentOffersSchema } from "../ports/commands/agentOffers.ts";
import {
  backendSchema,
  commandEventSchemas,
  commandStateSchema,
  ranOnProposalsSchema,
} from "../ports/commands/commandState.ts";
import { attachmentRefsSchema, attachmentSchema, spanSchema } from "./attachment.ts";
import { candidateEventSchemas, turnEndReasonSchema } from "./candidates/candidateEvents.ts";
import { editBlockSchema, toldEditSchema } from "./editBlock.ts";
import { noticeSchema } from "./notice.ts";
import { chatModeSchema } from "./plan/chatMode.ts";
import { todosSchema } from "./plan/todos.ts";
import { turnErrorSchema } from "./turnError.ts";

/** Set on what the user said aloud. */
const spoken = z.optional(z.literal(true));

const queuedMessageSchema = z.object({
  id: z.string(),
  text: z.string(),
  attached: z.optional(attachmentRefsSchema),
  spoken,
  /** The chat's mode when it was written; absent for the default one. */
  mode: z.optional(chatModeSchema),
});

/** What the user attached to a message; absent for nothing. */
const attachments = z.optional(z.array(attachmentSchema));

const contextUseSchema = z.object({
  /**
   * What the model can take, request and answer together, and what of it is kept free for the
   * answer.
   */
  window: z.int(),
  reserve: z.int(),
  /** What the parts of the request take. */
  system: z.int(),
  tools: z.int(),
  attachments: z.int(),
  history: z.int(),
});

/** An edit block of a turn. */
export const blockNameSchema = z.object({ turnId: z.string(), blockId: z.string() });

const restoredFileSchema = z.object({
  path: z.string(),
  deleted: z.boolean(),
  /** Its document has the text, the disk does not. */
  isUnsaved: z.exactOptional(z.literal(true)),
});

const fileViewSchema = z.object({
  path: z.string(),
  first: z.int(),
  last: z.int(),
  total: z.int(),
});

/** A tool of an MCP server, or of another extension: server null. Both as they are named there. */
const toolOriginSchema = z.object({ tool: z.string(), server: z.nullable(z.string()) });

/** How many places a search shows, and whether there are more. */
const hitsSchema = z.object({ shown: z.int(), more: z.boolean() });

const editorViewSchema = z.object({
  selection: z.nullable(spanSchema),
  visible: z.nullable(spanSchema),
  tabs: z.array(z.string()),
});

const turnEventBodySchema = z.discriminatedUnion("type", [
  /**
   * A user turn has its text here and ends at once, without a `turn-end`; an agent turn has a
   * model.
   */
  z.object({
    type: z.literal("turn-start"),
    role: z.enum(["user", "agent"]),
    parentTurnId: z.nullable(z.string()),
    text: z.nullable(z.string()),
    model: z.nullable(z.string()),
    /** The path that Start Edit Mode on File was run on. */
    editFile: z.nullable(z.string()),
    /** On a user turn, the workspace-relative path of the active file, or null. */
    activeFile: z.nullable(z.string()),
    /** On a user turn, what else the editor showed. */
    editor: z.optional(editorViewSchema),
    attachments,
    spoken,
    /** On a user turn, the ids of the messages that it is made of. */
    messages: z.optional(z.array(z.string())),
    /** On an agent turn, the mode in which it answers; absent for the default one. */
    mode: z.optional(chatModeSchema),
    /** The call that started it, where an agent answers for a turn; on its request too. */
    within: z.optional(z.object({ turnId: z.string(), callId: z.string() })),
  }),
  /** A request to the model begins; steps count from 0 within the turn. */
  z.object({ type: z.literal("step-start"), step: z.int() }),
  z.object({ type: z.literal("text-delta"), text: z.string() }),
  z.object({ type: z.literal("reasoning-delta"), text: z.string() }),
  /**
   * All text of the step so far was reasoning, whose beginning nobody marked. The calls that it held
   * as text are gone.
   */
  z.object({ type: z.literal("text-was-reasoning"), callIds: z.array(z.string()) }),
  /** All text of the step so far may be reasoning: a tag in it can be read both ways. */
  z.object({ type: z.literal("text-may-be-reasoning") }),
  z.object({
    type: z.literal("tool-call-start"),
    callId: z.string(),
    name: z.string(),
    origin: z.optional(toolOriginSchema),
  }),
  z.object({ type: z.literal("tool-call-delta"), callId: z.string(), argsText: z.string() }),
  /** The call is complete. `input` is the parsed JSON, or the text if it is not JSON. */
  z.object({
    type: z.literal("tool-call"),
    callId: z.string(),
    name: z.string(),
    argsText: z.string(),
    input: z.unknown(),
  }),
  z.object({ type: z.literal("tool-start"), callId: z.string() }),
  z.object({
    type: z.literal("approval-request"),
    callId: z.string(),
    tool: z.string(),
    /** `read` only for a read-only tool of an MCP server, and for what is fetched or may hold keys. */
    effect: z.enum(["read", "write", "execute"]),
    summary: z.string(),
    /**
     * The command line that would run, its folder in the workspace (`.` for the root), and the part
     * of it that can be allowed with more words.
     */
    command: z.optional(
      z.object({ text: z.string(), folder: z.string(), prefix: z.optional(z.string()) }),
    ),
    /** What would be committed; no paths where they are unknown. */
    commit: z.optional(z.object({ message: z.string(), paths: z.readonly(z.array(z.string())) })),
    /** The host of the web; one approval covers all of its pages. */
    host: z.optional(z.string()),
    /** The MCP server; one approval covers all of its read-only tools. */
    server: z.optional(z.string()),
    /**
     * The arguments of an MCP server's tool, as indented JSON, the content of a new file, or an
     * address that would be fetched.
     */
    arguments: z.optional(z.string()),
    /** The hooks and settings of a repository by which it may run programs. */
    programs: z.optional(z.readonly(z.array(z.string()))),
    /** Set where Graft always asks. */
    eachTime: z.optional(z.literal(true)),
    /** Files whose proposed changes the call would not see. */
    pendingFiles: z.optional(z.readonly(z.array(z.string()))),
    /** Files whose unsaved edits the call would not see. */
    unsavedFiles: z.optional(z.readonly(z.array(z.string()))),
    /** Set where it runs on the proposals. */
    onProposals: z.optional(
      z.object({
        backend: backendSchema,
        isSandboxed: z.optional(z.literal(true)),
        isConfined: z.optional(z.literal(true)),
        isChosen: z.optional(z.literal(true)),
      }),
    ),
    /** Set where the command asks for the network. */
    wantsNetwork: z.optional(z.literal(true)),
    /** Why it would not run on the proposals, though the user wants that. */
    notOnProposals: z.optional(
      z.object({
        code: z.string(),
        detail: z.string(),
        path: z.optional(z.string()),
        size: z.optional(z.object({ bytes: z.number(), limit: z.number() })),
      }),
    ),
  }),
  z.object({
    type: z.literal("approval-decision"),
    callId: z.string(),
    allowed: z.boolean(),
    by: z.enum(["user", "settings", "flags", "trust", "candidates", "cancel"]),
    /**
     * The setting or earlier permission that decided; absent where the user was asked, and for a
     * default.
     */
    rule: z.optional(z.string()),
    /** For how long the user allowed it. */
    scope: z.optional(z.enum(["call", "turn", "session", "workspace"])),
  }),
  /** A running tool asks the user. Its result, or another question, also ends the question. */
  z.object({
    type: z.literal("question"),
    callId: z.string(),
    kind: z.enum(["choice", "multi-choice", "text", "confirm"]),
    /** The model's words; "" where Graft asks, by `about`. */
    question: z.string(),
    options: z.array(z.string()),
    /**
     * May the model continue, which repeats a call, or whose turn costs more than the user's limit?
     * In US dollars.
     */
    about: z.optional(
      z.discriminatedUnion("code", [
        z.object({ code: z.literal("repeated-calls"), tool: z.string(), times: z.int() }),
        z.object({ code: z.literal("turn-cost"), cost: z.number(), limit: z.number() }),
      ]),
    ),
  }),
  /** In histories of earlier versions; the call's result says it now. */
  z.object({ type: z.literal("question-end"), callId: z.string() }),
  /**
   * The last lines of a running tool's output, replacing the previous ones, or how much of the
   * workspace was copied for it. Not kept in the history.
   */
  z.object({
    type: z.literal("tool-progress"),
    callId: z.string(),
    text: z.string(),
    copied: z.optional(z.object({ files: z.int(), bytes: z.int() })),
  }),
  /**
   * `output` is what the model sees. `error` has its category and sentence unless the status is
   * success. What another version wrote differently is left out, so that the output stays.
   */
  z.object({
    type: z.literal("tool-result"),
    callId: z.string(),
    status: z.catch(z.enum(["success", "error", "cancelled"]), "error"),
    output: z.string(),
    error: z.catch(z.nullable(z.object({ category: z.string(), message: z.string() })), null),
    durationMs: z.catch(z.number(), 0),
    /** How often the tool was run again after a passing failure; absent where it never was. */
    retries: z.catch(z.optional(z.int()), undefined),
    /** The lines of files that `output` shows; absent where it shows none. */
    views: z.catch(z.optional(z.array(fileViewSchema)), undefined),
    /** For `run_command`. */
    command: z.catch(z.optional(commandStateSchema), undefined),
    /** Set where it ran on the proposals. */
    onProposals: z.catch(z.optional(ranOnProposalsSchema), undefined),
    /** For tools that list places. */
    hits: z.catch(z.optional(hitsSchema), undefined),
  }),
  ...commandEventSchemas,
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
  z.object({
    type: z.literal("change-done"),
    callId: z.string(),
    blockId: z.string(),
    path: z.string(),
    target: z.string(),
  }),
  /**
   * The report on the edits, sent to the model as the next input of the turn, to an agent of another
   * maker with the next prompt. It tells of the edits of `callIds`, where absent of all.
   */
  z.object({
    type: z.literal("edit-report"),
    text: z.string(),
    callIds: z.exactOptional(z.array(z.string())),
  }),
  /**
   * What the user decided on proposals of these blocks, sent to the model with its next request.
   * Their turns may be earlier ones.
   */
  z.object({
    type: z.literal("decisions"),
    text: z.string(),
    told: z.array(z.extend(toldEditSchema, { turnId: z.string() })),
  }),
  noticeSchema,
  /** In histories of version 0.1; it says nothing now. */
  z.object({ type: z.literal("tools-refused"), address: z.string() }),
  /**
   * The user restored files to before the turn that answered `request`, or undid that (`undone`).
   * May come after the turn's end.
   */
  z.object({
    type: z.literal("files-restored"),
    request: z.string(),
    files: z.array(restoredFileSchema),
    undone: z.optional(z.boolean()),
    /** The editor's undo or another program did that, to these blocks and no others. */
    blocks: z.exactOptional(z.array(blockNameSchema)),
  }),
  z.object({ type: z.literal("usage"), usage: usageSchema }),
  /** What a request takes that is about to be sent; at the turn's end, what the next one would. */
  z.object({ type: z.literal("context-use"), use: contextUseSchema }),
  /**
   * The calls of a message begin to run; `tool-processing-complete` follows unless Graft crashes.
   */
  z.object({ type: z.literal("tool-processing-start"), callIds: z.array(z.string()) }),
  z.object({ type: z.literal("tool-processing-complete") }),
  /** The request failed before its answer began; it is retried after `waitMs` milliseconds. */
  z.object({
    type: z.literal("retry"),
    attempt: z.int(),
    maxAttempts: z.int(),
    waitMs: z.number(),
    error: turnErrorSchema,
  }),
  /** A message that the user queued, sent to the model between two steps. */
  z.object({
    type: z.literal("user-message"),
    text: z.string(),
    attachments,
    spoken,
    id: z.optional(z.string()),
  }),
  /**
   * Speaking the answer `step` is over: of its text, the user has heard the first `heard` of the
   * `total` UTF-16 units that were to be spoken. May come after the turn's end.
   */
  z.object({
    type: z.literal("speech-end"),
    step: z.int(),
    heard: z.int(),
    total: z.int(),
    reason: z.enum(["done", "interrupted", "failed"]),
  }),
  /** Opaque data that the provider wants back with this step's answer. */
  z.extend(providerDataSchema, { type: z.literal("provider-data") }),
  /** The user switched to the branch that ends with this turn. */
  z.object({ type: z.literal("head") }),
  /** The model is asked for a summary; `compaction` follows on success. */
  z.object({ type: z.literal("compaction-start") }),
  /**
   * From here on the summary replaces all earlier turns in requests; with `before`, this turn's own
   * steps before that one.
   */
  z.object({ type: z.literal("compaction"), summary: z.string(), before: z.optional(z.int()) }),
  /** Rules of the workspace from here on: the file's path and its text, or its beginning. */
  z.object({ type: z.literal("rules"), path: z.string(), text: z.string() }),
  /** The to-dos as the model wrote them; `again` where a request tells them after a summary. */
  z.object({
    type: z.literal("todos"),
    items: todosSchema,
    again: z.optional(z.literal(true)),
  }),
  /**
   * A question of the user about the conversation, and its answer. The model never sees either. May
   * come after the turn's end, which counts its tokens.
   */
  z.object({
    type: z.literal("aside"),
    question: z.string(),
    text: z.string(),
    usage: z.optional(usageSchema),
  }),
  /** An image of the answer. */
  z.object({ type: z.literal("answer-image"), attachment: attachmentSchema }),
  /** All messages that wait to be sent; belongs to no turn. */
  z.object({ type: z.literal("queue"), messages: z.array(queuedMessageSchema) }),
  /** What the agent of another maker offers that answers in the chat; belongs to no turn. */
  z.extend(agentOffersSchema, { type: z.literal("agent-offers"), agent: z.string() }),
  /** The user chose how later messages are answered; belongs to no turn. */
  z.object({ type: z.literal("chat-mode"), mode: chatModeSchema }),
  /** The user named the chat; belongs to no turn. */
  z.object({ type: z.literal("chat-title"), title: z.string() }),
  ...candidateEventSchemas,
  z.object({
    type: z.literal("turn-end"),
    reason: turnEndReasonSchema,
    /** Null unless the reason is `error`. Reads as null where version 0.1 wrote it. */
    error: z.catch(z.nullable(turnErrorSchema), null),
  }),
]);

/**
 * `seq` counts from 1 within a chat (merged deltas have the last number); `at` is in milliseconds
 * since 1970.
 */
const turnStampSchema = z.object({ seq: z.int(), turnId: z.string(), at: z.number() });

/** A stamped event, as in traces, histories, the panel and the command line. */
export const turnEventSchema = z.intersection(turnStampSchema, turnEventBodySchema);

/**
 * The selected and visible lines of the active file, 1-based and inclusive, and the
 * workspace-relative paths of open tabs, latest first.
 */
export type EditorView = z.infer<typeof editorViewSchema>;
/**
 * The lines `first` to `last` (1-based and inclusive) of a file with `total` lines, shown to the
 * model.
 */
export type FileView = z.infer<typeof fileViewSchema>;
/** What became of a command. */
export type CommandState = z.infer<typeof commandStateSchema>;
/** Whose tool is called, where it is not Graft's. */
export type ToolOrigin = z.infer<typeof toolOriginSchema>;
/** How many places a search shows, and whether there are more. */
export type SearchHits = z.infer<typeof hitsSchema>;
/** A file that the user restored; `deleted` where it did not exist before. */
export type RestoredFile = z.infer<typeof restoredFileSchema>;
/** An edit block, by its turn. */
export type BlockName = z.infer<typeof blockNameSchema>;
/** A message that waits to be sent. */
export type QueuedMessage = z.infer<typeof queuedMessageSchema>;
/** How much of a context window is taken, in estimated tokens. */
export type ContextUse = z.infer<typeof contextUseSchema>;
/** How much of a spoken answer the user heard. */
export type SpeechEnd = Readonly<Omit<Extract<TurnEventBody, { type: "speech-end" }>, "type">>;
/**
 * Why an agent turn ended. `interrupted` marks, on load, a turn that a crash or a reload cut off.
 */
export type TurnEndReason = z.infer<typeof turnEndReasonSchema>;
/** What happens in a turn, before the stream hub stamps it. */
export type TurnEventBody = z.infer<typeof turnEventBodySchema>;
/** What happened in a turn: plain JSON, one line of the history file. */
export type TurnEvent = z.infer<typeof turnStampSchema> & TurnEventBody;
