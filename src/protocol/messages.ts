import * as z from "zod/mini";
import { MAX_IMAGE_BYTES } from "../base/imageHeader.ts";
import {
  attachmentRefSchema,
  attachmentRefsSchema,
  MAX_NAME,
  previewSchema,
} from "../turns/attachment.ts";
import { chatModeSchema } from "../turns/plan/chatMode.ts";
import { turnEventSchema } from "../turns/turnEvent.ts";
import { candidateHostMessages, candidatePanelMessages } from "./candidateMessages.ts";
import {
  type mcpOfferSchema,
  modelOfferSchema,
  type openChatSchema,
  panelStatusSchema,
  type pendingFileSchema,
} from "./panelStatusSchema.ts";

const attachableSchema = z.object({
  ref: attachmentRefSchema,
  /** Estimated tokens of what the model would see now; null for what cannot be read. */
  tokens: z.nullable(z.int()),
  /** True where the model would see only the beginning. */
  clipped: z.boolean(),
  /** Why it cannot be read, for the user; absent where that is not known. */
  why: z.optional(z.string()),
});

/** Why something was not attached, and its name or "". */
const refusalSchema = z.object({
  code: z.enum([
    ...(["not-in-workspace", "nothing-selected", "not-stored"] as const),
    ...(["image-too-large", "image-too-many-pixels", "image-unsupported", "image-broken"] as const),
  ]),
  name: z.string(),
});

const suggestionSchema = z.object({
  /** What the option says, and where it is. */
  label: z.string(),
  detail: z.string(),
  /** What choosing it attaches, and the text it leaves in the composer. */
  ref: z.nullable(attachmentRefSchema),
  insert: z.string(),
});

/** The ids of a chat, which also names its log, and of a message, as `newId` makes them. */
const chatIdSchema = z.string().check(z.regex(/^chat-[a-z0-9-]{1,40}$/));
const messageIdSchema = z.string().check(z.regex(/^message-[a-z0-9-]{1,40}$/));
const voiceSchema = z.object({
  state: z.enum([
    "off",
    "opening",
    "ready",
    "listening",
    "hearing",
    "recognizing",
    "working",
    "waiting",
    "speaking",
  ]),
  handsFree: z.boolean(),
  /** The words so far, while they are recognized. */
  words: z.string(),
  /** True while the browser plays nothing before a click into the voice page. */
  muted: z.boolean(),
  /** True where words and speech are made up. */
  demo: z.boolean(),
  /**
   * What went wrong, in words; `retry` where the utterance can be sent again, `key` where the
   * server's key is missing or wrong.
   */
  problem: z.nullable(z.object({ text: z.string(), retry: z.boolean(), key: z.boolean() })),
  /** Why there is no voice here, in words. */
  unavailable: z.nullable(z.string()),
});

