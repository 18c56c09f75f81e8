import * as z from "zod/mini";

const priceSchema = z.object({
  input: z.number(),
  output: z.number(),
  cachedInput: z.nullable(z.number()),
});

/** {@link ModelInfo} as it is remembered. */
export const modelInfoSchema = z.object({
  /** Its name at the endpoint. */
  id: z.string(),
  /** As people read it. */
  label: z.string(),
  /** Tokens for request and answer together. */
  contextWindow: z.nullable(z.number()),
  tools: z.nullable(z.boolean()),
  images: z.nullable(z.boolean()),
  reasoning: z.nullable(z.boolean()),
  price: z.nullable(priceSchema),
});

/** What is known of a model; null where nobody said. */
export type ModelInfo = Readonly<z.infer<typeof modelInfoSchema>>;

/** In US dollars per million tokens. */
export type ModelPrice = Readonly<z.infer<typeof priceSchema>>;
