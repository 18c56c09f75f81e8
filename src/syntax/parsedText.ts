import type { Tree } from "web-tree-sitter";
import type { Disposable } from "../base/disposable.ts";
import { editedLineStarts, lineAt, lineStarts } from "../base/text/lineTable.ts";
import type { Logger } from "../ports/logger.ts";
import type { Grammar } from "./grammarLoader.ts";
import { withReplacement } from "./outline/syntaxElement.ts";
import type { OffsetRange } from "./syntaxTypes.ts";
import { type Change, changeOf } from "./updateMatches.ts";

/** What one parse, and one search for elements, may cost. */
export interface ParseLimits {
  readonly timeMs: number;
}

/** Answers whether so many milliseconds are over. */
export function timeLimit(ms: number): () => boolean {
  const end = performance.now() + ms;
  return () => performance.now() > end;
}

/** Line breaks as tree-sitter counts them. */
const ROW_BREAKS = /\n/g;

/** The range that differs: an edit may make or end a masked macro beside it. */
function difference(before: string, after: string): Change {
  const shorter = Math.min(before.length, after.length);
  let start = 0;
  while (start < shorter && before[start] === after[start]) start++;
  let same = 0;
  while (same < shorter - start && before[before.length - 1 - same] === after[after.length - 1 - same]) same++;
  return { start, oldEnd: before.length - same, newEnd: after.length - same };
}

function pointAt(rows: readonly number[], offset: number): { row: number; column: number } {
  const row = lineAt(rows, offset);
  return { row, column: offset - (rows[row] ?? 0) };
}

/** A parse that needs more is given up: at two gigabytes the runtime would be at its end, for every file. */
const MAX_GROWTH_BYTES = 512 * 1024 * 1024;

/** Answers whether a parse that begins now has taken too much time or memory. */
function parseLimit(grammar: Grammar, limits: ParseLimits): () => boolean {
  const isOver = timeLimit(limits.timeMs);
  const most = grammar.memorySize() + MAX_GROWTH_BYTES;
  return () => isOver() || grammar.memorySize() > most;
}

function parse(grammar: Grammar, masked: string, oldTree: Tree | null, limits: ParseLimits, logger: Logger): Tree | null {
  try {
    grammar.parser.setLanguage(grammar.language);
    const sizeBefore = grammar.memorySize();
    const tree = grammar.parser.parse(masked, oldTree, { progressCallback: parseLimit(grammar, limits) });
    if (tree) return tree;
    grammar.parser.reset();
    if (grammar.memorySize() > sizeBefore + MAX_GROWTH_BYTES) grammar.renew();
    logger.warn(`Parsing was given up: it takes more than ${limits.timeMs} ms or too much memory. The file has no outline.`);
  } catch (error) {
    grammar.renew();
    logger.error(`The parser failed; the file has no outline. ${String(error)}`);
  }
  return null;
}

function isSafe(grammar: Grammar, text: string, logger: Logger): boolean {
  if (!grammar.isUnsafe(text)) return true;
  logger.warn("The text is nested too deeply for its grammar; it has no outline.");
  return false;
}

/** Parses a text; null when the parser gives up, for which `logger` gets the reason. */
export function parseText(grammar: Grammar, text: string, limits: ParseLimits, logger: Logger): ParsedText | null {
  if (!isSafe(grammar, text, logger)) return null;
  const masked = grammar.mask(text);
  const tree = parse(grammar, masked, null, limits, logger);
  return tree && new ParsedText(grammar, text, masked, tree, limits, logger);
}

/** A text and its tree. */
export class ParsedText implements Disposable {
  private readonly grammar: Grammar;
  private readonly limits: ParseLimits;
  private readonly logger: Logger;
  private currentText: string;
  private masked: string;
  private currentTree: Tree | null;
  private rows: readonly number[] | null = null;
  private isMasked: boolean;

  /** Takes ownership of `tree`, which is `masked` parsed by `grammar`. */
  constructor(grammar: Grammar, text: string, masked: string, tree: Tree, limits: ParseLimits, logger: Logger) {
    this.grammar = grammar;
    this.currentText = text;
    this.masked = masked;
    this.isMasked = masked !== text;
    this.currentTree = tree;
    this.limits = limits;
    this.logger = logger;
  }

  get text(): string {
    return this.currentText;
  }

  /** Null when the text could not be parsed. It must not be kept: an edit frees it. */
  get tree(): Tree | null {
    return this.currentTree;
  }

  /** Replaces a range and parses incrementally. Answers what that may have changed in the tree; null when it can be anything. */
  edit(range: OffsetRange, newText: string): Change | null {
    const before = this.currentText;
    const text = withReplacement(before, range, newText);
    this.currentText = text;
    const old = this.currentTree;
    if (!old) return null;
    this.currentTree = null;
    try {
      const rows = this.rows ?? lineStarts(before, ROW_BREAKS);
      const newEnd = range.start + newText.length;
      const newRows = editedLineStarts(rows, text, range, newEnd, ROW_BREAKS);
      this.rows = newRows;
      const edit = this.mask(rows, { start: range.start, oldEnd: range.end, newEnd });
      if (!edit) return null;
      old.edit(
        new this.grammar.runtime.Edit({
          startIndex: edit.start,
          oldEndIndex: edit.oldEnd,
          newEndIndex: edit.newEnd,
          startPosition: pointAt(rows, edit.start),
          oldEndPosition: pointAt(rows, edit.oldEnd),
          newEndPosition: pointAt(newRows, edit.newEnd),
        }),
      );
      // What the parser makes of an error depends on the tree before; only a parse from nothing tells the same as a new document.
      const tree = old.rootNode.hasError ? null : this.parse(old);
      if (tree && !tree.rootNode.hasError) {
        this.currentTree = tree;
        return changeOf(old, tree, edit);
      }
      tree?.delete();
      this.currentTree = this.parse(null);
      return null;
    } finally {
      old.delete();
    }
  }

  dispose(): void {
    this.currentTree?.delete();
    this.currentTree = null;
  }

  private parse(old: Tree | null): Tree | null {
    return parse(this.grammar, this.masked, old, this.limits, this.logger);
  }

  /** Masks the edited lines and the one above; what is masked depends on its own line and the one below. Answers the edit of the masked text, null when the parser must not see it. */
  private mask(rows: readonly number[], edit: Change): Change | null {
    const { start, oldEnd, newEnd } = edit;
    const from = rows[lineAt(rows, start) - 1] ?? 0;
    const oldTo = rows[lineAt(rows, oldEnd) + 1] ?? this.masked.length;
    const lines = this.currentText.slice(from, oldTo + newEnd - oldEnd);
    if (!isSafe(this.grammar, lines, this.logger)) return null;
    const before = this.masked.slice(from, oldTo);
    const after = this.grammar.mask(lines);
    if (!this.isMasked && after === lines) {
      this.masked = this.currentText;
      return edit;
    }
    this.isMasked = true;
    this.masked = this.masked.slice(0, from) + after + this.masked.slice(oldTo);
    const inLines = difference(before, after);
    return { start: from + inLines.start, oldEnd: from + inLines.oldEnd, newEnd: from + inLines.newEnd };
  }
}
