import * as z from "zod/mini";

/**
 * A field that providers leave out, send as null or get wrong: anything but what is expected reads as null. That a field is absent is no
 * error that would have to be caught, which costs ten times as much, for every chunk.
 */
export function lenient<Schema extends z.ZodMiniType>(schema: Schema) {
  return z.catch(z.nullish(schema), null);
}
