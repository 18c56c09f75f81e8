import { countLines, splitLines, type TextLine } from "../../base/text/lines.ts";
import type { SyntaxDocument } from "../../syntax/syntax.ts";
import type { AddressedLines } from "../drafts/address.ts";
import { unnumbered } from "../elements/pathNames.ts";
import { type FileStyle, fileStyle } from "../text/fileStyle.ts";

interface NamedLines extends AddressedLines {
  readonly names: readonly string[];
}

/** A file as a session finds it, and what can be told of it once it is needed. */
export class EditedFile {
  /** The byte order mark, or "". */
  readonly bom: string;
  /** The text after it. */
  readonly text: string;
  private readonly document: SyntaxDocument | null;
  private known: readonly NamedLines[] | null = null;
  private readonly split = new Map<string, readonly TextLine[]>();
  private knownStyle: FileStyle | null = null;

  /** `document` holds the text until the first edit. */
  constructor(whole: string, document: SyntaxDocument | null) {
    this.bom = whole.startsWith("\uFEFF") ? "\uFEFF" : "";
    this.text = whole.slice(this.bom.length);
    this.document = document;
  }

  /** The lines of this text, or of an earlier one that the model saw; each is split once. */
  linesOf(text: string): readonly TextLine[] {
    const known = this.split.get(text);
    if (known) return known;
    const lines = splitLines(text);
    this.split.set(text, lines);
    return lines;
  }

  style(): FileStyle {
    this.knownStyle ??= fileStyle(this.text);
    return this.knownStyle;
  }

  /** Makes AST paths keep the meaning they have in the text; to call before the first edit. */
  pinPaths(): void {
    this.elements();
    this.document?.pinPaths();
  }

  /**
   * True where a path, or its end, is one in the text. A path that an edit removed still names what
   * it did.
   */
  namesElement(path: string): boolean {
    return this.elements().some(({ names }) =>
      names.some((own) => own === path || own.endsWith(`-${path}`)),
    );
  }

  /**
   * True where a grammar says that the syntax is sound, so that it finds every bracket that an edit
   * leaves alone.
   */
  isSound(): boolean {
    return this.document?.errorCount() === 0;
  }

  /**
   * The lines of the elements that a path, or its end, names in the text; all of it for `@file`,
   * and `@imports` where there may be some.
   */
  elementsAt(path: string): readonly AddressedLines[] {
    if (path === "@file" || path === "@imports")
      return this.document ? [{ start: 1, end: countLines(this.text) }] : [];
    return this.elements()
      .filter(({ names }) => names.some((own) => own === path || own.endsWith(`-${path}`)))
      .map(({ start, end }) => ({ start, end }));
  }

  private elements(): readonly NamedLines[] {
    this.known ??=
      this.document?.outline().map(({ path, startLine, endLine }) => ({
        names: [path, unnumbered(path)],
        start: startLine,
        end: endLine,
      })) ?? [];
    return this.known;
  }
}
