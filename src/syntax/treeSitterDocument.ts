import { err, ok, type Result } from "../base/result.ts";
import { lineAt, lineStarts } from "../base/text/lineTable.ts";
import {
  lineEnd,
  nextLine,
  type OffsetRange,
  skipSpace,
  skipSpaceBack,
} from "../base/text/scan.ts";
import { type Analysis, analyzeMatches } from "./outline/analyzeMatches.ts";
import { hasCertainRange } from "./outline/certainRange.ts";
import { endsLine } from "./outline/commentIndex.ts";
import { definitionHead } from "./outline/definitionHead.ts";
import { elementBody } from "./outline/elementBody.ts";
import { ErrorCount } from "./outline/errorCount.ts";
import { updateMatches } from "./outline/matches.ts";
import { MovedRanges } from "./outline/movedRanges.ts";
import type { ParsedText } from "./outline/parsedText.ts";
import { movedElement, wholeFile } from "./outline/syntaxElement.ts";
import { normalizePath } from "./paths/elementName.ts";
import { type Element, FILE_PATH, IMPORTS_PATH } from "./paths/elementPaths.ts";
import { PinnedPaths } from "./paths/pinnedPaths.ts";
import { type ElementFacts, resolveElement } from "./paths/resolveElement.ts";
import type {
  OutlineEntry,
  PathError,
  ResolveHint,
  SyntaxDocument,
  SyntaxElement,
} from "./syntax.ts";

/** A text, its tree and its elements. */
export class TreeSitterDocument implements SyntaxDocument {
  private readonly parsed: ParsedText;
  /** Follows each edit. */
  private pinned: PinnedPaths | null = null;
  /** The elements of the text before the edits that `moved` holds. */
  private analysis: Analysis | null = null;
  private moved: MovedRanges | null = null;
  private readonly errors = new ErrorCount();
  /** Dropped by each edit. */
  private lines: readonly number[] | null = null;

  /** Takes ownership of `parsed`. */
  constructor(parsed: ParsedText) {
    this.parsed = parsed;
  }

  get text(): string {
    return this.parsed.text;
  }

  get language(): string {
    return this.parsed.grammar.id;
  }

  edit(range: OffsetRange, newText: string): void {
    const before = this.text;
    const changes = this.parsed.edit(range, newText);
    this.pinned?.edited(before, range, newText.length);
    this.lines = null;
    this.errors.edited(changes);
    if (!changes) {
      this.forget();
      return;
    }
    // Most elements only move: the others' matches are brought up to date when one is asked for.
    if (this.analysis) this.moved ??= new MovedRanges();
    for (const change of changes) this.moved?.add(change);
  }

  pinPaths(): void {
    const paths = this.analyze()?.paths;
    this.pinned = paths ? new PinnedPaths(paths, this.factsOf()) : null;
  }

  outline(): readonly OutlineEntry[] {
    const analysis = this.analyze();
    if (!analysis) return [];
    const { imports, paths } = analysis;
    const importEntry =
      imports.start < imports.end ? [this.entryAt(IMPORTS_PATH, "import", imports)] : [];
    return [...importEntry, ...paths.elements.map((element) => this.entryOf(element))].sort(
      (a, b) => a.startLine - b.startLine,
    );
  }

  resolve(path: string, hint?: ResolveHint): Result<SyntaxElement, PathError> {
    const wanted = normalizePath(path);
    const moved = this.resolveMoved(wanted, hint);
    if (moved) return ok(moved);
    const analysis = this.analyze();
    if (!analysis) return err({ code: "unparsed" });
    if (wanted === FILE_PATH) return ok(wholeFile(this.text));
    if (wanted === IMPORTS_PATH) return importElement(analysis);
    const { paths } = analysis;
    const facts = this.factsOf();
    const found = this.pinned
      ? this.pinned.resolve(wanted, paths, facts, this.text, hint)
      : resolveElement(paths, wanted, facts, hint);
    return found.ok ? this.elementOf(found.value, analysis) : found;
  }

