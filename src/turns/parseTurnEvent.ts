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
