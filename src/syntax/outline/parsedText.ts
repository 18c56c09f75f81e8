import type { Node, Point, Tree } from "web-tree-sitter";
import type { Disposable } from "../../base/disposable.ts";
import { lineStart, nextLine, type OffsetRange, previousLineEnd } from "../../base/text/scan.ts";
import type { Logger } from "../../ports/logger.ts";
import type { Grammar } from "../grammar/grammarLoader.ts";
import type { Change } from "./movedRanges.ts";

/**
 * How many steps a parse, or a search for elements, of a text of this length may take. A step is
 * 100 operations of the runtime. The most seen in 30,000 files of 24 languages were 0.15 a UTF-16
 * unit.
 */
export const STEP_LIMIT = (length: number) => 10_000 + length / 4;

/** Counts its calls; true once there are more than so many. */
function stepCounter(limit: number): () => boolean {
  let steps = 0;
  return () => ++steps > limit;
}

/**
 * Brackets open at once, in strings and comments too. An error below so many takes a single step
 * seconds in some grammars. Of 30,000 files, tables of tokens have 1,247, and all others at most
 * 257.
 */
const MAX_OPEN_BRACKETS = 6_000;

/**
 * What a search takes grows with the square of the children of an error, and no step of it says so.
 */
const MAX_ERROR_CHILDREN = 20_000;

/** Parsing stops beyond this: at two gigabytes the runtime would fail for every file. */
const MAX_GROWTH_BYTES = 512 * 1024 * 1024;

/** Parses a text; null when that fails or takes too much, with the reason in the log. */
export function parseText(
  grammar: Grammar,
  text: string,
  limit: typeof STEP_LIMIT,
  logger: Logger,
): ParsedText | null {
  const parsed = new ParsedText(grammar, text, limit, logger);
  return parsed.tree && parsed;
}

/** A text and its tree. */
export class ParsedText implements Disposable {
  readonly grammar: Grammar;
  private readonly limit: typeof STEP_LIMIT;
  private readonly logger: Logger;
  /** True for a text that had syntax errors at first. */
  private readonly startsBroken: boolean;
  private currentText: string;
  private masked: string;
  private currentTree: Tree | null;
  /** The last sound tree, with the edits since: null while the text is sound, or if it never was. */
  private sound: Tree | null = null;
  /** Where the text's tree differs from the sound one. */
  private unlikeSound: readonly OffsetRange[] = [];
  private lastStart: { readonly at: number; readonly point: Point } = {
    at: 0,
    point: { row: 0, column: 0 },
  };

  constructor(grammar: Grammar, text: string, limit: typeof STEP_LIMIT, logger: Logger) {
    this.grammar = grammar;
    this.limit = limit;
    this.logger = logger;
    this.currentText = text;
    this.masked = grammar.mask(text);
    this.currentTree = this.isSafe(text) ? this.parse(null) : null;
    this.startsBroken = this.currentTree?.rootNode.hasError ?? false;
  }

  get text(): string {
    return this.currentText;
  }

  /**
   * Null when the text could not be parsed, or its memory may be corrupt. Do not keep it: an edit
   * frees it.
   */
  get tree(): Tree | null {
    return this.grammar.engine.isSpoiled ? null : this.currentTree;
  }

  /**
   * Replaces a range and parses incrementally. Returns what may have changed in the tree, one after
   * the other; null when that can be anything.
   */
  edit(range: OffsetRange, newText: string): readonly Change[] | null {
    const before = this.currentText;
    this.currentText = withReplacement(before, range, newText);
    const old = this.tree;
    if (!old) return null;
    this.currentTree = null;
    const edit = this.mask({
      oldStart: range.start,
      start: range.start,
      oldEnd: range.end,
      end: range.start + newText.length,
    });
    if (edit) {
      const startPosition = this.startPoint(before, edit.start);
      const { Edit } = this.grammar.engine.runtime;
      const treeEdit = new Edit({
        startIndex: edit.start,
        oldEndIndex: edit.oldEnd,
        newEndIndex: edit.end,
        startPosition,
        oldEndPosition: pointFrom(before, startPosition, edit.start, edit.oldEnd),
        newEndPosition: pointFrom(this.currentText, startPosition, edit.start, edit.end),
      });
      old.edit(treeEdit);
      this.sound?.edit(treeEdit);
      const changes = this.parseAfter(old, edit);
      if (changes) return changes;
    }
    old.delete();
    this.forgetSound();
    return null;
  }