  endsLine(offset: number): boolean {
    const { text } = this;
    const line = { start: skipSpaceBack(text, offset), end: nextLine(text, lineEnd(text, offset)) };
    const delta = this.moved?.movedFrom(line) ?? null;
    const comments = delta === null ? this.analyze()?.comments : this.analysis?.comments;
    const shift = delta ?? 0;
    return (
      comments !== undefined &&
      endsLine(text, offset, (at) => comments.commentEndAt(at - shift) + shift)
    );
  }

  errorCount(): number {
    const { tree } = this.parsed;
    return tree ? this.errors.of(tree.rootNode) : 0;
  }

  dispose(): void {
    this.parsed.dispose();
    this.forget();
  }

  private forget(): void {
    this.moved = null;
    this.analysis = null;
  }

  private analyze(): Analysis | null {
    if (this.analysis && !this.moved) return this.analysis;
    const { parsed, text } = this;
    const { grammar } = parsed;
    const known = this.analysis && this.moved && { analysis: this.analysis, moved: this.moved };
    this.forget();
    this.analysis = parsed.search((root, isOver) => {
      const matches = known && { matches: known.analysis.matches, moved: known.moved };
      const updated = updateMatches(matches, grammar, root, text, isOver);
      return analyzeMatches(updated, text, grammar.symbols.captureNames, known);
    });
    return this.analysis;
  }

  /** The element that a pinned path names when edits only moved it: that costs no search. */
  private resolveMoved(path: string, hint: ResolveHint | undefined): SyntaxElement | null {
    const { analysis, moved, pinned } = this;
    if (!analysis || !moved || !pinned) return null;
    const { comments, paths, text: old } = analysis;
    const movedBy = ({ range: { start, end }, definition }: Element) => {
      // A section ends by what the next heading is.
      if (definition.level > 0) return null;
      return moved.movedBy({
        start: skipSpaceBack(old, comments.commentStart(start)),
        end: skipSpace(old, end, old.length),
      });
    };
    const found = pinned.resolveMoved(path, paths, movedBy, this.text, hint);
    const element = found && this.elementOf(found.element, analysis);
    if (!element?.ok) return null;
    const { range, body } = element.value;
    const isWhole =
      moved.movedBy({ start: range.start, end: Math.max(range.end, body?.inner.end ?? 0) }) ===
      found?.delta;
    return isWhole ? movedElement(element.value, found.delta) : null;
  }

  /** Facts of the text as it is now. */
  private factsOf(): ElementFacts {
    const { text } = this;
    return {
      entryOf: (element) => this.entryOf(element),
      headOf: ({ definition }) => definitionHead(definition, text),
    };
  }

  private entryOf({ path, range, definition }: Element): OutlineEntry {
    return this.entryAt(path, definition.kind, range);
  }

  private entryAt(path: string, kind: string, { start, end }: OffsetRange): OutlineEntry {
    this.lines ??= lineStarts(this.text);
    const last = Math.max(start, end - 1);
    return {
      path,
      kind,
      startLine: lineAt(this.lines, start) + 1,
      endLine: lineAt(this.lines, last) + 1,
    };
  }

  private elementOf(
    element: Element,
    { text, paths, marks, comments }: Analysis,
  ): Result<SyntaxElement, PathError> {
    const { path, range, definition } = element;
    const { start, end } = range;
    const commentStart = comments.commentStart(start);
    if (definition.isUncertain && !hasCertainRange(definition, text, commentStart)) {
      return err({ code: "syntax-error", element: this.entryOf(element) });
    }
    const sharing = paths.elements.filter(
      (other) => other !== element && other.range.start === start && other.range.end === end,
    );
    return ok({
      path,
      kind: definition.kind,
      range,
      separatorStart: definition.end,
      sharedWith: sharing.map((other) => other.path),
      commentStart,
      body: elementBody(definition, marks.bodyHeads, text, comments),
    });
  }
}

function importElement({ hasImports, imports }: Analysis): Result<SyntaxElement, PathError> {
  if (!hasImports) return err({ code: "no-imports" });
  return ok({
    path: IMPORTS_PATH,
    kind: "import",
    range: imports,
    separatorStart: imports.end,
    sharedWith: [],
    // The comment above the first import is more often the file's header than the imports' own.
    commentStart: imports.start,
    body: { inner: imports, style: "section", memberIndent: "" },
  });
}
