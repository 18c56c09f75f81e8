import { err, ok, type Result } from "../../base/result.ts";
import { lineNumberAt } from "../../base/text/lines.ts";
import { linesOf } from "../drafts/address.ts";
import type { Placement } from "../drafts/placer.ts";
import { type BlockAdjustment, refused, type WrittenBlock } from "../drafts/writtenBlock.ts";
import { findElision } from "../guards/findElision.ts";
import type { PlacedBlock } from "../guards/placedBlock.ts";
import { withoutLineNumbers } from "../text/lineNumbers.ts";
import type { EditedFile } from "./editedFile.ts";
import { repairBody } from "./repairBody.ts";
import type { ShownPath } from "./shownPaths.ts";
import { formOfBody } from "./unsupportedFormats.ts";

/** A block with its body as it is meant, and what Graft changed in it. */
export interface ReadBody {
  readonly placed: PlacedBlock;
  readonly adjustments: readonly BlockAdjustment[];
}

/**
 * Reads a block's body for its place in the file `path`: what is not meant as text is left out, and
 * slips are undone. Else gives what becomes of the block. `draftText` is the text that the place is
 * in; `shown` is what its path named before.
 */
export function readBody(
  block: WrittenBlock,
  place: Placement,
  file: EditedFile,
  path: string,
  draftText: () => string,
  shown: ShownPath | null,
): Result<ReadBody, Partial<WrittenBlock>> {
  const { address, lines, op, proven } = block;
  const { oldText, replaced } = place;
  const old = linesOfText(oldText);
  const form = formOfBody(lines, oldText);
  if (form !== null) return err(refused({ code: "other-form", form }));
  const first = () => {
    const start = address && linesOf(address)?.start;
    return start ?? (address && replaced ? lineNumberAt(draftText(), replaced.start) : null);
  };
  const unnumbered = withoutLineNumbers(lines, old, first);
  const body = unnumbered ?? lines;
  const isNew = file.text.trim() === "";
  const line = op === "remove" ? null : findElision(body, oldText, path, isNew);
  if (line !== null) {
    const counts = { addedLines: body.length, removedLines: old.length };
    return err({ status: "held", reason: { code: "elision", line }, ...counts });
  }
  const neighbors = place.neighbors ?? null;
  const style = () => file.style();
  const placed: PlacedBlock = { op, body, old, neighbors, proven, path, style };
  const repaired = op === "complete" ? { lines: body, slips: [] } : repairBody(placed);
  const reassigned = replaced && shown ? shown.reassigned(body) : null;
  if (reassigned) return err(refused(reassigned));
  const adjustments: BlockAdjustment[] = [];
  if (unnumbered) adjustments.push({ code: "line-numbers" });
  if (repaired.slips.length > 0) adjustments.push({ code: "repaired", slips: repaired.slips });
  return ok({ placed: { ...placed, body: repaired.lines }, adjustments });
}

/** The lines of a text, without an empty one after a final line break. */
function linesOfText(text: string): readonly string[] {
  return text === "" ? [] : text.replace(/(?:\r\n|\r|\n)$/, "").split(/\r\n|\n|\r/);
}
