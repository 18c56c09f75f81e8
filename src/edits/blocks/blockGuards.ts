import type { BlockWarning } from "../../ports/review.ts";
import type { BlockEffect, Draft, OpenedPlace } from "../drafts/draft.ts";
import { bodyWarnings } from "../guards/bodyWarnings.ts";
import { type BracketChange, bracketChange } from "../guards/bracketChange.ts";
import { warningsBy } from "../guards/guardRule.ts";
import { BODY_RULES, LINE_RULES, WHITESPACE_RULES } from "../guards/guardRules.ts";
import { lineEnds } from "../guards/lineEnds.ts";
import { addedPythonErrors, PYTHON_LINES } from "../guards/pythonLines.ts";
import { type ReplacedBody, typoFinder } from "../guards/typoFinder.ts";
import { isOnlyWhitespace, type LinesAround } from "../guards/whitespaceRules.ts";
import { wholeWarnings } from "../guards/wholeWarnings.ts";
import { isProven, type ProvenEnds } from "../text/lineChecks.ts";
import type { SpokenText } from "../text/spokenText.ts";
import type { CapturedBlock } from "./capturedBlock.ts";
import type { EditedFile } from "./editedFile.ts";

/** A block in the draft: its body as repaired, and what it does. */
interface DraftedBlock {
  readonly block: CapturedBlock;
  readonly body: readonly string[];
  readonly place: OpenedPlace;
  readonly around: LinesAround;
  /** Which ends of its lines are certain; null for an element. */
  readonly proven: ProvenEnds | null;
  readonly effect: BlockEffect;
}

/** What the guards say of the blocks of one session. */
export class BlockGuards {
  private readonly file: EditedFile;
  private readonly path: string;
  private readonly spoken: SpokenText;
  /** Of the file as the first block finds it. */
  private sound = false;
  /** Blocks whose checks prove their lines. */
  private readonly certain = new Set<string>();
  private readonly brackets = new Map<string, BracketChange>();
  private readonly bodies = new Map<string, ReplacedBody>();

  constructor(file: EditedFile, path: string, spoken: SpokenText) {
    this.file = file;
    this.path = path;
    this.spoken = spoken;
  }

  /** To call before the first edit of the file's document. */
  begin(): void {
    this.sound = this.file.isSound();
  }

  /** What speaks against a block by itself. */
  ofBlock({ block, body, place, around, proven, effect }: DraftedBlock): readonly BlockWarning[] {
    const { blockId, op, lines } = block;
    const { old } = around;
    if (proven && isProven(proven.first) && (isProven(proven.last) || old.length <= 1))
      this.certain.add(blockId);
    this.bodies.set(blockId, { old, body });
    const isFile = op === "complete";
    const deletes = op === "remove" || (body.length === 0 && !isFile);
    const own = bodyWarnings(deletes ? null : lines, place.oldText, effect.addsSyntaxError, isFile);
    const misplaced = this.misplaced(block, deletes ? [] : body, old, place, proven);
    const written = { body, place: around, style: () => this.file.style(), path: this.path };
    const whitespace =
      deletes || isFile || isOnlyWhitespace(body, old) ? [] : warningsBy(WHITESPACE_RULES, written);
    const ofBody = deletes ? [] : warningsBy(BODY_RULES, written);
    return [...own, ...(effect.warnings ?? []), ...misplaced, ...whitespace, ...ofBody];
  }

  /** The warnings of each block once everything is in `draft`. */
  ofAll(
    blocks: readonly CapturedBlock[],
    draft: Draft | null,
  ): (block: CapturedBlock) => readonly BlockWarning[] {
    const after = draft?.text() ?? "";
    const pythonErrors: ReadonlySet<string> =
      draft && PYTHON_LINES.test(this.path)
        ? addedPythonErrors(this.file.text, after, draft.ranges())
        : new Set();
    return wholeWarnings(
      blocks,
      {
        effect: draft?.finish() ?? null,
        pythonErrors,
        brackets: this.brackets,
        sound: this.sound,
        certain: this.certain,
        bodies: this.bodies,
        typoIn: typoFinder(this.file.text, after),
        path: this.path,
      },
      (name, { step, textStart, textEnd }) =>
        this.spoken.hasWord(name, { step, start: textStart, end: textEnd ?? 0 }),
    );
  }

  /**
   * The warnings for lines that may be the wrong ones. Their brackets are judged with all blocks
   * together.
   */
  private misplaced(
    { blockId, op }: CapturedBlock,
    body: readonly string[],
    old: readonly string[],
    { neighbors }: OpenedPlace,
    proven: ProvenEnds | null,
  ): readonly BlockWarning[] {
    if (!neighbors || !proven) return [];
    const change = bracketChange(body, old, this.path);
    this.brackets.set(
      blockId,
      isProven(proven.first) && isProven(proven.last) ? { ...change, cutsPair: false } : change,
    );
    const ends = lineEnds({
      body,
      old,
      path: this.path,
      op: op === "complete" ? "replace" : op,
      proven,
      ...neighbors,
    });
    // What an open end leads to says more than that it is open.
    return warningsBy(LINE_RULES, ends).slice(0, 1);
  }
}