/** Host to panel. */
export const hostMessageSchema = z.discriminatedUnion("type", [
  /** Everything from the beginning; replaces what the panel had. */
  z.object({
    type: z.literal("snapshot"),
    chatId: z.string(),
    events: z.array(turnEventSchema),
    status: panelStatusSchema,
  }),
  /** The events of one frame, in order, for a panel that has those up to `after`. */
  z.object({
    type: z.literal("events"),
    chatId: z.string(),
    after: z.int(),
    events: z.array(turnEventSchema),
  }),
  /**
   * The host is done with the message `id`, which is in the events before this one if it is on
   * record; `refused` returns it to the composer.
   */
  z.object({ type: z.literal("settled"), id: messageIdSchema, refused: z.boolean() }),
  /**
   * Is the panel alive, and does it have the events of this chat up to `lastSeq`? `alive` answers,
   * or `ready` from one that does not.
   */
  z.object({ type: z.literal("ping"), chatId: z.string(), lastSeq: z.int() }),
  z.object({ type: z.literal("status"), status: panelStatusSchema }),
  z.object({ type: z.literal("focus-composer") }),
  /** Open the search in the chat with these words. */
  z.object({ type: z.literal("find"), text: z.string() }),
  /** A text for the composer: a queued message that the user edits. */
  z.object({
    type: z.literal("compose"),
    text: z.string(),
    attached: z.optional(attachmentRefsSchema),
  }),
  ...candidateHostMessages,
  /** What is known of attachments that the composer has; it may have dropped them since. */
  z.object({ type: z.literal("measured"), items: z.array(attachableSchema) }),
  /** Attachments for the composer. `refused` is what was not attached. */
  z.object({
    type: z.literal("attach"),
    items: z.array(attachableSchema),
    refused: z.array(refusalSchema),
    /** The id of the `attach-image` or `attach-paths` that this answers. */
    answers: z.optional(z.int()),
  }),
  /**
   * An image that the panel scales for `attach-image`, as base64; `path` is null outside the
   * workspace.
   */
  z.object({
    type: z.literal("scale-image"),
    name: z.string(),
    path: z.nullable(z.string()),
    data: z.string(),
  }),
  /** Answers `suggest` number `id`, perhaps several times; the last answer counts. */
  z.object({
    type: z.literal("suggestions"),
    id: z.int(),
    items: z.array(suggestionSchema),
    complete: z.boolean(),
  }),
  /**
   * The active editor's file, or its selection, which the model is told of but does not see; null
   * for none.
   */
  z.object({ type: z.literal("active-file"), ref: z.nullable(attachmentRefSchema) }),
  z.object({ type: z.literal("voice"), voice: voiceSchema }),
  /**
   * The microphone's loudness in decibels, as a share of the range from silence (0) to the loudest
   * sound (1).
   */
  z.object({ type: z.literal("voice-level"), level: z.number() }),
]);

