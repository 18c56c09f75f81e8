import * as z from "zod/mini";
import { modelErrorSchema } from "../model/modelFailure.ts";

const fields = { type: z.literal("notice"), level: z.enum(["info", "warning", "error"]) };

/** What Graft tells the user within a turn, besides the answer. */
export const noticeSchema = z.discriminatedUnion("code", [
  z.object({ ...fields, code: z.enum(["compacted", "turn-running"]) }),
  /** Whether the model `thought`, and whether it is asked `again`. */
  z.object({
    ...fields,
    code: z.literal("empty-response"),
    thought: z.optional(z.literal(true)),
    again: z.optional(z.literal(true)),
  }),
  /** The server announced calls and sent none; the model is asked once more. */
  z.object({ ...fields, code: z.literal("lost-call") }),
  z.object({ ...fields, code: z.literal("step-limit"), steps: z.int() }),
  /** The window, in tokens, leaves room for these tools only; `brief`: described in a sentence. */
  z.object({
    ...fields,
    code: z.literal("small-window"),
    offer: z.enum(["few", "brief", "none"]),
    window: z.int(),
  }),
  /** The server counted far fewer tokens than were sent, by estimate: it cut the request. */
  z.object({
    ...fields,
    code: z.literal("request-cut"),
    sent: z.int(),
    counted: z.int(),
  }),
  /**
   * The server takes no tools: from here on they are described in the text, and calls are written
   * as text.
   */
  z.object({ ...fields, code: z.literal("tools-refused"), error: modelErrorSchema }),
  /** The server refused a request for these tools; the model goes on with the others. */
  z.object({
    ...fields,
    code: z.literal("tools-left-out"),
    tools: z.array(z.string()),
    error: modelErrorSchema,
  }),
  /**
   * No shadow can be had for the agent of another maker: it proposes by Graft's tools in place of its
   * own, or writes the user's files first.
   */
  z.object({
    ...fields,
    code: z.literal("agent-without-shadow"),
    agent: z.string(),
    way: z.enum(["tools", "writes-first"]),
  }),
  /**
   * What the agent of another maker did is neither in the files nor proposed: changes of that many
   * files at once (0 for none), of the git repository, or of links and files that are no text, by
   * their absolute paths.
   */
  z.object({
    ...fields,
    code: z.literal("agent-changes-lost"),
    agent: z.string(),
    files: z.int(),
    repository: z.boolean(),
    unproposed: z.optional(z.readonly(z.array(z.string()))),
  }),
  /** The agent's file asks for a model that no connection is known to have; the chat's answers. */
  z.object({ ...fields, code: z.literal("agent-model"), agent: z.string(), wanted: z.string() }),
  /** These commands ran in the background when their window ended, by their command lines. */
  z.object({ ...fields, code: z.literal("commands-lost"), commands: z.array(z.string()) }),
  /** The agent of another maker takes no images; they were not sent. */
  z.object({ ...fields, code: z.literal("agent-without-images"), agent: z.string() }),
  /** The server refused a request with images; the model is told their names only. */
  z.object({ ...fields, code: z.literal("images-refused"), error: modelErrorSchema }),
  /**
   * Edit mode asks for this format, because `refused` of the model's `blocks` by AST path were
   * refused.
   */
  z.object({
    ...fields,
    code: z.literal("edit-format"),
    format: z.enum(["lines", "complete"]),
    blocks: z.int(),
    refused: z.int(),
  }),
  /**
   * The answer seems to hold a call as text that nobody read; `taught` where the model was told how
   * to write it.
   */
  z.object({
    ...fields,
    code: z.literal("unread-call"),
    model: z.string(),
    taught: z.boolean(),
  }),
  /**
   * MCP support could not be loaded, for what the system said; null in the browser, which has none.
   */
  z.object({
    ...fields,
    code: z.literal("tools-unavailable"),
    detail: z.nullable(z.string()),
  }),
]);
