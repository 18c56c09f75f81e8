import * as z from "zod/mini";

/** A file with changes to decide on. */
export const pendingFileSchema = z.object({
  path: z.string(),
  /**
   * Set where the whole file is to be deleted, or renamed `to` another path; the block is its
   * decision, null where it is applied.
   */
  operation: z.optional(
    z.object({
      to: z.nullable(z.string()),
      block: z.nullable(z.object({ turnId: z.string(), blockId: z.string() })),
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
  /** The blocks that wrote the proposal, and how many of them are accepted. */
  blocks: z.int(),
  accepted: z.int(),
  /** Blocks that became several hunks. */
  several: z.array(z.object({ turnId: z.string(), blockId: z.string(), hunks: z.int() })),
  /** True while an answer writes to it: it cannot be decided yet. */
  streaming: z.boolean(),
  /** True for changes that are in the file already, to keep or to undo. */
  applied: z.boolean(),
  /** Set while another window has it; a decision takes it over first. */
  elsewhere: z.optional(z.literal(true)),
});

/** A model that an empty chat offers. */
export const modelOfferSchema = z.object({
  source: z.enum(["connection", "vscode-lm", "local", "environment", "provider"]),
  /** The vendor in VS Code, the connection's name, or the kind of a provider to enter a key for. */
  from: z.string(),
  /** The model's name there and as people read it; "" when its server was not asked yet. */
  model: z.string(),
  label: z.string(),
});

/** An MCP server of the workspace that has not been agreed to. */
export const mcpOfferSchema = z.object({
  /** Identifies the file, the name, the definition, and the files that it runs. */
  key: z.string(),
  name: z.string(),
  /** The workspace's file that defines it. */
  path: z.string(),
  /** True for a server that is reached by its address; false for a program on this machine. */
  remote: z.boolean(),
  /** All of it, with a line of JSON for each field. */
  definition: z.string(),
  /** Files that it runs and that changed since the user agreed to start it. */
  changed: z.optional(z.array(z.string())),
});

/** The check of the workspace, on what the shown chat proposes. */
const checkSchema = z.object({
  /** The command line; null while the user has not chosen one. */
  command: z.nullable(z.string()),
  /**
   * `asks` where files that decide what it runs are proposed or changed since it was chosen, or it
   * would run elsewhere than then.
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
  /** The files that `asks` is about; absent where it is about where it runs. */
  deciding: z.optional(z.array(z.string())),
  /** How many changes it is about. */
  changes: z.optional(z.int()),
  /** The number of the run in a search, from 1 on. */
  run: z.optional(z.int()),
  /** How many of the changes it fails without, where that was looked for. */
  needed: z.optional(z.int()),
  /**
   * What the search found. `alone`: without this change it passes. `first`: it fails from this
   * change on. `line` is 1-based in the proposal; null for a deletion or a move.
   */
  breaking: z.optional(
    z.object({
      code: z.enum(["alone", "first", "fails-before", "several"]),
      path: z.nullable(z.string()),
      line: z.nullable(z.int()),
    }),
  ),
});

/** What the panel shows besides the chat. */
export const panelStatusSchema = z.object({
  /** True while a turn runs: Send becomes Stop. */
  busy: z.boolean(),
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
  /** Absent where no check can run. */
  check: z.optional(checkSchema),
  /** MCP servers of the workspace that start only if the user agrees; absent for none. */
  agreements: z.optional(z.array(mcpOfferSchema)),
});
