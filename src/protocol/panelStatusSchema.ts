import * as z from "zod/mini";

/** What of a file's changes is of one chat or guest. */
const shareSchema = z.object({
  chatId: z.string(),
  /** Whether it is the panel's own chat, another one, or an agent of another maker. */
  kind: z.enum(["own", "chat", "guest"]),
  /** A chat's title or a guest's name, "" where that is not known. */
  name: z.string(),
  /** The hunks that it wrote, alone or with others. */
  hunks: z.int(),
});

/** A file with changes to decide on. */
export const pendingFileSchema = z.object({
  path: z.string(),
  /**
   * Set where the whole file is to be deleted, renamed `to` another path, or made `executable` or no
   * longer, by this block.
   */
  operation: z.optional(
    z.object({
      to: z.nullable(z.string()),
      executable: z.optional(z.boolean()),
      block: z.object({ turnId: z.string(), blockId: z.string() }),
    }),
  ),
  /** Set for a protected file, which is only accepted by itself. */
  protected: z.optional(z.literal(true)),
  /** Lines that are pending. */
  added: z.int(),
  removed: z.int(),
  hunks: z.int(),
  /** Hunks that are never accepted with the rest. */
  conflicts: z.int(),
  warnings: z.int(),
  /** How many of the blocks that wrote the proposal are accepted, at least in part. */
  accepted: z.int(),
  /** True while an answer writes to it: it cannot be decided yet. */
  streaming: z.boolean(),
  /** Whose changes are left; absent where all are of the panel's own chat. */
  shares: z.optional(z.array(shareSchema)),
  /** The agents of other makers whose changes are left, "" for one without a name; absent for none. */
  agents: z.optional(z.array(z.string())),
  /** Set while another window has it; a decision takes it over first. */
  elsewhere: z.optional(z.literal(true)),
  /** What the system said where its record could not be written; absent for one on record. */
  unkept: z.optional(z.string()),
});

/** A model that an empty chat offers. */
export const modelOfferSchema = z.object({
  source: z.enum(["connection", "vscode-lm", "local", "environment"]),
  /** The vendor in VS Code, or the connection's name. */
  from: z.string(),
  /** What the vendor is called; absent where `from` is its name. */
  fromName: z.optional(z.string()),
  /** The model's name there and as people read it; "" when its server was not asked yet. */
  model: z.string(),
  label: z.string(),
});

/** An MCP server of the workspace that has not been agreed to. */
export const mcpOfferSchema = z.object({
  /** Identifies the file, the name and the definition. */
  key: z.string(),
  name: z.string(),
  /** The workspace's file that defines it. */
  path: z.string(),
  /** True for a server that is reached by its address; false for a program on this machine. */
  remote: z.boolean(),
  /** All of it, with a line of JSON for each field. */
  definition: z.string(),
});

/** The check of the workspace, on what the shown chat proposes. */
const checkSchema = z.object({
  /** The command line; null while the user has not chosen one. */
  command: z.nullable(z.string()),
  /**
   * `asks` where it has no sandbox and did not run in this chat yet: it runs what the changes make
   * of it.
   */
  state: z.enum([
    ...(["none", "asks", "running", "searching"] as const),
    ...(["passed", "failed", "stopped", "problem"] as const),
  ]),
  /** True where the result is about other text than what is proposed now. */
  stale: z.boolean(),
  /** How long it took, in milliseconds. */
  ms: z.optional(z.number()),
  /** Why it could not run, in words. */
  problem: z.optional(z.string()),
  /** True where its sandbox kept the network from it, or files that may hold keys. */
  lacked: z.optional(z.boolean()),
  /** How many changes it is about. */
  changes: z.optional(z.int()),
  /** The number of the run in a search, from 1 on. */
  run: z.optional(z.int()),
  /** How many of the changes it fails without, where that was looked for. */
  needed: z.optional(z.int()),
  /**
   * What the search found: without this change and so many others it passes. `line` is 1-based in
   * the proposal; null for a deletion or a move.
   */
  breaking: z.optional(
    z.object({
      code: z.enum(["found", "fails-before", "not-found"]),
      path: z.nullable(z.string()),
      line: z.nullable(z.int()),
      others: z.int(),
    }),
  ),
});

/** A chat of the window in which something is going on. */
export const openChatSchema = z.object({
  chatId: z.string(),
  /** Its name, or the first words of its first request; "" without one. */
  title: z.string(),
  /** `done` where its turn ended and nobody has seen it since. */
  state: z.enum(["running", "waiting", "done"]),
});

/** What the panel shows besides the chat. */
export const panelStatusSchema = z.object({
  /** True while a turn runs: Send becomes Stop. */
  busy: z.boolean(),
  /** Set while a side question is asked, which Stop ends. */
  asking: z.optional(z.literal(true)),
  /** The model's name, or "Demo" in demo mode. */
  model: z.string(),
  /**
   * What the model that answers next is called at its endpoint, and its context window in tokens;
   * absent in demo mode.
   */
  next: z.optional(z.object({ model: z.string(), window: z.number() })),
  /** True in demo mode. */
  demo: z.boolean(),
  /** True when a model was chosen, or demo mode. */
  chosen: z.boolean(),
  /**
   * Models to offer while none is chosen, most useful first; null until the panel asked for them.
   */
  offers: z.nullable(z.array(modelOfferSchema)),
  /**
   * Set where images are not sent: the model takes none, or this version of VS Code cannot send
   * them.
   */
  noImages: z.optional(z.enum(["model", "editor"])),
  /** True when the endpoint needs a key and none is stored. */
  keyMissing: z.boolean(),
  /** False in an untrusted workspace: chat without writes. */
  trusted: z.boolean(),
  /** False when no folder is open. */
  workspace: z.boolean(),
  /** Paths of files whose diff is behind its proposal. */
  behind: z.array(z.string()),
  /** The files with changes to review, oldest first. */
  pending: z.array(pendingFileSchema),
  /**
   * What the agent leaves to its user, and what is chosen now; absent for nothing. Its modes have no
   * name.
   */
  agentOptions: z.optional(z.array(z.object({ name: z.string(), value: z.string() }))),
  /** How much the model reasons, `default` where Graft does not say; absent where it may not reason. */
  effort: z.optional(z.string()),
  /** The mode of chats where none was chosen; absent for the default one. */
  mode: z.optional(z.string()),
  /** The agents of the workspace that can be chosen as a mode; absent for none. */
  agents: z.optional(z.array(z.object({ id: z.string(), name: z.string() }))),
  /** Absent where no check can run. */
  check: z.optional(checkSchema),
  /** The other chats of the window in which something is going on; absent for none. */
  chats: z.optional(z.array(openChatSchema)),
  /** MCP servers of the workspace that start only if the user agrees; absent for none. */
  agreements: z.optional(z.array(mcpOfferSchema)),
});
