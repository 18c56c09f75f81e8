import * as z from "zod/mini";
import { type TurnEvent, turnEventSchema } from "./turnEvent.ts";

/** Parses a line of a history file; null for a damaged one. */
export function parseTurnEvent(line: string): TurnEvent | null {
  try {
    const parsed = z.safeParse(turnEventSchema, JSON.parse(line));
    return parsed.success ? parsed.data : null;
  } catch {
    return null;
  }
}

const numberedSchema = z.object({ seq: z.int() });

/** The number of an event that a newer version may have written; 0 for a damaged line. */
export function turnEventNumber(line: string): number {
  try {
    const parsed = z.safeParse(numberedSchema, JSON.parse(line));
    return parsed.success ? parsed.data.seq : 0;
  } catch {
    return 0;
  }
}
