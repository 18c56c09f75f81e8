import * as z from "zod/mini";
import { turnEventSchema } from "../turns/turnEvent.ts";

const panelStatusSchema = z.object({
  /** True while a turn runs: Send becomes Stop. */
  busy: z.boolean(),
  /** The model's name, or "Demo" for the built-in endpoint. */
  model: z.string(),
  /** True while the built-in demonstration answers. */
  demo: z.boolean(),
  /** True when an endpoint is set that needs a key and none is stored. */
  keyMissing: z.boolean(),
  /** False in an untrusted workspace: chat without writes. */
  trusted: z.boolean(),
  /** False when no folder is open. */
  workspace: z.boolean(),
  /** True while a new chat is shown because the last one is open in another window. */
  elsewhere: z.boolean(),
  /** Paths of files whose diff has fallen behind its proposal. */
  behind: z.array(z.string()),
});

/** Host to panel. */
export const hostMessageSchema = z.discriminatedUnion("type", [
  /** Everything from the beginning: the panel forgets what it had. */
  z.object({ type: z.literal("snapshot"), chatId: z.string(), events: z.array(turnEventSchema), status: panelStatusSchema }),
  /** The events of one frame, in order. */
  z.object({ type: z.literal("events"), chatId: z.string(), events: z.array(turnEventSchema) }),
  z.object({ type: z.literal("status"), status: panelStatusSchema }),
  z.object({ type: z.literal("focus-composer") }),
  /** A text to write on with: a queued message that the user took back. */
  z.object({ type: z.literal("compose"), text: z.string() }),
]);

/** Panel to host. */
export const panelMessageSchema = z.discriminatedUnion("type", [
  /** The panel is (again) there and has the events of `chatId` up to `lastSeq`; null and 0 for nothing. */
  z.object({ type: z.literal("ready"), chatId: z.nullable(z.string()), lastSeq: z.int() }),
  /** While a turn runs, the text is queued. */
  z.object({ type: z.literal("send"), text: z.string().check(z.maxLength(1_000_000)) }),
  /** Take a message out of the queue; to `edit` it, it comes back with `compose`. */
  z.object({ type: z.literal("unqueue"), id: z.string(), edit: z.boolean() }),
  /** Send what is queued, after a turn that did not come to a good end. */
  z.object({ type: z.literal("send-queued") }),
  /** Ask something else in the place of a user turn. */
  z.object({ type: z.literal("resend"), turnId: z.string(), text: z.string().check(z.maxLength(1_000_000)) }),
  /** Show the branch through this turn. */
  z.object({ type: z.literal("show-branch"), turnId: z.string() }),
  z.object({ type: z.literal("stop") }),
  z.object({ type: z.literal("new-chat") }),
  /** Show the chat that was open in another window. */
  z.object({ type: z.literal("open-elsewhere") }),
  /** Ask again what the agent turn answered. */
  z.object({ type: z.literal("retry"), turnId: z.string() }),
  /** Open a file of the workspace; `line` is 1-based or null. */
  z.object({ type: z.literal("open-file"), path: z.string(), line: z.nullable(z.int()) }),
  z.object({ type: z.literal("show-proposal"), path: z.string() }),
  z.object({ type: z.literal("accept-file"), path: z.string() }),
  z.object({ type: z.literal("reject-file"), path: z.string() }),
  /** Restore files to before an agent turn: one, or all that it and later turns changed. */
  z.object({ type: z.literal("restore-files"), turnId: z.string(), path: z.nullable(z.string()) }),
  /** Propose a block that a guard held back. */
  z.object({ type: z.literal("propose-anyway"), turnId: z.string(), blockId: z.string() }),
  /** What the user answers to a tool's question; null for no answer. */
  z.object({
    type: z.literal("answer"),
    callId: z.string(),
    values: z.nullable(z.array(z.string().check(z.maxLength(100_000))).check(z.maxLength(20))),
  }),
  /** What the user answers to the question for permission; without a scope it is for this call. */
  z.object({
    type: z.literal("approve"),
    callId: z.string(),
    allowed: z.boolean(),
    scope: z.optional(z.enum(["turn", "session", "workspace"])),
  }),
  /** Start Edit Mode on File, on the active editor's file. */
  z.object({ type: z.literal("start-edit-mode") }),
  z.object({ type: z.literal("set-api-key") }),
  z.object({ type: z.literal("open-settings") }),
  z.object({ type: z.literal("manage-trust") }),
  z.object({ type: z.literal("copy"), text: z.string() }),
  /** A link in an answer; only http and https are followed, by the editor's own question. */
  z.object({ type: z.literal("open-link"), url: z.string() }),
]);

/** What the panel shows beside the turns. */
export type PanelStatus = z.infer<typeof panelStatusSchema>;
/** What the host tells the panel. */
export type HostMessage = z.infer<typeof hostMessageSchema>;
/** What the panel asks of the host. */
export type PanelMessage = z.infer<typeof panelMessageSchema>;
