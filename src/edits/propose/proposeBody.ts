import { lineNumberAt } from "../../base/text/lines.ts";
import type { BlockWarning } from "../../ports/review.ts";
import type { ShownPath } from "../answer/shownPaths.ts";
import { formOfBody } from "../answer/unsupportedFormats.ts";
import {
  type Block,
  type BlockAdjustment,
  become,
  type FailedStatus,
  linesOf,
  type PlacedBody,
  refused,
  type WrittenBody,
} from "../block.ts";
import { findElision } from "../check/findElision.ts";
import { judgeBody } from "../check/judgeBlocks.ts";
import { LINE_NUMBERS } from "../fit/lineNumbers.ts";
import { repairBody } from "../fit/repairs.ts";
import type { EditedFile } from "../place/editedFile.ts";
import type { Draft, Placement } from "../place/placer.ts";

/** Where a body goes, and what is known of that. */
export interface BodyPlace {
  readonly file: EditedFile;
  readonly place: Placement;
  /** What speaks against the block before its body is known. */
  readonly warnings: readonly BlockWarning[];
  /** What its path named before; null where it names that, or no element. */
  readonly shown: ShownPath | null;
  /** What the place is in; null for a whole file. */
  readonly draft: Draft | null;
  /** `none`: its slips are undone already. `certain`: a program wrote it. */
  readonly repairs: "slips" | "none" | "certain";
}

/**
 * What becomes of a body at its place: the one way by which anything becomes part of a proposal.
 * What is not meant as text is left out, slips are undone, and what speaks against it is a warning. A
 * body that leaves text out is held, unless the user asked for it.
 */
export function proposeBody(
  block: Block<"streaming" | "held">,
  written: WrittenBody,
  at: BodyPlace,
): Block<"captured" | "held" | FailedStatus> {
  const { place } = at;
  const read = readBody(block, written, at);
  if ("status" in read) return read;
  const { placed, adjustments, warnings } = read;
  const closed = place.close({ ...written, lines: placed.body });
  if (!closed.ok) return become(block, refused(closed.error));
  const { addedLines, removedLines } = closed.value;
  const ofBody = at.repairs === "certain" ? [] : judgeBody(placed, closed.value);
  return become(block, {
    ...{ status: "captured", reason: null, placed },
    warnings: [...warnings, ...at.warnings, ...ofBody],
    adjustments: [...block.adjustments, ...(closed.value.adjustments ?? []), ...adjustments],
    ...{ addedLines, removedLines },
  });
}

/** A body as it is meant, and what Graft changed in it. */
interface ReadBody {
  readonly placed: PlacedBody;
  readonly adjustments: readonly BlockAdjustment[];
  /** That it leaves text out, where the user asked for it all the same. */
  readonly warnings: readonly BlockWarning[];
}

/** Reads a body for its place; gives the block where nothing of it goes there. */
function readBody(
  block: Block<"streaming" | "held">,
  body: WrittenBody,
  { file, draft, place, shown, repairs }: BodyPlace,
): ReadBody | Block<"held" | FailedStatus> {
  const { address, op, proven } = block;
  const { oldText, replaced, neighbors = null } = place;
  const { path } = file;
  const old = linesOfText(oldText);
  const asPlaced = (lines: readonly string[]): PlacedBody => ({
    ...{ op, old, neighbors, proven, path, style: () => file.style() },
    body: op === "remove" ? [] : lines,
    ...place.lines,
  });
  if (repairs === "certain") return { placed: asPlaced(body.lines), adjustments: [], warnings: [] };
  const form = formOfBody(body.lines, oldText);
  if (form !== null) return become(block, refused({ code: "other-form", form }));
  const first = () => {
    const start = address && linesOf(address)?.start;
    return start ?? (draft && replaced ? lineNumberAt(draft.text(), replaced.start) : null);
  };
  const unnumbered = place.lines ? null : LINE_NUMBERS.apply({ body: body.lines, old, first });
  const lines = unnumbered ?? body.lines;
  const isNew = file.text.trim() === "";
  const line = op === "remove" ? null : findElision(lines, oldText, path, isNew);
  const elision = line === null ? null : ({ code: "elision", line } as const);
  if (elision && block.status === "streaming") {
    const counts = { addedLines: lines.length, removedLines: old.length };
    return become(block, { status: "held", reason: elision, body, ...counts });
  }
  const reassigned = replaced ? shown?.reassigned(lines) : null;
  if (reassigned) return become(block, refused(reassigned));
  const placed = asPlaced(lines);
  const repaired =
    op === "complete" || repairs === "none"
      ? { lines: placed.body, slips: [] }
      : repairBody(placed);
  const { slips } = repaired;
  const adjustments: readonly BlockAdjustment[] = [
    ...(unnumbered ? [{ code: "line-numbers" } as const] : []),
    ...(slips.length > 0 ? [{ code: "repaired", slips } as const] : []),
  ];
  return {
    placed: { ...placed, body: repaired.lines },
    adjustments,
    warnings: elision ? [elision] : [],
  };
}

function linesOfText(text: string): readonly string[] {
  return text === "" ? [] : text.replace(/(?:\r\n|\r|\n)$/, "").split(/\r\n|\n|\r/);
}
