import type { BlockWarning } from "../../ports/review.ts";
import type { BlockEffect, Draft, OpenedPlace, WholeEffect } from "../drafts/draft.ts";
import { bodyWarnings, rewriteWarnings } from "../guards/bodyWarnings.ts";
import { type BracketChange, bracketChange } from "../guards/bracketChange.ts";
import { lineWarnings } from "../guards/lineWarnings.ts";
import { addedPythonErrors, PYTHON_LINES } from "../guards/pythonLines.ts";
import { type ReplacedBody, typoWarnings } from "../guards/typoWarnings.ts";
import { type LinesAround, whitespaceWarnings } from "../guards/whitespaceWarnings.ts";
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
    if (proven && isProven(proven.first) && (isProven(proven.last) || old.length <= 1)) this.certain.add(blockId);
    this.bodies.set(blockId, { old, body });
    const isFile = op === "complete";
    const deletes = op === "remove" || (body.length === 0 && !isFile);
    const own = bodyWarnings(deletes ? null : lines, place.oldText, effect.addsSyntaxError, isFile);
    const misplaced = this.misplaced(block, deletes ? [] : body, old, place, proven);
    const whitespace = deletes || isFile ? [] : whitespaceWarnings(body, around, () => this.file.style(), this.path);
    return [...own, ...(effect.warnings ?? []), ...misplaced, ...whitespace];
  }

  /** The warnings of each block once everything is in `draft`. */
  ofAll(blocks: readonly CapturedBlock[], draft: Draft | null): (block: CapturedBlock) => readonly BlockWarning[] {
    const effect = draft && this.wholeEffect(draft);
    const warningsOf = wholeWarnings(blocks, effect, this.brackets, this.sound, this.certain);
    const text = draft?.text() ?? "";
    return (block) => {
      const body = this.bodies.get(block.blockId);
      const span = { step: block.step, start: block.textStart, end: block.textEnd ?? 0 };
      const rewritten = rewriteWarnings(block, effect, this.path, (name) => this.spoken.hasWord(name, span));
      return [...warningsOf(block), ...rewritten, ...(body ? typoWarnings(body, this.file.text, text) : [])];
    };
  }

  /** What the blocks do to the whole, as its grammar and, for Python, its lines tell. */
  private wholeEffect(draft: Draft): WholeEffect {
    const effect = draft.finish();
    if (!PYTHON_LINES.test(this.path)) return effect;
    const breaking = addedPythonErrors(this.file.text, draft.text(), draft.ranges());
    return { ...effect, addsSyntaxError: new Set([...effect.addsSyntaxError, ...breaking]) };
  }

  /** The warnings for lines that may be the wrong ones. Their brackets are judged with all blocks together. */
  private misplaced(
    { blockId, op }: CapturedBlock,
    body: readonly string[],
    old: readonly string[],
    { neighbors }: OpenedPlace,
    proven: ProvenEnds | null,
  ): readonly BlockWarning[] {
    if (!neighbors || !proven) return [];
    const change = bracketChange(body, old, this.path);
    this.brackets.set(blockId, isProven(proven.first) && isProven(proven.last) ? { ...change, cutsPair: false } : change);
    return lineWarnings({ body, old, op: op === "complete" ? "replace" : op, proven, ...neighbors });
  }
}
