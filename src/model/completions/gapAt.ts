import type { Gap } from "./fillInFormat.ts";

/** The most of a text that is sent, in UTF-16 units. */
const BEFORE = 6_000;
const AFTER = 2_000;
/** The beginning moves in steps, so that the text sent grows at its end and servers' caches work. */
const STEP = 2_000;

/** What stands around an offset, from the beginning of a line to the end of one where it is cut. */
export function gapAt(text: string, offset: number): Gap {
  const steps = Math.max(0, Math.ceil((offset - BEFORE) / STEP)) * STEP;
  const from = steps === 0 ? 0 : text.indexOf("\n", steps) + 1;
  const cut = text.lastIndexOf("\n", offset + AFTER);
  const to = offset + AFTER >= text.length ? text.length : Math.max(cut, offset);
  return {
    prefix: text.slice(Math.min(from, offset), offset),
    suffix: text.slice(offset, to),
  };
}
