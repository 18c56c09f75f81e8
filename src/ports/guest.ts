import * as z from "zod/mini";
import { firstWords } from "../base/text/clip.ts";
import { visibleLine } from "../base/text/visibleText.ts";

/** One edit of a call, or one that was decided since, as facts. */
export const guestEditSchema = z.object({
  path: z.string(),
  /** The address as people read it: `lines 3-9`, `ast-path:Shape-area`, `complete file`. */
  target: z.string(),
  op: z.string(),
  status: z.string(),
  /** The code of why it was not simply applied or proposed; null where it was. */
  reason: z.nullable(z.string()),
  /** The codes of what speaks against it. */
  warnings: z.array(z.string()),
});

/** See {@link guestEditSchema}. */
export type GuestEdit = Readonly<z.infer<typeof guestEditSchema>>;

/** What a guest's call gave. */
export const guestResultSchema = z.object({
  /** For the guest's model. */
  text: z.string(),
  isError: z.boolean(),
  /** The category of a failed call; null for success. */
  error: z.nullable(z.string()),
  edits: z.array(guestEditSchema),
  /** What the user decided since the guest was told last. */
  decided: z.array(guestEditSchema),
  /** The files in which the user took accepted changes back since then; absent for none. */
  restored: z.exactOptional(z.array(z.string())),
});

/** See {@link guestResultSchema}. */
export type GuestResult = z.infer<typeof guestResultSchema>;

/** A tool as a guest's model sees it. */
export interface GuestTool {
  readonly name: string;
  readonly description: string;
  /** The JSON Schema of the arguments. */
  readonly parameters: Readonly<Record<string, unknown>>;
  readonly readOnly: boolean;
}

/** Graft's tools for one guest: an agent of another maker. */
export interface GuestTools {
  readonly specs: readonly GuestTool[];
  /** Runs a call. Never throws; an aborted call gives an error. */
  call(tool: string, args: unknown, signal: AbortSignal): Promise<GuestResult>;
}

/** The most that one call's arguments, as JSON, may have, in UTF-16 units. */
export const MAX_GUEST_ARGUMENTS = 8_000_000;

/** The most of a guest's name that users see, in UTF-16 units. */
const MAX_NAME = 60;

/**
 * What a guest claims to be called, as one line without hidden characters and icons; "" where it
 * does not say.
 */
export function guestName(claimed: string): string {
  // Editors draw `$(check)` as an icon, which the guest has no say in.
  return firstWords(visibleLine(claimed.trim().slice(0, 4 * MAX_NAME)), MAX_NAME).replace(
    /\$+\(/g,
    "(",
  );
}