const actionSchema = z.discriminatedUnion("type", [
  /** The panel (re)appeared, or missed something, and needs a snapshot. */
  z.object({ type: z.literal("ready") }),
  /** It has drawn all events up to this one, and takes the next ones. */
  z.object({ type: z.literal("drawn"), seq: z.int() }),
  /**
   * Messages whose type says it all. `send-queued` comes after a turn that failed or was stopped;
   * `accept-all` skips conflicts, warnings and protected files.
   */
  z.object({
    type: z.enum(["alive", "stop", "send-queued", "accept-all", "reject-all", "start-edit-mode"]),
  }),
  z.object({
    type: z.enum([
      "choose-model",
      "choose-agent-option",
      "choose-effort",
      "find-models",
      "test-connection",
      "try-demo",
      "enter-api-key",
      "set-api-key",
      "manage-trust",
    ]),
  }),
  /**
   * A message for `chatId`, which is opened first; while a turn runs there, it is queued. One that
   * comes again counts once.
   */
  z.object({
    type: z.literal("send"),
    chatId: chatIdSchema,
    id: messageIdSchema,
    text: z.string().check(z.maxLength(1_000_000)),
    attached: z.optional(attachmentRefsSchema),
    /** The mode that the panel showed; absent for the default one. */
    mode: z.optional(chatModeSchema),
    /** The panel was loaded since it was sent first: only to ask what became of it. */
    again: z.optional(z.literal(true)),
  }),
  ...candidatePanelMessages,
  /** How later messages of the chat are answered. */
  z.object({ type: z.literal("set-mode"), mode: chatModeSchema }),
  /** Open the plan that an agent turn ended with, or carry it out, here or in a new chat. */
  z.object({
    type: z.literal("plan"),
    turnId: z.string(),
    action: z.enum(["open", "start", "start-new"]),
  }),
  /** What fits what the user types after `@`, or after `/` at the beginning of a message. */
  z.object({
    type: z.literal("suggest"),
    id: z.int(),
    trigger: z.enum(["@", "/"]),
    query: z.string().check(z.maxLength(500)),
  }),
  /**
   * The user attached these: `measured` answers with their tokens, or `attach` for what only the
   * host can read.
   */
  z.object({ type: z.literal("measure"), refs: attachmentRefsSchema }),
  /**
   * The user dropped these URIs, or pasted these paths of the workspace; `attach` answers with what
   * exists in it.
   */
  z.object({
    type: z.literal("attach-uris"),
    uris: z.array(z.string().check(z.maxLength(8_000))).check(z.maxLength(200)),
  }),
  z.object({
    type: z.literal("attach-paths"),
    paths: z.array(z.string().check(z.maxLength(4_096))).check(z.maxLength(200)),
    /** Set where the message waits for these: an `attach` answers it once all is read. */
    id: z.optional(z.int()),
  }),
  /** An image, scaled and written anew as PNG or JPEG in base64; `attach` answers. */
  z.object({
    type: z.literal("attach-image"),
    id: z.int(),
    name: z.string().check(z.maxLength(MAX_NAME)),
    path: z.nullable(z.string().check(z.maxLength(4_096))),
    data: z.string().check(z.maxLength(Math.ceil(MAX_IMAGE_BYTES / 3) * 4)),
    preview: previewSchema,
  }),
  /** Show an attachment in the editor. */
  z.object({ type: z.literal("open-attachment"), ref: attachmentRefSchema }),
  /** Remove a queued message; to `edit` it, `compose` returns its text. */
  z.object({ type: z.literal("unqueue"), id: z.string(), edit: z.boolean() }),
  /** Replace a user turn's request. */
  z.object({
    type: z.literal("resend"),
    turnId: z.string(),
    text: z.string().check(z.maxLength(1_000_000)),
  }),
  /** Show the branch through this turn, or repeat an agent turn. */
  z.object({ type: z.enum(["show-branch", "retry"]), turnId: z.string() }),
  /**
   * Hold and let go of the button; silence the answer; turn the microphone off; recognize again
   * what was not recognized.
   */
  z.object({
    type: z.literal("voice"),
    action: z.enum(["press", "release", "hush", "close", "retry", "key", "settings"]),
  }),
  /** Show a new chat under this id in the side bar. */
  z.object({ type: z.literal("new-chat"), chatId: chatIdSchema }),
  /** Show this chat of the window in the side bar. */
  z.object({ type: z.literal("show-chat"), chatId: chatIdSchema }),
  /** Open a file of the workspace; `line` is 1-based or null. */
  z.object({ type: z.literal("open-file"), path: z.string(), line: z.nullable(z.int()) }),
  /** Save a file with accepted changes. */
  z.object({ type: z.literal("save-file"), path: z.string() }),
  /** Show a file's diff; null for the active file's, or the oldest. */
  z.object({ type: z.literal("show-proposal"), path: z.nullable(z.string()) }),
  /** Decide on a file's proposal. */
  z.object({ type: z.enum(["accept-file", "reject-file"]), path: z.string() }),
  /**
   * Accept everything that a block wrote; without `overwrite`, Graft asks before it replaces lines
   * that the user edited.
   */
  z.object({
    type: z.literal("accept-block"),
    turnId: z.string(),
    blockId: z.string(),
    overwrite: z.boolean(),
  }),
  /**
   * Reject what a block wrote, ask the user what the model should change about it, or propose a
   * block that a guard stopped.
   */
  z.object({
    type: z.enum(["reject-block", "change-block", "propose-anyway"]),
    turnId: z.string(),
    blockId: z.string(),
  }),
  /** End a command that a call left running. */
  z.object({ type: z.literal("stop-command"), turnId: z.string(), callId: z.string() }),
  z.object({ type: z.literal("restart-command"), turnId: z.string(), callId: z.string() }),
  /** Decide on all that a tool call proposes. */
  z.object({
    type: z.enum(["accept-call", "reject-call"]),
    turnId: z.string(),
    callId: z.string(),
  }),
  /** Decide on all that a chat or guest proposes, in every file; null is the panel's own chat. */
  z.object({ type: z.enum(["accept-chat", "reject-chat"]), of: z.nullable(z.string()) }),
  /**
   * The check of the proposals: choose one, run or stop it, show its output, ask the model to fix
   * what it found, find the change that breaks it or those it needs, show that one.
   */
  z.object({
    type: z.literal("check"),
    action: z.enum(["choose", "run", "network", "stop", "output", "fix", "find", "need", "show"]),
  }),
  /** Undo the changes of an agent turn and later ones, in one file or in all. */
  z.object({ type: z.literal("restore-files"), turnId: z.string(), path: z.nullable(z.string()) }),
  /** Make again what undoing a turn's changes took from a file. */
  z.object({ type: z.literal("redo-file"), turnId: z.string(), path: z.string() }),
  /** The user's answer to a tool's question; null when skipped. */
  z.object({
    type: z.literal("answer"),
    callId: z.string(),
    values: z.nullable(z.array(z.string().check(z.maxLength(100_000))).check(z.maxLength(20))),
  }),
  /** The user's answer to an approval; without a scope for this call only. */
  z.object({
    type: z.literal("approve"),
    callId: z.string(),
    allowed: z.boolean(),
    scope: z.optional(z.enum(["turn", "session", "workspace"])),
    /** With a scope: also the command with further words. */
    more: z.optional(z.literal(true)),
    /**
     * What to do before the call runs: accept all pending changes, save the unsaved files that the
     * question named, or ask again for another place, which may be that of all commands of the chat.
     */
    first: z.optional(
      z.enum(["accept-all", "save-files", "own-files", "always-own-files", "always-proposals"]),
    ),
  }),
  /** The user starts these of the MCP servers that the panel showed, and no other. */
  z.object({ type: z.literal("agree"), open: z.array(z.string()), start: z.array(z.string()) }),
  z.object({ type: z.literal("take-offer"), offer: modelOfferSchema }),
  /** Show settings: VS Code's for the network, or Graft's. */
  z.object({
    type: z.literal("open-settings"),
    query: z.optional(z.enum(["http.", "graft.connections"])),
  }),
  z.object({ type: z.literal("copy"), text: z.string() }),
  /** Write code of an answer in place of the selection of the active editor. */
  z.object({ type: z.literal("insert-code"), text: z.string() }),
  /**
   * Propose code of an agent turn where it belongs; `info` follows its fence, `before` is the text
   * before it.
   */
  z.object({
    type: z.literal("apply-code"),
    turnId: z.string(),
    text: z.string().check(z.maxLength(1_000_000)),
    info: z.string().check(z.maxLength(2_000)),
    before: z.string().check(z.maxLength(2_000)),
  }),
  /** Go to where a word of an answer is defined. */
  z.object({ type: z.literal("open-symbol"), name: z.string().check(z.maxLength(200)) }),
  /** Open a link of an answer; only http and https, after VS Code asked. */
  z.object({ type: z.literal("open-link"), url: z.string() }),
]);

