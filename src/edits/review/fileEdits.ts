import { lineStart, nextLine } from "../../base/text/scan.ts";
import type { TextEdit } from "../text/changeSet.ts";
import { changesOf } from "../text/changeSet.ts";
import { mirrorRealEdits } from "./mirrorRealEdits.ts";
import { type ReviewLayers, withBoth, withReal } from "./reviewLayers.ts";
import type { PlacedHunk } from "./reviewPlan.ts";
import { outermost, withUserLines } from "./userLines.ts";

/** What the user's edits of the file do to its review. */
export interface FileEdited {
  readonly layers: ReviewLayers;
  /** What this changed in the proposal, outside pending hunks. */
  readonly mirrored: readonly TextEdit[];
  /** True where they changed the lines of a hunk, or lines beside one. */
  readonly touches: boolean;
}

/**
 * The user edited the file: edits elsewhere are repeated in the proposal, lines of hunks become the
 * user's. `unseen` where the edits may have put in what is pending.
 */
export function fileEdited(
  layers: ReviewLayers,
  hunks: readonly PlacedHunk[],
  edits: readonly TextEdit[],
  unseen: boolean,
): FileEdited {
  const touches = hunks.some(({ realRange }) =>
    edits.some(({ start, end }) => start <= realRange.end && realRange.start <= end),
  );
  const mirrored = mirrorRealEdits(edits, layers.real, layers.proposed, hunks, unseen);
  const changes = changesOf(edits, layers.real.length);
  const changed = withReal(layers, changes);
  const touched = edits.map((edit, index) => {
    const range = { start: changes.mapPos(edit.start, -1), end: changes.mapPos(edit.end, 1) };
    if (mirrored.wholeLines[index]) return range;
    return {
      start: lineStart(changed.real, range.start),
      end: nextLine(changed.real, range.end),
    };
  });
  // A deletion leaves no lines inside the rest of a hunk.
  const cut = hunks.filter(({ realRange }) =>
    edits.some(
      ({ start, end, newText }) => newText === "" && start < realRange.end && realRange.start < end,
    ),
  );
  const cuts = cut.map(({ realRange }) => outermost(realRange, changes));
  const own = { ...changed, userLines: withUserLines(changed.userLines, touched, cuts) };
  const both = mirrored.edits.length > 0 ? withBoth(own, mirrored.edits) : own;
  return { layers: both, mirrored: mirrored.edits, touches };
}
