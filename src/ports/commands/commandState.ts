import * as z from "zod/mini";

/**
 * What became of a command: still running, ended by a signal or the system, by itself with its exit
 * code, or with the window that ran it. `tail` is the end of its output, if it failed.
 */
export const commandStateSchema = z.discriminatedUnion("code", [
  z.object({ code: z.literal("running") }),
  z.object({ code: z.literal("lost") }),
  z.object({ code: z.literal("killed"), tail: z.optional(z.string()) }),
  z.object({ code: z.literal("exited"), exitCode: z.int(), tail: z.optional(z.string()) }),
]);

/** How a command saw what is proposed; absent in earlier records, which means an overlay. */
export const backendSchema = z.optional(z.enum(["overlay", "copy"]));

/** A run on the proposals, and how many files it changed there; absent for none. */
export const ranOnProposalsSchema = z.object({
  /** Earlier versions counted those, too, that it created, deleted or renamed. */
  changed: z.int(),
  created: z.optional(z.int()),
  deleted: z.optional(z.int()),
  renamed: z.optional(z.int()),
  /** Made executable, or no longer executable. */
  modes: z.optional(z.int()),
  /** Absolute paths of what it changed and cannot be proposed: links, and what is no text. */
  unproposed: z.optional(z.readonly(z.array(z.string()))),
  backend: backendSchema,
  /** Set where it had no network; whether it tried to use it. */
  sandbox: z.optional(z.object({ wantedNetwork: z.boolean() })),
});

/** What happens to a command that ran on after its call's result; its turn may be over, too. */
export const commandEventSchemas = [
  z.object({
    type: z.literal("command-ended"),
    callId: z.string(),
    command: commandStateSchema,
  }),
  /** It runs on the proposals, and saw text of these files that is rejected now. */
  z.object({
    type: z.literal("command-outdated"),
    callId: z.string(),
    paths: z.array(z.string()),
  }),
  /** The user started it again; `onProposals` is set where it runs on these. */
  z.object({
    type: z.literal("command-restarted"),
    callId: z.string(),
    onProposals: z.catch(z.optional(ranOnProposalsSchema), undefined),
  }),
] as const;
