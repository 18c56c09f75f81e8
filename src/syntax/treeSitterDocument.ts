import { err, ok, type Result } from "../base/result.ts";
import {
  lineEnd,
  nextLine,
  type OffsetRange,
  skipBlanks,
  skipSpace,
  skipSpaceBack,
} from "../base/text/scan.ts";
import { type Analysis, analyzeMatches } from "./outline/analyzeMatches.ts";
import { hasCertainRange } from "./outline/certainRange.ts";
import { elementBody } from "./outline/elementBody.ts";
import { errorPlaces } from "./outline/errorPlaces.ts";
import { codeAround } from "./outline/heldCode.ts";
import { commentEndAt, commentStart } from "./outline/marks.ts";
import { updateMatches } from "./outline/matches.ts";
import { MovedRanges } from "./outline/movedRanges.ts";
import type { ParsedText } from "./outline/parsedText.ts";
import { type Element, movedRange } from "./paths/element.ts";
import { normalizePath } from "./paths/elementName.ts";
import { FILE_PATH, IMPORTS_PATH } from "./paths/elementPaths.ts";
import { PinnedPaths } from "./paths/pinnedPaths.ts";
import { namedElements, onlyElement } from "./paths/resolveElement.ts";
import type { OutlineEntry, PathError, SyntaxDocument, SyntaxElement } from "./syntax.ts";

