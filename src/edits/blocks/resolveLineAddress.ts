import { err, ok, type Result } from "../../base/result.ts";
import type { ViewedTexts } from "../../tools/files/viewedFiles.ts";
import type { BlockReason } from "../../turns/blockReason.ts";
import type { EditOp } from "../drafts/draft.ts";
import { type AddressedLines, type LineMap, lineMap } from "../drafts/lineMap.ts";
import type { BlockFailure } from "./capturedBlock.ts";

/** Finds the lines of the session's text that a block means: 1-based, inclusive. */
export type ResolveLineAddress = (lines: AddressedLines, op: EditOp) => Result<AddressedLines, BlockFailure>;

/** How much of each text a conflict shows. */
const MAX_LINES = 12;
const MAX_LINE_LENGTH = 200;

/**
 * Line numbers as the model means them, in `base`: those of the text in which it saw them (`looks`), carried over later changes. Lines
 * that changed themselves are a conflict. Where the model saw several texts, or has itself changed the file since and may have counted
 * on, the readings must name the same lines.
 */
export function resolveLineAddress(base: string, looks: (first: number, last: number) => ViewedTexts): ResolveLineAddress {
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
      if (text === null) return refused({ code: "view-forgotten" });
      if (text === base) {
        readings.push(lines);
        continue;
      }
      const mapped = mapFrom(text)(lines, op);
      if (mapped.ok) readings.push(mapped.value);
      else if (mapped.error.kind === "refused") return refused(mapped.error.reason);
      else {
        const { before, now } = mapped.error;
        return err({ status: "conflict", reason: { code: "lines-changed", before: excerpt(before), now: excerpt(now) } });
      }
    }
    const [first = lines, ...others] = readings;
    if (others.every((other) => samePlace(first, other, op))) return ok(first);
    return refused({ code: editedSince ? "own-changes-since" : "views-differ" });
  };
}

/** An insertion goes with one of its lines only. */
function samePlace(a: AddressedLines, b: AddressedLines, op: EditOp): boolean {
  return (op === "after" || a.start === b.start) && (op === "before" || a.end === b.end);
}

function refused(reason: BlockReason): Result<never, BlockFailure> {
  return err({ status: "refused", reason });
}

/** The beginning of a text that a conflict shows. */
export function excerpt(lines: readonly string[]): { lines: string[]; more: number } {
  const shown = lines.slice(0, MAX_LINES).map((line) => (line.length > MAX_LINE_LENGTH ? `${line.slice(0, MAX_LINE_LENGTH)}…` : line));
  return { lines: shown, more: lines.length - shown.length };
}
