import type { BlockWarning } from "../../ports/review.ts";
import type { BlockEffect, Placer, WholeEffect } from "../drafts/placer.ts";
import type { WrittenBlock } from "../drafts/writtenBlock.ts";
import { bodyWarnings } from "../guards/bodyWarnings.ts";
import { type BracketChange, bracketChange, bracketLeaver } from "../guards/bracketChange.ts";
import { warningsBy } from "../guards/guardRule.ts";
import {
  type AmongOthers,
  LINE_RULES,
  WHITESPACE_RULES,
  WHOLE_RULES,
} from "../guards/guardRules.ts";
import { openEnds } from "../guards/openEnds.ts";
import type { PlacedBlock } from "../guards/placedBlock.ts";
import { addedTextErrors } from "../guards/textErrors.ts";
import { typoFinder } from "../guards/typoFinder.ts";
import { isOnlyWhitespace } from "../guards/whitespaceRules.ts";
import type { AnswerText } from "../text/answerText.ts";
import { isProven } from "../text/lineChecks.ts";
import type { EditedFile } from "./editedFile.ts";

/** What the guards say of the blocks of one session. */
export class BlockGuards {
  private readonly file: EditedFile;
  private readonly path: string;
  private readonly answer: AnswerText;
  /** Of the file as the first block finds it. */
  private sound = false;
  /** Blocks whose checks prove their lines. */
  private readonly certain = new Set<string>();
  private readonly brackets = new Map<string, BracketChange>();
  private readonly placed = new Map<string, PlacedBlock>();

  constructor(file: EditedFile, path: string, answer: AnswerText) {
    this.file = file;
    this.path = path;
    this.answer = answer;
  }

  /** To call before the first edit of the file's document. */
  begin(): void {
    this.sound = this.file.isSound();
  }

  /** What speaks against a block by itself; `placed` has its body as the placer took it. */
  ofBlock(
    { blockId, op, lines }: WrittenBlock,
    placed: PlacedBlock,
    effect: BlockEffect,
  ): readonly BlockWarning[] {
    const { body, old, proven } = placed;
    if (proven && isProven(proven.first) && (isProven(proven.last) || old.length <= 1))
      this.certain.add(blockId);
    this.placed.set(blockId, placed);
    const isFile = op === "complete";
    const deletes = op === "remove" || (body.length === 0 && !isFile);
    const own = bodyWarnings(deletes ? null : lines, old, effect.addsSyntaxError, isFile);
    const misplaced = this.misplaced(blockId, deletes ? { ...placed, body: [] } : placed);
    const whitespace =
      deletes || isFile || isOnlyWhitespace(body, old) ? [] : warningsBy(WHITESPACE_RULES, placed);
    return [...own, ...(effect.warnings ?? []), ...misplaced, ...whitespace];
  }

  /** The warnings of each block once everything is in the draft of `placer`. */
  ofAll(
    blocks: readonly WrittenBlock[],
    placer: Placer | null,
  ): (block: WrittenBlock) => readonly BlockWarning[] {
    const among = this.amongOthers(blocks, placer);
    return (block) => {
      const { facts, warnings } = among(block);
      const whole = warningsBy(WHOLE_RULES, facts);
      const added = whole.filter(({ code }) => !warnings.some((other) => other.code === code));
      return [...warnings, ...added];
    };
  }

  /** What rules are told of a block, with those of its warnings that the whole does not settle. */
  private amongOthers(
    blocks: readonly WrittenBlock[],
    placer: Placer | null,
  ): (block: WrittenBlock) => {
    readonly facts: AmongOthers;
    readonly warnings: readonly BlockWarning[];
  } {
    const { path } = this;
    const after = placer?.text() ?? "";
    const textErrors = placer
      ? addedTextErrors(path, this.file.text, after, placer.ranges())
      : new Set<string>();
    const effect = placer?.finish() ?? null;
    const typoIn = typoFinder(this.file.text, after);
    const changes = blocks.flatMap(({ blockId }) => this.brackets.get(blockId) ?? []);
    const leavesBracket = bracketLeaver(changes, this.sound);
    return ({ blockId, step, textStart, textEnd, warnings }) => ({
      facts: {
        blockId,
        effect,
        textErrors,
        isUncertain: !this.certain.has(blockId),
        change: this.brackets.get(blockId),
        leavesBracket,
        placed: this.placed.get(blockId),
        typoIn,
        path,
        isNamed: (name) => this.answer.hasWord(name, { step, start: textStart, end: textEnd ?? 0 }),
      },
      warnings: warnings.filter((warning) => !isSettled(warning, effect)),
    });
  }

  /**
   * The warnings for lines that may be the wrong ones. Their brackets are judged with all blocks
   * together.
   */
  private misplaced(blockId: string, placed: PlacedBlock): readonly BlockWarning[] {
    const { body, old, proven } = placed;
    const ends = openEnds(placed);
    if (!ends || !proven) return [];
    const change = bracketChange(body, old, this.path);
    this.brackets.set(
      blockId,
      isProven(proven.first) && isProven(proven.last) ? { ...change, cutsPair: false } : change,
    );
    // What an open end leads to says more than that it is open.
    return warningsBy(LINE_RULES, ends).slice(0, 1);
  }
}

/** Warnings that only the whole text shows. */
const OF_THE_WHOLE: ReadonlySet<BlockWarning["code"]> = new Set([
  "syntax",
  "cuts-element",
  "cuts-brackets",
  "typo",
]);

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