/** A text, its tree and its elements. */
export class TreeSitterDocument implements SyntaxDocument {
  private readonly parsed: ParsedText;
  /** Follows each edit. */
  private pinned: PinnedPaths | null = null;
  /** Of the text before the edits that its `moved` holds. */
  private analysis: Analysis | null = null;
  /** Where errors were before the edits that `sinceErrors` holds; null where they can be anywhere. */
  private errors: readonly OffsetRange[] | null = null;
  private sinceErrors = new MovedRanges();

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
    if (!changes) this.errors = null;
    if (this.errors) for (const change of changes ?? []) this.sinceErrors.add(change);
    // Most elements only move: the others' matches are brought up to date when one is asked for.
    if (changes) for (const change of changes) this.analysis?.moved.add(change);
    else this.analysis = null;
  }

  pinPaths(): void {
    const paths = this.analyze()?.paths;
    this.pinned = paths ? new PinnedPaths(paths) : null;
  }

  outline(): readonly OutlineEntry[] {
    const analysis = this.analyze();
    if (!analysis) return [];
    const { imports, paths } = analysis;
    const importEntry =
      imports.start < imports.end ? [paths.entryAt(IMPORTS_PATH, "import", imports)] : [];
    return [...importEntry, ...paths.elements.map((element) => paths.entryOf(element))].sort(
      (a, b) => a.startLine - b.startLine,
    );
  }

  resolve(path: string, body?: readonly string[]): Result<SyntaxElement, PathError> {
    const wanted = normalizePath(path);
    const moved = this.resolveMoved(wanted, body);
    if (moved) return ok(moved);
    const analysis = this.analyze();
    if (!analysis) return err({ code: "unparsed" });
    if (wanted === FILE_PATH) return ok(wholeFile(this.text));
    if (wanted === IMPORTS_PATH) return importElement(analysis);
    const { paths } = analysis;
    const found = this.pinned
      ? this.pinned.resolve(wanted, paths, body)
      : onlyElement(namedElements(paths, wanted, body), paths, wanted);
    return found.ok ? this.elementOf(found.value, analysis) : found;
  }

  endsLine(offset: number): boolean {
    const { text } = this;
    const line = { start: skipSpaceBack(text, offset), end: nextLine(text, lineEnd(text, offset)) };
    const delta = this.analysis?.moved.movedFrom(line) ?? null;
    const marks = (delta === null ? this.analyze() : this.analysis)?.marks;
    if (!marks) return false;
    const shift = delta ?? 0;
    let at = skipBlanks(text, offset);
    for (;;) {
      const end = commentEndAt(marks, at - shift) + shift;
      // A comment that continues on the next line does not end this one.
      if (end <= at || /[\r\n]/.test(text.slice(at, end))) break;
      at = skipBlanks(text, end);
    }
    return at === text.length || text[at] === "\n" || text[at] === "\r";
  }

  codeAround(offset: number): ReturnType<SyntaxDocument["codeAround"]> {
    const { tree } = this.parsed;
    return tree ? codeAround(tree.rootNode, this.text, offset) : { before: null, after: null };
  }

  errorCount(): number {
    const { tree } = this.parsed;
    if (!tree) return 0;
    this.errors = errorPlaces(tree.rootNode, this.text, this.errors, this.sinceErrors);
    this.sinceErrors = new MovedRanges();
    return this.errors.length;
  }

  errorsIn(text: string): number | null {
    const other = this.parsed.parseOther(text);
    const errors =
      other?.tree && errorPlaces(other.tree.rootNode, text, null, new MovedRanges()).length;
    other?.dispose();
    return errors ?? null;
  }

  dispose(): void {
    this.parsed.dispose();
    this.analysis = null;
  }

  private analyze(): Analysis | null {
    const known = this.analysis;
    if (known && known.moved.changed.length === 0) return known;
    const { parsed, text } = this;
    const { grammar } = parsed;
    this.analysis = null;
    this.analysis = parsed.search((root, isOver) => {
      const [before, moved] = [known?.matches ?? [], known?.moved ?? null];
      const updated = updateMatches(before, moved, grammar, root, text, isOver);
      return analyzeMatches(updated, text, grammar.symbols.captureNames, known);
    });
    return this.analysis;
  }

  /** The element that a pinned path names when edits only moved it: that costs no search. */
  private resolveMoved(path: string, newText?: readonly string[]): SyntaxElement | null {
    const { analysis, pinned } = this;
    if (!analysis || !pinned) return null;
    const { marks, moved, paths } = analysis;
    const old = marks.text;
    const movedBy = ({ range: { start, end }, level }: Element) => {
      // A section ends by what the next heading is.
      if (level > 0) return null;
      return moved.movedBy({
        start: skipSpaceBack(old, commentStart(marks, start)),
        end: skipSpace(old, end, old.length),
      });
    };
    const found = pinned.resolveMoved(path, paths, movedBy, this.text, newText);
    const element = found && this.elementOf(found.element, analysis);
    if (!element?.ok) return null;
    const { range, body } = element.value;
    const isWhole =
      moved.movedBy({ start: range.start, end: Math.max(range.end, body?.inner.end ?? 0) }) ===
      found?.delta;
    return isWhole ? movedElement(element.value, found.delta) : null;
  }

  private elementOf(
    element: Element,
    { paths, marks }: Analysis,
  ): Result<SyntaxElement, PathError> {
    const { path, kind, range } = element;
    const { start, end } = range;
    const top = commentStart(marks, start);
    if (element.isUncertain && !hasCertainRange(element, marks.text, top)) {
      return err({ code: "syntax-error", element: paths.entryOf(element) });
    }
    const sharing = paths.elements.filter(
      (other) => other !== element && other.range.start === start && other.range.end === end,
    );
    return ok({
      path,
      kind,
      range,
      separatorStart: element.end,
      sharedWith: sharing.map((other) => other.path),
      commentStart: top,
      body: elementBody(element, marks),
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

/**
 * The whole text as an element, `@file`. Its body begins after a byte order mark and a shebang
 * line.
 */
function wholeFile(text: string): SyntaxElement {
  const range = { start: 0, end: text.length };
  const start = /^\uFEFF?(?:#!.*(?:\r\n|\n|\r|$))?/.exec(text)?.[0].length ?? 0;
  return {
    path: FILE_PATH,
    kind: "file",
    range,
    separatorStart: range.end,
    sharedWith: [],
    commentStart: 0,
    body: { inner: { start, end: range.end }, style: "section", memberIndent: "" },
  };
}

/** The same element so many UTF-16 units further on. */
function movedElement(element: SyntaxElement, delta: number): SyntaxElement {
  return {
    ...element,
    range: movedRange(element.range, delta),
    separatorStart: element.separatorStart + delta,
    commentStart: element.commentStart + delta,
    body: element.body && { ...element.body, inner: movedRange(element.body.inner, delta) },
  };
}
