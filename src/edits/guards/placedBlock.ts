import type { EditOp } from "../drafts/address.ts";
import type { Neighbors } from "../drafts/lineChange.ts";
import type { FileStyle } from "../text/fileStyle.ts";
import type { ProvenEnds } from "../text/lineChecks.ts";

/** A block as placed: its body, the lines it replaces, and what stands around these. */
export interface PlacedBlock {
  readonly op: EditOp;
  readonly body: readonly string[];
  /** None for an insertion. */
  readonly old: readonly string[];
  /** Null for a whole element or file, where the body's indent is adapted. */
  readonly neighbors: Neighbors | null;
  /** Which ends of its lines a check proves that fits no line beside them; null without lines. */
  readonly proven: ProvenEnds | null;
  /** The path of its file. */
  readonly path: string;
  /** How its file is written. */
  readonly style: () => FileStyle;
}

/** The nearest line with text above, and the one below, "" for none. */
export function textsAround(neighbors: Neighbors | null): readonly [above: string, below: string] {
  return [neighbors?.textsAbove[0] ?? "", neighbors?.textsBelow[0] ?? ""];
}

/** The lines that show how a body is indented: those it replaces, else those around it. */
export function linesNear(old: readonly string[], neighbors: Neighbors | null): readonly string[] {
  return old.length > 0 ? old : textsAround(neighbors);
}

/** The line above where earlier blocks of the message changed it; else null. */
export function newLineAbove({ textsAbove, standingAbove }: Neighbors): string | null {
  return standingAbove === "" || standingAbove === textsAbove[0]?.trimEnd() ? null : standingAbove;
}
