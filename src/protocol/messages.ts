import * as z from "zod/mini";
import { turnEventSchema } from "../turns/turnEvent.ts";

const pendingFileSchema = z.object({
  path: z.string(),
  /** Lines that are pending. */
  added: z.int(),
  removed: z.int(),
  hunks: z.int(),
  /** Hunks that are never accepted with the rest. */
  conflicts: z.int(),
  warnings: z.int(),
  /** The blocks that wrote the proposal, and how many of them are accepted. */
  blocks: z.int(),
  accepted: z.int(),
  /** Blocks that became several hunks. */
  several: z.array(z.object({ turnId: z.string(), blockId: z.string(), hunks: z.int() })),
  /** True while an answer writes to it: it cannot be decided yet. */
  streaming: z.boolean(),
  /** True for changes that are in the file already, to keep or to undo. */
  applied: z.boolean(),
});

const panelStatusSchema = z.object({
  /** True while a turn runs: Send becomes Stop. */
  busy: z.boolean(),
  /** The model's name, or "Demo" in demo mode. */
  model: z.string(),
  /** True in demo mode. */
  demo: z.boolean(),
  /** True when the endpoint needs a key and none is stored. */
  keyMissing: z.boolean(),
  /** False in an untrusted workspace: chat without writes. */
  trusted: z.boolean(),
  /** False when no folder is open. */
  workspace: z.boolean(),
  /** True while a new chat is shown because the last one is open in another window. */
  elsewhere: z.boolean(),
  /** Paths of files whose diff is behind its proposal. */
  behind: z.array(z.string()),
  /** The files with changes to review, oldest first. */
  pending: z.array(pendingFileSchema),
});

/** Host to panel. */
export const hostMessageSchema = z.discriminatedUnion("type", [
  /** Everything from the beginning; replaces what the panel had. */
  z.object({ type: z.literal("snapshot"), chatId: z.string(), events: z.array(turnEventSchema), status: panelStatusSchema }),
  /** The events of one frame, in order. */
  z.object({ type: z.literal("events"), chatId: z.string(), events: z.array(turnEventSchema) }),
  z.object({ type: z.literal("status"), status: panelStatusSchema }),
  z.object({ type: z.literal("focus-composer") }),
  /** A text for the composer: a queued message that the user edits. */
  z.object({ type: z.literal("compose"), text: z.string() }),
]);

/** Panel to host. */
export const panelMessageSchema = z.discriminatedUnion("type", [
  /** The panel (re)appeared and has the events of `chatId` up to `lastSeq`; null and 0 for none. */
  z.object({ type: z.literal("ready"), chatId: z.nullable(z.string()), lastSeq: z.int() }),
  /** While a turn runs, the text is queued. */
  z.object({ type: z.literal("send"), text: z.string().check(z.maxLength(1_000_000)) }),
  /** Remove a queued message; to `edit` it, `compose` returns its text. */
  z.object({ type: z.literal("unqueue"), id: z.string(), edit: z.boolean() }),
  /** Send the queued messages after a turn that failed or was stopped. */
  z.object({ type: z.literal("send-queued") }),
  /** Replace a user turn's request. */
  z.object({ type: z.literal("resend"), turnId: z.string(), text: z.string().check(z.maxLength(1_000_000)) }),
  /** Show the branch through this turn. */
  z.object({ type: z.literal("show-branch"), turnId: z.string() }),
  z.object({ type: z.literal("stop") }),
  z.object({ type: z.literal("new-chat") }),
  /** Show the chat that was open in another window. */
  z.object({ type: z.literal("open-elsewhere") }),
  /** Repeat an agent turn. */
  z.object({ type: z.literal("retry"), turnId: z.string() }),
  /** Open a file of the workspace; `line` is 1-based or null. */
  z.object({ type: z.literal("open-file"), path: z.string(), line: z.nullable(z.int()) }),
  /** Show a file's diff; null for the active file's, or the oldest. */
  z.object({ type: z.literal("show-proposal"), path: z.nullable(z.string()) }),
  z.object({ type: z.literal("accept-file"), path: z.string() }),
  z.object({ type: z.literal("reject-file"), path: z.string() }),
  /** Accept or reject everything that a block wrote; without `overwrite`, Graft asks before it replaces lines that the user edited. */
  z.object({ type: z.literal("accept-block"), turnId: z.string(), blockId: z.string(), overwrite: z.boolean() }),
  z.object({ type: z.literal("reject-block"), turnId: z.string(), blockId: z.string() }),
  /** Accept everything in the workspace, except conflicts and hunks with warnings. */
  z.object({ type: z.literal("accept-all") }),
  z.object({ type: z.literal("reject-all") }),
  /** Show, keep or undo changes that were applied before they were reviewed; keep and undo all with null. */
  z.object({ type: z.literal("show-changes"), path: z.string() }),
  z.object({ type: z.literal("keep-changes"), path: z.nullable(z.string()) }),
  z.object({ type: z.literal("undo-changes"), path: z.nullable(z.string()) }),
  /** Undo the changes of an agent turn and later ones, in one file or in all. */
  z.object({ type: z.literal("restore-files"), turnId: z.string(), path: z.nullable(z.string()) }),
  /** Propose a block that a guard stopped. */
  z.object({ type: z.literal("propose-anyway"), turnId: z.string(), blockId: z.string() }),
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
    /** Accept all pending changes before the call runs. */
    acceptAll: z.optional(z.literal(true)),
  }),
  /** Start edit mode on the active editor's file. */
  z.object({ type: z.literal("start-edit-mode") }),
  z.object({ type: z.literal("set-api-key") }),
  z.object({ type: z.literal("open-settings") }),
  z.object({ type: z.literal("manage-trust") }),
  z.object({ type: z.literal("copy"), text: z.string() }),
  /** Open a link of an answer; only http and https, after VS Code asked. */
  z.object({ type: z.literal("open-link"), url: z.string() }),
]);

/** A file with changes to review. */
export type PendingFile = z.infer<typeof pendingFileSchema>;
/** What the panel shows beside the turns. */
export type PanelStatus = z.infer<typeof panelStatusSchema>;
/** A message from the host to the panel. */
export type HostMessage = z.infer<typeof hostMessageSchema>;
/** A message from the panel to the host. */
export type PanelMessage = z.infer<typeof panelMessageSchema>;
