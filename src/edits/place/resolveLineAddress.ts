import { err, ok, type Result } from "../../base/result.ts";
import type { TextLine } from "../../base/text/lines.ts";
import type { ViewedTexts } from "../../tools/files/viewedFiles.ts";
import { type BlockReason, excerpt } from "../../turns/blockReason.ts";
import { type AddressedLines, type EditOp, type Failure, refused } from "../block.ts";
import { locateChecked, type ProvenEnds, provenEnds } from "../text/lineChecks.ts";
import type { EditedFile } from "./editedFile.ts";
import { mapLines } from "./mapLines.ts";

/** Lines of the session's text, and where checks moved them to in the text the model saw. */
export interface ResolvedLines {
  readonly lines: AddressedLines;
  readonly movedTo: AddressedLines | null;
  readonly proven: ProvenEnds;
}

/**
 * Line numbers as the model means them, in the file's text: those of the texts in which it saw them, moved
 * there to where the checks fit, and carried over later changes. Lines that changed themselves are
 * a conflict. Where the model saw several texts, or has itself changed the file since and may have
 * counted on, the readings must name the same lines; a reading whose checks do not fit as named
 * yields to one whose do. In the file's text, checks can fit no line after `elementEnd`, where the element
 * that the block names ends.
 */
export function resolveLineAddress(
  file: Pick<EditedFile, "text" | "linesOf">,
  { texts, editedSince }: ViewedTexts,
  lines: AddressedLines,
  op: EditOp,
  checks: readonly string[],
  elementEnd: number | null = null,
): Result<ResolvedLines, Failure> {
  const base = file.text;
  const seen = texts.length === 0 || editedSince ? [base, ...texts] : texts;
  const readings: ResolvedLines[] = [];
  let unfit: Failure | null = null;
  for (const text of new Set(seen)) {
    if (text === null) return unresolved({ code: "view-forgotten" });
    const split = file.linesOf(text);
    const lineAt = (line: number) => split[line - 1]?.text;
    const located = locateChecked(lineAt, lines, checks);
    if (!located) {
      unfit ??= { status: "refused", reason: unfitChecks(split, lines) };
      continue;
    }
    const limit =
      text === base && elementEnd !== null && located.end <= elementEnd ? elementEnd : split.length;
    const proven = provenEnds((line) => (line > limit ? undefined : lineAt(line)), located, checks);
    const movedTo = located.start === lines.start && located.end === lines.end ? null : located;
    if (text === base) {
      readings.push({ lines: located, movedTo, proven });
      continue;
    }
    const mapped = mapLines(text, base, located, op);
    if (mapped.ok) readings.push({ lines: mapped.value, movedTo, proven });
    else if (mapped.error.kind === "refused") return unresolved(mapped.error.reason);
    else {
      const { before, now } = mapped.error;
      return err({
        status: "conflict",
        reason: { code: "lines-changed", before: excerpt(before), now: excerpt(now) },
      });
    }
  }
  const asNamed = readings.filter(({ movedTo }) => movedTo === null);
  const [first, ...others] = asNamed.length > 0 ? asNamed : readings;
  if (!first) return err(unfit ?? { status: "refused", reason: { code: "invalid-address" } });
  if (others.every((other) => samePlace(first.lines, other.lines, op))) return ok(first);
  return unresolved({ code: editedSince ? "own-changes-since" : "views-differ" });
}

function unfitChecks(lines: readonly TextLine[], { start, end }: AddressedLines): BlockReason {
  const texts = lines.slice(start - 1, end).map(({ text }) => text);
  return { code: "checks-failed", first: start, lines: excerpt(texts) };
}

/** An insertion goes with one of its lines only. */
function samePlace(a: AddressedLines, b: AddressedLines, op: EditOp): boolean {
  return (op === "after" || a.start === b.start) && (op === "before" || a.end === b.end);
}

function unresolved(reason: BlockReason): Result<never, Failure> {
  return err(refused(reason));
}
