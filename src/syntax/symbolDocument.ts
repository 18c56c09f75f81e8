import { err, ok, type Result } from "../base/result.ts";
import { resolveElement } from "./astPathResolver.ts";
import { normalisePath } from "./elementName.ts";
import { FILE_PATH, IMPORTS_PATH, type PathTable } from "./elementPaths.ts";
import { endsLine } from "./endsLine.ts";
import { lineIndex } from "./lineIndex.ts";
import { skipSpaceBack } from "./surroundings.ts";
import { symbolBody } from "./symbolBody.ts";
import { symbolCommentStart, trailingCommentEnd } from "./symbolComments.ts";
import { endWithLinesBelow, rangeAfterEdit } from "./symbolEdit.ts";
import type { SymbolElement } from "./symbolElements.ts";
import type { ElementBody, OffsetRange, OutlineEntry, PathError, SyntaxDocument, SyntaxElement } from "./syntaxTypes.ts";
import { wholeFile } from "./wholeFile.ts";

/** Where an element is in the current text. */
interface Place extends OffsetRange {
  /** Where it begins without its attributes. */
  readonly header: number;
}

/**
 * A text and the elements that a language server told of it. Nobody parses it again: elements move and grow with the edits, keep their
 * paths, and are gone when an edit replaces them; what is inserted holds none.
 */
export class SymbolDocument implements SyntaxDocument {
  readonly restriction =
    "These paths come from the editor's language support, there is no grammar for this kind of file: `@imports` does not work, and an element that one block replaced cannot be addressed by a later one.";
  private readonly paths: PathTable<SymbolElement>;
  private places: Map<SymbolElement, Place>;
  private current: string;
  private lineAt: ((offset: number) => number) | null = null;

  /** `paths` are the elements of `text`. */
  constructor(text: string, paths: PathTable<SymbolElement>) {
    this.current = text;
    this.paths = paths;
    this.places = new Map(paths.elements.map((element) => [element, { ...element.range, header: element.header }]));
  }

  get text(): string {
    return this.current;
  }

  edit(range: OffsetRange, newText: string): void {
    const before = this.current;
    if (!(range.start >= 0 && range.start <= range.end && range.end <= before.length)) {
      throw new RangeError(`The range ${range.start}-${range.end} is outside of a text of ${before.length}.`);
    }
    const edit = { ...range, newText };
    const after = before.slice(0, range.start) + newText + before.slice(range.end);
    const places = new Map<SymbolElement, Place>();
    for (const [element, place] of this.places) {
      const end = endWithLinesBelow(place, edit, before);
      const isOwn = end > place.end && this.bodyOf(element, place)?.style === "indent";
      const moved = isOwn ? { start: place.start, end } : rangeAfterEdit(place, edit, before, after);
      const header = place.header + (range.end <= place.header ? after.length - before.length : 0);
      if (moved) places.set(element, { ...moved, header: Math.max(moved.start, header) });
    }
    this.places = places;
    this.current = after;
    this.lineAt = null;
  }

  /** Nothing to do: the paths are those of the first text anyway. */
  pinPaths(): void {}

  outline(): readonly OutlineEntry[] {
    return [...this.places.keys()].map((element) => this.entryOf(element)).sort((a, b) => a.startLine - b.startLine);
  }

  resolve(path: string): Result<SyntaxElement, PathError> {
    const wanted = normalisePath(path);
    if (wanted === FILE_PATH) return ok(wholeFile(this.current, false));
    if (wanted === IMPORTS_PATH) {
      const message = `There is no grammar for this kind of file, so \`${IMPORTS_PATH}\` names nothing. Insert before or after an element of the outline, or use line numbers.`;
      return err({ kind: "not-found", message, candidates: [] });
    }
    const found = resolveElement(this.paths, wanted, (element) => this.entryOf(element));
    if (!found.ok) return found;
    const place = this.places.get(found.value);
    return place ? this.elementAt(found.value, place) : err(this.goneError(found.value));
  }

  endsLine(offset: number): boolean {
    return endsLine(this.current, offset, (at) => trailingCommentEnd(this.current, at));
  }

  /** Always 0: nobody knows the syntax, so an edit never counts as breaking it. */
  errorCount(): number {
    return 0;
  }

  dispose(): void {
    this.places.clear();
  }

  private entryOf(element: SymbolElement): OutlineEntry {
    this.lineAt ??= lineIndex(this.current);
    const { start, end } = this.places.get(element) ?? element.range;
    const { path, kind } = element;
    return { path, kind, startLine: this.lineAt(start), endLine: this.lineAt(Math.max(start, end - 1)) };
  }

  private elementAt(element: SymbolElement, place: Place): Result<SyntaxElement, PathError> {
    const { path, kind } = element;
    if (!element.complete) {
      const entry = this.entryOf(element);
      const message =
        `The editor's language support does not tell exactly where \`${path}\` (line ${entry.startLine}) begins and ends. ` +
        "Address another element, or use line numbers.";
      return err({ kind: "broken", message, candidates: [entry] });
    }
    const range = { start: place.start, end: this.separatorEnd(kind, place) };
    const sharedWith = [...this.places].filter(
      ([other, { start, end }]) => other !== element && start === place.start && end === place.end,
    );
    return ok({
      path,
      kind,
      range,
      separatorStart: place.end,
      sharedWith: sharedWith.map(([other]) => other.path),
      commentStart: symbolCommentStart(this.current, place.start, this.floorOf(element, place)),
      body: this.bodyOf(element, place),
      hasError: false,
    });
  }

  /** Behind the `,` or `;` that follows an element at once. */
  private separatorEnd(kind: string, { start, end }: Place): number {
    const text = this.current;
    // What follows a tag is text, and `;;` begins a comment in Lisp.
    if (text[start] === "<" || text.startsWith(";;", end)) return end;
    // The `;` behind the last constant of an enum, or the last name of `int a, b;`, ends the list.
    const endsList = kind === "enum-member" || text[skipSpaceBack(text, start) - 1] === ",";
    return text[end] === "," || (text[end] === ";" && !endsList) ? end + 1 : end;
  }

  private bodyOf(element: SymbolElement, { header, end }: Place): ElementBody | null {
    const children = [...this.places].filter(([{ parent }]) => parent === element).map(([, range]) => range);
    return symbolBody(this.current, { start: header, end }, children);
  }

  /** Where what stands before an element ends: the one before it, or the first line of the one around it. */
  private floorOf(element: SymbolElement, place: OffsetRange): number {
    let floor = 0;
    for (const [other, { start, end }] of this.places) {
      if (end <= place.start) floor = Math.max(floor, end);
      else if (other === element.parent && start < place.start) floor = Math.max(floor, start + 1);
    }
    return floor;
  }

  private goneError({ path }: SymbolElement): PathError {
    const message =
      `\`${path}\` was replaced or removed by an earlier block, and there is no grammar for this kind of file to find it again. ` +
      "Address an element that was left alone, or use line numbers.";
    return { kind: "not-found", message, candidates: [] };
  }
}