  /**
   * Parses an edited text by the tree before, which it frees. How the parser reads an error depends
   * on that tree, so a text that was sound is read by its last sound one.
   */
  private parseAfter(old: Tree, edit: Change): readonly Change[] | null {
    const base = this.sound ?? old;
    const tree = this.parse(base);
    if (!tree) return null;
    this.currentTree = tree;
    const changed = differences(base, tree);
    // Both trees differ from the sound one, each in its own places.
    const changes = [...this.unlikeSound.map(sameLength), edit, ...changed.map(sameLength)];
    if (!tree.rootNode.hasError || this.startsBroken) this.forgetSound();
    else {
      this.sound = base;
      this.unlikeSound = changed;
    }
    if (this.sound !== old) old.delete();
    return changes;
  }

  /**
   * What `run` finds in the tree. Null, and without a tree from now on, when it fails or takes too
   * many steps.
   */
  search<T>(run: (root: Node, isOver: () => boolean) => T): T | null {
    const { tree } = this;
    if (!tree) return null;
    const isOver = stepCounter(this.limit(this.currentText.length));
    try {
      const { rootNode } = tree;
      const found =
        rootNode.isError && rootNode.childCount > MAX_ERROR_CHILDREN ? null : run(rootNode, isOver);
      if (found !== null && !isOver()) return found;
      this.logger.warn("The search for elements takes too many steps. The file has no outline.");
    } catch (error) {
      this.grammar.engine.spoil();
      this.logger.error(
        `The search for elements failed. The file has no outline. ${String(error)}`,
      );
    }
    this.dispose();
    return null;
  }

  /** Parses another text likewise. */
  parseOther(text: string): ParsedText | null {
    return parseText(this.grammar, text, this.limit, this.logger);
  }

  dispose(): void {
    this.currentTree?.delete();
    this.currentTree = null;
    this.forgetSound();
  }

  private forgetSound(): void {
    this.sound?.delete();
    this.sound = null;
    this.unlikeSound = [];
  }

  /**
   * Where an edit begins. Remembers it: the next one is more often after it, and what precedes it
   * stays as it is.
   */
  private startPoint(text: string, offset: number): Point {
    const { at, point } =
      this.lastStart.at <= offset ? this.lastStart : { at: 0, point: { row: 0, column: 0 } };
    const found = pointFrom(text, point, at, offset);
    this.lastStart = { at: offset, point: found };
    return found;
  }

  /**
   * Masks the edited lines and the one above: a mask depends on its own line and the next one.
   * Returns the edit of the masked text, null when the parser must not see it.
   */
  private mask({ start, oldEnd, end }: Change): Change | null {
    if (!this.grammar.hasMask && !this.grammar.hasUnsafe) {
      const old = this.masked.slice(start, oldEnd);
      this.masked = this.currentText;
      return difference(start, old, this.currentText.slice(start, end));
    }
    const from = lineStart(
      this.masked,
      previousLineEnd(this.masked, lineStart(this.masked, start)),
    );
    const oldTo = nextLine(this.masked, oldEnd);
    const lines = this.currentText.slice(from, oldTo + end - oldEnd);
    if (!this.isSafe(lines)) return null;
    const before = this.masked.slice(from, oldTo);
    const after = this.grammar.mask(lines);
    this.masked = this.masked.slice(0, from) + after + this.masked.slice(oldTo);
    return difference(from, before, after);
  }

