import * as z from "zod/mini";
import { parseJson } from "../base/text/parseJson.ts";
import { type TurnEvent, turnEventSchema } from "./turnEvent.ts";

/** Parses a line of a history file; null for a damaged one. */
export function parseTurnEvent(line: string): TurnEvent | null {
  return z.safeParse(turnEventSchema, parseJson(line)).data ?? null;
}

const numberedSchema = z.object({ seq: z.int() });

/** The number of an event that a newer version may have written; 0 for a damaged line. */
export function turnEventNumber(line: string): number {
  return z.safeParse(numberedSchema, parseJson(line)).data?.seq ?? 0;
}
