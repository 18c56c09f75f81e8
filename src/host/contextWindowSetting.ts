import * as z from "zod/mini";
import { DEFAULT_CONTEXT_WINDOW } from "../agent/chatOptions.ts";

const tokens = z.int().check(z.minimum(1000), z.maximum(100_000_000));

/** The setting `graft.contextWindow`: tokens for every model, or by the model's name, or its beginning with `*` behind it. */
export const contextWindowSchema = z.union([tokens, z.record(z.string(), tokens)]);

/** A value of the setting. */
export type ContextWindowSetting = z.infer<typeof contextWindowSchema>;

/** The tokens that the setting says for `model`: the name counts before a beginning, a longer beginning before a shorter one. */
export function windowOf(setting: ContextWindowSetting, model: string): number {
  if (typeof setting === "number") return setting;
  const fitting = Object.keys(setting).filter((name) => (name.endsWith("*") ? model.startsWith(name.slice(0, -1)) : name === model));
  const nearest = fitting.sort((a, b) => Number(a.endsWith("*")) - Number(b.endsWith("*")) || b.length - a.length)[0];
  return (nearest === undefined ? undefined : setting[nearest]) ?? DEFAULT_CONTEXT_WINDOW;
}