  private isSafe(text: string): boolean {
    if (!this.grammar.isUnsafe(text) && openBrackets(text) <= MAX_OPEN_BRACKETS) return true;
    this.logger.warn("The text is nested too deeply for its grammar. The file has no outline.");
    return false;
  }

  private parse(oldTree: Tree | null): Tree | null {
    const { grammar, limit, logger } = this;
    const { engine } = grammar;
    if (engine.isSpoiled) return null;
    try {
      const isOver = stepCounter(limit(this.masked.length));
      const most = engine.memorySize() + MAX_GROWTH_BYTES;
      engine.parser.setLanguage(grammar.language);
      const tree = engine.parser.parse(this.masked, oldTree, {
        progressCallback: () => isOver() || engine.memorySize() > most,
      });
      if (tree) return tree;
      engine.parser.reset();
      if (engine.memorySize() > most) engine.spoil();
      logger.warn("Parsing takes too many steps or too much memory. The file has no outline.");
    } catch (error) {
      engine.spoil();
      logger.error(`Parsing failed. The file has no outline. ${String(error)}`);
    }
    return null;
  }
}

/** The most brackets that are open at once, whatever they stand in. */
function openBrackets(text: string): number {
  let open = 0;
  let most = 0;
  for (let at = 0; at < text.length; at++) {
    const character = text[at];
    if (character === "(" || character === "[" || character === "{") most = Math.max(most, ++open);
    else if (open > 0 && (character === ")" || character === "]" || character === "}")) open--;
  }
  return most;
}

/** More places than these are searched as one. */
const MAX_PLACES = 8;

/** Where the parser made something else of a text than in the edited tree before. */
function differences(before: Tree, after: Tree): readonly OffsetRange[] {
  const places = before
    .getChangedRanges(after)
    .map(({ startIndex, endIndex }) => ({ start: startIndex, end: endIndex }));
  const [first, last] = [places[0], places.at(-1)];
  return first && last && places.length > MAX_PLACES
    ? [{ start: first.start, end: last.end }]
    : places;
}

/** A place whose text stays. */
function sameLength({ start, end }: OffsetRange): Change {
  return { oldStart: start, start, oldEnd: end, end };
}

/**
 * Where an offset is as tree-sitter counts rows, of which only `\n` ends one: from a place before it
 * whose point is known.
 */
export function pointFrom(text: string, point: Point, from: number, offset: number): Point {
  let { row } = point;
  let start = from - point.column;
  for (
    let end = text.indexOf("\n", from);
    end >= 0 && end < offset;
    end = text.indexOf("\n", start)
  ) {
    start = end + 1;
    row += 1;
  }
  return { row, column: offset - start };
}

/**
 * What differs between two texts that begin at `offset`. An edit may also make or end a masked macro
 * beside it.
 */
function difference(offset: number, before: string, after: string): Change {
  const shorter = Math.min(before.length, after.length);
  let same = 0;
  while (same < shorter && before.charCodeAt(same) === after.charCodeAt(same)) same++;
  const start = offset + same;
  let left = shorter - same;
  let [oldEnd, end] = [before.length, after.length];
  for (; left > 0 && before.charCodeAt(oldEnd - 1) === after.charCodeAt(end - 1); left--) {
    oldEnd--;
    end--;
  }
  return { oldStart: start, start, oldEnd: offset + oldEnd, end: offset + end };
}

/** The text with `range` replaced; throws a RangeError when the range lies outside of it. */
function withReplacement(text: string, { start, end }: OffsetRange, newText: string): string {
  if (!(start >= 0 && start <= end && end <= text.length)) {
    throw new RangeError(`The range ${start}-${end} is outside of a text of ${text.length}.`);
  }
  return text.slice(0, start) + newText + text.slice(end);
}
