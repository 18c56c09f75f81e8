import * as z from "zod/mini";

/**
 * A field that providers omit, null or get wrong: it then reads as null. An absent field is no caught error, because
 * catching costs ten times as much for every chunk.
 */
export function lenient<Schema extends z.ZodMiniType>(schema: Schema) {
  return z.catch(z.nullish(schema), null);
}
