import * as z from "zod/mini";

/** A choice that an agent of another maker leaves to its user, such as its mode or its model. */
const agentOptionSchema = z.object({
  id: z.string(),
  /** "" for its modes, where they have no name. */
  name: z.string(),
  /** The id of one of the values. */
  current: z.string(),
  values: z.array(z.object({ id: z.string(), name: z.string(), description: z.string() })),
});

/** What an agent offers in a session besides its answers; names are single lines. */
export const agentOffersSchema = z.object({
  /** Whether its prompts may have images. */
  images: z.boolean(),
  options: z.array(agentOptionSchema),
  /** Its slash commands, without the slash. */
  commands: z.array(z.object({ name: z.string(), description: z.string() })),
});

/** See {@link agentOptionSchema}. */
export type AgentOption = Readonly<z.infer<typeof agentOptionSchema>>;
/** See {@link agentOffersSchema}. */
export type AgentOffers = Readonly<z.infer<typeof agentOffersSchema>>;
