import { counted } from "../base/counted.ts";
import { err, ok, type Result } from "../base/result.ts";
import type { Looks } from "../tools/shownTexts.ts";
import type { EditOp } from "./address.ts";
import { type AddressedLines, type LineMap, lineMap } from "./lineMap.ts";

/** Why a block's line numbers name no lines of the file as it is now. */
export interface Misplaced {
  readonly status: "refused" | "conflict";
  /** For the user. */
  readonly reason: string;
  /** For the model. */
  readonly reportReason: string;
}

/** Finds the lines of the session's text that a block means: 1-based, inclusive. */
export type MeantLines = (lines: AddressedLines, op: EditOp) => Result<AddressedLines, Misplaced>;

/** How much of each text a conflict shows. */
const MAX_LINES = 12;
const MAX_LINE_LENGTH = 200;

/**
 * Line numbers as the model means them, in `base`: those of the text that it was shown them in (`looks`), carried over what changed
 * since. Lines that changed themselves are a conflict. Where it was shown different texts, or has itself changed the file since, so
 * that it may already have counted on, and the readings name different lines, they are refused.
 */
export function meantLines(base: string, looks: (first: number, last: number) => Looks): MeantLines {
  const maps = new Map<string, LineMap>();
  const mapFrom = (text: string): LineMap => {
    const map = maps.get(text) ?? lineMap(text, base);
    maps.set(text, map);
    return map;
  };
  return (lines, op) => {
    const { texts, editedSince } = looks(lines.start, lines.end);
    const readings: AddressedLines[] = editedSince ? [lines] : [];
    for (const text of texts) {
      if (text === null) {
        return err(refused(lines, "shown too long ago, or before a reload of the window, and that text is no longer known"));
      }
      if (text === base) {
        readings.push(lines);
        continue;
      }
      const mapped = mapFrom(text)(lines, op);
      if (mapped.ok) readings.push(mapped.value);
      else if (mapped.error.kind === "conflict") return err(conflict(lines, mapped.error.before, mapped.error.now));
      else return err({ status: "refused", reason: mapped.error.reason, reportReason: mapped.error.reason });
    }
    const [first = lines, ...others] = readings;
    if (others.every((other) => samePlace(first, other, op))) return ok(first);
    return err(
      editedSince
        ? refused(lines, beforeChanges("the model's"), beforeChanges("your"))
        : refused(lines, "shown in parts, and the file changed in between"),
    );
  };
}

/** An insertion has one line only that it goes with. */
function samePlace(a: AddressedLines, b: AddressedLines, op: EditOp): boolean {
  return (op === "after" || a.start === b.start) && (op === "before" || a.end === b.end);
}

function beforeChanges(whose: string): string {
  return `shown before ${whose} own changes to the file, which may have moved them`;
}

function refused(lines: AddressedLines, why: string, whyToModel = why): Misplaced {
  const were = `lines ${lines.start}-${lines.end} were`;
  return { status: "refused", reason: `${were} ${why}`, reportReason: `${were} ${whyToModel}: read them again` };
}

function conflict(lines: AddressedLines, before: readonly string[], now: readonly string[]): Misplaced {
  const named = `lines ${lines.start}-${lines.end}`;
  const both = (seen: string) => `${seen}:\n${clipped(before)}\nNow there is:\n${clipped(now)}`;
  return {
    status: "conflict",
    reason: `${named} have changed since the model was shown them.\n${both("The model saw")}`,
    reportReason: `${named} have changed since you were shown them; read them again and change what is there now.\n${both("You saw")}`,
  };
}

function clipped(lines: readonly string[]): string {
  if (lines.length === 0) return "  (nothing)";
  const shown = lines.slice(0, MAX_LINES).map((line) => `  ${line.length > MAX_LINE_LENGTH ? `${line.slice(0, MAX_LINE_LENGTH)}…` : line}`);
  const more = lines.length - shown.length;
  return [...shown, ...(more > 0 ? [`  … ${counted(more, "more line")}`] : [])].join("\n");
}
