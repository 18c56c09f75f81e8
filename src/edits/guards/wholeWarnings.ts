import type { BlockWarning } from "../../ports/review.ts";
import type { WholeEffect } from "../drafts/draft.ts";
import { type BracketChange, leavesPair } from "./bracketChange.ts";
import { warningsBy } from "./guardRule.ts";
import { BESIDE_RULES, MISPLACED, WHOLE_RULES } from "./guardRules.ts";
import type { ChangedWord, ReplacedBody } from "./typoFinder.ts";

/** What is known of a block that is part of the proposal. */
export interface WarnedBlock {
  readonly blockId: string;
  readonly warnings: readonly BlockWarning[];
}

/** What all blocks did. */
export interface WholeChange {
  /** Null without a draft. */
  readonly effect: WholeEffect | null;
  readonly pythonErrors: ReadonlySet<string>;
  /** The brackets of the blocks that name lines. */
  readonly brackets: ReadonlyMap<string, BracketChange>;
  /** True where the grammar found no error before them. */
  readonly sound: boolean;
  /** Blocks whose lines checks prove. */
  readonly certain: ReadonlySet<string>;
  readonly bodies: ReadonlyMap<string, ReplacedBody>;
  readonly typoIn: (body: ReplacedBody) => ChangedWord | null;
  readonly path: string;
}

/** Warnings that only the whole text shows. */
const OF_THE_WHOLE: ReadonlySet<BlockWarning["code"]> = new Set([
  "syntax",
  "cuts-element",
  "cuts-brackets",
  "typo",
]);

/**
 * Each block's warnings once everything is in. `isNamed` tells whether the model says a name
 * outside of the block.
 */
export function wholeWarnings<Block extends WarnedBlock>(
  blocks: readonly Block[],
  change: WholeChange,
  isNamed: (name: string, block: Block) => boolean,
): (block: Block) => readonly BlockWarning[] {
  const { effect, brackets, sound, certain, bodies } = change;
  const changes = blocks.flatMap(({ blockId }) => brackets.get(blockId) ?? []);
  const leaves = leavesPair(changes, sound);
  const isUnproven = ({ blockId }: WarnedBlock) => brackets.has(blockId) && !certain.has(blockId);
  const own = (block: Block): readonly BlockWarning[] => {
    const { blockId } = block;
    const kept = block.warnings.filter((warning) => !isSettled(warning, effect));
    const whole = warningsBy(WHOLE_RULES, {
      ...change,
      blockId,
      isUncertain: !certain.has(blockId),
      change: brackets.get(blockId),
      leavesPair: leaves,
      body: bodies.get(blockId),
      isNamed: (name) => isNamed(name, block),
    });
    return [...kept, ...whole.filter(({ code }) => !kept.some((other) => other.code === code))];
  };
  const isBesideMisplaced = blocks.some(
    (block) => isUnproven(block) && own(block).some(({ code }) => MISPLACED.has(code)),
  );
  return (block) => {
    const warnings = own(block);
    const beside = { isUnproven: isUnproven(block), warnings, isBesideMisplaced };
    return [...warnings, ...warningsBy(BESIDE_RULES, beside)];
  };
}

/**
 * True for a warning that the whole text gives anew, or of an element that another block put
 * elsewhere, or took away.
 */
function isSettled(warning: BlockWarning, effect: WholeEffect | null): boolean {
  const change = (path: string) => effect?.countChange?.(path);
  if (warning.code === "loses-element") return (change(warning.path) ?? -1) >= 0;
  if (warning.code === "doubles-element") return (change(warning.path) ?? 1) <= 0;
  return OF_THE_WHOLE.has(warning.code);
}
