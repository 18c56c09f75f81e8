import * as z from "zod/mini";

const savedStateSchema = z.object({
  /** What the user typed and did not send. */
  draft: z.string(),
  /** Distance from the top in pixels, or null where the end was in view. */
  scrollTop: z.nullable(z.number()),
});

/** What the panel keeps when the editor throws it away. */
export type SavedState = z.infer<typeof savedStateSchema>;

/** Reads what was kept; anything unreadable counts as nothing. */
export function parseSavedState(value: unknown): SavedState {
  const parsed = savedStateSchema.safeParse(value);
  return parsed.success ? parsed.data : { draft: "", scrollTop: null };
}
