import type { BlockWarning } from "../../ports/review.ts";
import type { Block, PlacedBody } from "../block.ts";
import type { EditedFile } from "../place/editedFile.ts";
import type { BlockEffect, Draft } from "../place/placer.ts";
import { isProven } from "../text/lineChecks.ts";
import { isOnlyWhitespace } from "../text/whitespace.ts";
import { type BracketChange, bracketChange, bracketLeaver } from "./bracketChange.ts";
import { openEnds } from "./openEnds.ts";
import { LENGTH_RULES, LINE_RULES, WHITESPACE_RULES, WHOLE_RULES, warningsBy } from "./rules.ts";
import { addedTextErrors } from "./textErrors.ts";
import { typoFinder } from "./typoFinder.ts";

/** What speaks against a body by itself, once its placer took it. */
export function judgeBody(placed: PlacedBody, effect: BlockEffect): readonly BlockWarning[] {
  const { op, body, old } = placed;
  const ends = openEnds(placed);
  const isWritten = body.length > 0 && op !== "complete" && !isOnlyWhitespace(body, old);
  return [
    ...warningsBy(LENGTH_RULES, placed),
    ...(effect.warnings ?? []),
    // What an open end leads to says more than that it is open.
    ...(ends ? warningsBy(LINE_RULES, ends).slice(0, 1) : []),
    ...(isWritten ? warningsBy(WHITESPACE_RULES, placed) : []),
  ];
}

/** The warnings of each block once all are in the draft; `isNamed` looks outside of the block. */
export function judgeBlocks(
  blocks: readonly Block<"captured">[],
  draft: Draft,
  file: EditedFile,
  isNamed: (name: string, block: Block) => boolean,
): (block: Block<"captured">) => readonly BlockWarning[] {
  const after = draft.text();
  const textErrors = addedTextErrors(file.path, file.text, after, draft.ranges());
  const effect = draft.finish();
  const typoIn = typoFinder(file.text, after);
  const changes = new Map(
    blocks.flatMap(({ blockId, placed }) => {
      const change = changeOfBrackets(placed);
      return change ? [[blockId, change] as const] : [];
    }),
  );
  const leavesBracket = bracketLeaver([...changes.values()], file.wasSound);
  return (block) => {
    // The head of an element that is gone is, too.
    const isSettled = ({ code }: BlockWarning) =>
      OF_THE_WHOLE.has(code) || (code === "loses-head" && effect.gone?.has(block.blockId));
    const kept = block.warnings.filter((warning) => !isSettled(warning));
    const found = warningsBy(WHOLE_RULES, {
      ...{ block, effect, textErrors, leavesBracket, typoIn },
      change: changes.get(block.blockId) ?? null,
      isNamed: (name) => isNamed(name, block),
    });
    return [...kept, ...found.filter(({ code }) => !kept.some((other) => other.code === code))];
  };
}

/** What a block that names lines does to brackets; null for any other. */
function changeOfBrackets({
  body,
  old,
  path,
  neighbors,
  proven,
}: PlacedBody): BracketChange | null {
  if (!neighbors || !proven) return null;
  const change = bracketChange(body, old, path);
  return isProven(proven.first) && isProven(proven.last) ? { ...change, cutsPair: false } : change;
}

/** Warnings that the whole text gives anew. */
const OF_THE_WHOLE: ReadonlySet<BlockWarning["code"]> = new Set([
  "syntax",
  "cuts-element",
  "cuts-brackets",
  "typo",
]);
