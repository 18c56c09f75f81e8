import * as z from "zod/mini";
import { type TurnEvent, turnEventSchema } from "./turnEvent.ts";

/** The event in a line of a history file; null where the line is damaged. */
export function parseTurnEvent(line: string): TurnEvent | null {
  try {
    const parsed = z.safeParse(turnEventSchema, JSON.parse(line));
    return parsed.success ? parsed.data : null;
  } catch {
    return null;
  }
}

const numberedSchema = z.object({ seq: z.int() });

/** The number of an event that `parseTurnEvent` does not know, as a newer version may have written it; 0 where the line is damaged. */
export function turnEventNumber(line: string): number {
  try {
    const parsed = z.safeParse(numberedSchema, JSON.parse(line));
    return parsed.success ? parsed.data.seq : 0;
  } catch {
    return 0;
  }
}
