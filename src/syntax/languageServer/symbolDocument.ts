import { err, ok, type Result } from "../../base/result.ts";
import { lineAt, lineStarts } from "../../base/text/lineTable.ts";
import { lineEnd, type OffsetRange, skipSpace, skipSpaceBack } from "../../base/text/scan.ts";
import { endsLine } from "../outline/commentIndex.ts";
import { separatorEnd, wholeFile, withReplacement } from "../outline/syntaxElement.ts";
import type { Definition } from "../paths/definition.ts";
import type { ElementHead } from "../paths/elementHead.ts";
import { normalizePath } from "../paths/elementName.ts";
import { type Element, FILE_PATH, IMPORTS_PATH, type PathTable } from "../paths/elementPaths.ts";
import { type ElementFacts, resolveElement } from "../paths/resolveElement.ts";
import type { OutlineEntry, PathError, ResolveHint, SyntaxDocument, SyntaxElement } from "../syntax.ts";
import { symbolCommentStart, trailingCommentEnd } from "./symbolComments.ts";

/** Where an element is in the current text. */
type Place = Pick<Definition, "start" | "end" | "nameStart">;

/**
 * A text with the elements that a language server found in it. It is never parsed again: elements move and grow with the edits, keep
 * their paths, and are gone once an edit replaces them. Inserted text contains none.
 */
export class SymbolDocument implements SyntaxDocument {
  readonly restriction = "symbols-only";
  readonly language = "";
  private readonly paths: PathTable;
  private readonly facts: ElementFacts;
  private places: Map<Element, Place>;
  private current: string;
  private lines: readonly number[] | null = null;

  /** `paths` are the elements of `text`. */
  constructor(text: string, paths: PathTable) {
    this.current = text;
    this.paths = paths;
    this.facts = { entryOf: (element) => this.entryOf(element), headOf: (element) => this.headOf(element) };
    this.places = new Map(paths.elements.map((element) => [element, element.definition]));
  }

  get text(): string {
    return this.current;
  }

  edit(range: OffsetRange, newText: string): void {
    const before = this.current;
    const after = withReplacement(before, range, newText);
    const places = new Map<Element, Place>();
    for (const [element, place] of this.places) {
      const moved = rangeAfterEdit(place, range, before, after);
      const nameStart = place.nameStart + (range.end <= place.nameStart ? after.length - before.length : 0);
      if (moved) places.set(element, { ...moved, nameStart: Math.max(moved.start, nameStart) });
    }
    this.places = places;
    this.current = after;
    this.lines = null;
  }

  /** Nothing to do: paths never change here. */
  pinPaths(): void {}

  outline(): readonly OutlineEntry[] {
    return [...this.places.keys()].map((element) => this.entryOf(element)).sort((a, b) => a.startLine - b.startLine);
  }

  resolve(path: string, hint?: ResolveHint): Result<SyntaxElement, PathError> {
    const wanted = normalizePath(path);
    if (wanted === FILE_PATH) return ok(wholeFile(this.current));
    if (wanted === IMPORTS_PATH) return err({ code: "imports-need-grammar" });
    const found = resolveElement(this.paths, wanted, this.facts, hint);
    if (!found.ok) return found;
    const place = this.places.get(found.value);
    return place ? this.elementAt(found.value, place) : err({ code: "replaced", path: found.value.path });
  }

  endsLine(offset: number): boolean {
    return endsLine(this.current, offset, (at) => trailingCommentEnd(this.current, at));
  }

  /** Always 0: without a grammar, no edit counts as breaking the syntax. */
  errorCount(): number {
    return 0;
  }

  dispose(): void {
    this.places.clear();
  }

  private entryOf(element: Element): OutlineEntry {
    this.lines ??= lineStarts(this.current);
    const { start, end } = this.places.get(element) ?? element.range;
    const { path, definition } = element;
    return {
      path,
      kind: definition.kind,
      startLine: lineAt(this.lines, start) + 1,
      endLine: lineAt(this.lines, Math.max(start, end - 1)) + 1,
    };
  }

  private headOf(element: Element): ElementHead {
    const place = this.places.get(element) ?? element.definition;
    return { text: this.current.slice(place.nameStart, Math.min(place.end, lineEnd(this.current, place.nameStart))), next: "line-end" };
  }

  private elementAt(element: Element, place: Place): Result<SyntaxElement, PathError> {
    const { path, definition } = element;
    const { kind } = definition;
    if (definition.isUncertain) return err({ code: "uncertain-range", element: this.entryOf(element) });
    const { start, end } = place;
    const sharing = [...this.places].filter(([other, at]) => other !== element && at.start === start && at.end === end);
    return ok({
      path,
      kind,
      range: { start, end: separatorEnd(this.current, place, kind, end) },
      separatorStart: end,
      sharedWith: sharing.map(([other]) => other.path),
      commentStart: symbolCommentStart(this.current, start, this.floorOf(element, place)),
      // Where members go differs too much from language to language.
      body: null,
    });
  }

  /** Where the text before an element begins: at the end of the one before it, or in the first line of the one around it. */
  private floorOf(element: Element, place: OffsetRange): number {
    let floor = 0;
    for (const [other, { start, end }] of this.places) {
      if (end <= place.start) floor = Math.max(floor, end);
      else if (other === element.parent && start < place.start) floor = Math.max(floor, start + 1);
    }
    return floor;
  }
}

/** Where an element is after the range `edit` of `before` was replaced, which gave `after`; null when the edit removed it, or its beginning or end. */
function rangeAfterEdit(range: OffsetRange, edit: OffsetRange, before: string, after: string): OffsetRange | null {
  const delta = after.length - before.length;
  if (edit.end <= range.start) return { start: range.start + delta, end: range.end + delta };
  if (edit.start >= range.end) return range;
  if (edit.start <= range.start && edit.end >= range.end) return null;
  const isBlank = (start: number, end: number) => before.slice(start, end).trim() === "";
  if (edit.start < range.start && !isBlank(edit.start, range.start)) return null;
  if (edit.end > range.end && !isBlank(range.end, edit.end)) return null;
  const end = skipSpaceBack(after, Math.max(edit.end, range.end) + delta);
  const start = skipSpace(after, Math.min(edit.start, range.start), end);
  return start < end ? { start, end } : null;
}
