import type { BlockWarning } from "../../ports/review.ts";
import type { WholeEffect } from "../drafts/draft.ts";
import { type BracketChange, leavesPair } from "./bracketChange.ts";

/** What is known of a block that is part of the proposal. */
export interface WarnedBlock {
  readonly blockId: string;
  readonly warnings: readonly BlockWarning[];
}

/** Warnings that only the whole text shows. */
const OF_THE_WHOLE: ReadonlySet<string> = new Set(["syntax", "cuts-element", "cuts-brackets", "typo"]);
/** Warnings of lines that are likely the wrong ones. */
const MISPLACED: ReadonlySet<string> = new Set(["repeats-line", "cuts-element", "cuts-brackets", "syntax"]);

/**
 * Each block's warnings once everything is in. `brackets` are the changes of the blocks that name lines; they count only where no
 * grammar finds the syntax `sound`, which is exact. Checks prove the lines of the blocks in `certain`. Where one block is likely for
 * other lines, so are the others that no check proves: who counts wrong once counts wrong throughout.
 */
export function wholeWarnings(
  blocks: readonly WarnedBlock[],
  effect: WholeEffect | null,
  brackets: ReadonlyMap<string, BracketChange>,
  sound: boolean,
  certain: ReadonlySet<string>,
): (block: WarnedBlock) => readonly BlockWarning[] {
  const changes = blocks.flatMap(({ blockId }) => brackets.get(blockId) ?? []);
  const leaves = leavesPair(changes, sound);
  const isUnproven = ({ blockId }: WarnedBlock) => brackets.has(blockId) && !certain.has(blockId);
  const own = ({ blockId, warnings }: WarnedBlock): readonly BlockWarning[] => {
    const cut = effect?.cuts.get(blockId);
    const change = brackets.get(blockId);
    const whole: BlockWarning[] = effect?.addsSyntaxError.has(blockId) ? [{ code: "syntax" }] : [];
    if (cut !== undefined && !certain.has(blockId)) whole.push({ code: "cuts-element", path: cut });
    else if (change && leaves(change)) whole.push({ code: "cuts-brackets" });
    const double = effect?.doubles?.get(blockId);
    if (double !== undefined && !warnings.some(({ code }) => code === "doubles-element"))
      whole.push({ code: "doubles-element", path: double });
    return [...warnings.filter((warning) => !isSettled(warning, effect)), ...whole];
  };
  const spreads = blocks.some((block) => isUnproven(block) && own(block).some(({ code }) => MISPLACED.has(code)));
  return (block) => {
    const warnings = own(block);
    return spreads && isUnproven(block) && !warnings.some(({ code }) => MISPLACED.has(code) || code === "unchecked-end")
      ? [...warnings, { code: "unchecked-end" }]
      : warnings;
  };
}

/** True for a warning that the whole text gives anew, or of an element that another block put elsewhere, or took away. */
function isSettled(warning: BlockWarning, effect: WholeEffect | null): boolean {
  const change = (path: string) => effect?.countChange?.(path);
  if (warning.code === "loses-element") return (change(warning.path) ?? -1) >= 0;
  if (warning.code === "doubles-element") return (change(warning.path) ?? 1) <= 0;
  return OF_THE_WHOLE.has(warning.code);
}