/** Panel to host, with the chat that it acts on: the one shown, as soon as the panel knows it. */
export const panelMessageSchema = z.intersection(
  z.object({ chatId: z.optional(chatIdSchema) }),
  actionSchema,
);

/** A file with changes to review. */
export type PendingFile = z.infer<typeof pendingFileSchema>;
/** A model that a new user can take with one click. */
export type ModelOffer = z.infer<typeof modelOfferSchema>;
/** An MCP server that the workspace wants to start. */
export type McpOffer = z.infer<typeof mcpOfferSchema>;
/** A chat of the window in which something is going on. */
export type OpenChatState = z.infer<typeof openChatSchema>;
/** What the panel shows beside the turns. */
export type PanelStatus = z.infer<typeof panelStatusSchema>;
/** An attachment of the composer, and what is known of it. */
export type Attachable = z.infer<typeof attachableSchema>;
/** An option of the composer's list. */
export type Suggestion = z.infer<typeof suggestionSchema>;
/** A message from the host to the panel. */
export type HostMessage = z.infer<typeof hostMessageSchema>;
/** What the host tells the composer's attachments and lists. */
export type ContextMessage = Extract<
  HostMessage,
  { readonly type: "attach" | "measured" | "scale-image" | "suggestions" | "active-file" }
>;
/** What the host wants found in the chat. */
export type FindMessage = Extract<HostMessage, { readonly type: "find" }>;
/** Speaking with Graft, as the panel shows it. */
export type PanelVoice = z.infer<typeof voiceSchema>;
/** What the host tells the panel of voice. */
export type VoiceMessage = Extract<HostMessage, { readonly type: "voice" | "voice-level" }>;
/** What the host tells a panel of several models. */
export type CandidateMessage = Extract<
  HostMessage,
  { readonly type: "draft-to-models" | "draft-sent" | "compared" | "combined" }
>;
/** A text for the composer. */
export type ComposeMessage = Extract<HostMessage, { readonly type: "compose" }>;
/** What the panel asks of the host. */
export type PanelAction = z.infer<typeof actionSchema>;
/** A message from the panel to the host. */
export type PanelMessage = z.infer<typeof panelMessageSchema>;
