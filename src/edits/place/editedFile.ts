import { countLines, countTextLines, splitLines, type TextLine } from "../../base/text/lines.ts";
import type { FileRef, FileSnapshot } from "../../ports/workspace.ts";
import type { Syntax, SyntaxDocument } from "../../syntax/syntax.ts";
import type { ViewedTexts } from "../../tools/files/viewedFiles.ts";
import { type Address, type AddressedLines, linesOf } from "../block.ts";
import { unnumbered } from "../elements/pathNames.ts";
import { type FileStyle, fileStyle } from "../text/fileStyle.ts";
import { checksFit } from "../text/lineChecks.ts";
import { AstPlacer } from "./astPlacer.ts";
import { CompletePlacer } from "./completePlacer.ts";
import { LinePlacer } from "./linePlacer.ts";
import type { Placer } from "./placer.ts";

interface NamedLines extends AddressedLines {
  readonly names: readonly string[];
}

/** A file as a session finds it, and what can be told of it once it is needed. */
export class EditedFile {
  readonly ref: FileRef;
  /** The byte order mark, or "". */
  readonly bom: string;
  /** The text after it. */
  readonly text: string;
  readonly document: SyntaxDocument | null;
  private known: readonly NamedLines[] | null = null;
  private readonly split = new Map<string, readonly TextLine[]>();
  private knownStyle: FileStyle | null = null;
  private sound: boolean | null = null;

  /** `document` holds the text until the first edit. */
  constructor(ref: FileRef, whole: string, document: SyntaxDocument | null) {
    this.ref = ref;
    this.bom = whole.startsWith("\uFEFF") ? "\uFEFF" : "";
    this.text = whole.slice(this.bom.length);
    this.document = document;
  }

  get path(): string {
    return this.ref.path;
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

  /** A placer for addresses of a kind, `complete` for the whole file; null without a grammar. */
  placer(kind: Address["kind"] | "complete", isNamed?: (word: string) => boolean): Placer | null {
    const { text, document } = this;
    this.sound ??= document?.errorCount() === 0;
    if (kind === "complete") return new CompletePlacer(text, document);
    if (kind === "lines") return new LinePlacer(text, document);
    return document ? new AstPlacer(document, isNamed) : null;
  }

  /** Makes AST paths keep the meaning they have in the text; to call before the first edit. */
  pinPaths(): void {
    this.elements();
    this.document?.pinPaths();
  }

  /** True where a path, or its end, is one in the text, also after an edit removed the element. */
  namesElement(path: string): boolean {
    return this.elements().some(({ names }) =>
      names.some((own) => own === path || own.endsWith(`-${path}`)),
    );
  }

  /** True where a grammar found the syntax sound before the first edit. */
  get wasSound(): boolean {
    return this.sound === true;
  }

  /** The lines of the elements that a path, or its end, names; all for `@file` and `@imports`. */
  elementsAt(path: string): readonly AddressedLines[] {
    if (path === "@file" || path === "@imports")
      return this.document ? [{ start: 1, end: countLines(this.text) }] : [];
    return this.elements()
      .filter(({ names }) => names.some((own) => own === path || own.endsWith(`-${path}`)))
      .map(({ start, end }) => ({ start, end }));
  }

  /** Whether an address and its checks fit as named, before any block changed the file. */
  holds(
    address: Address,
    checks: readonly string[],
    looks: (first: number, last: number) => ViewedTexts,
  ): boolean {
    const fits = (text: string, { start, end }: AddressedLines) => {
      const lines = this.linesOf(text);
      return checksFit(lines[start - 1]?.text, lines[end - 1]?.text, checks);
    };
    const lines = linesOf(address);
    const elements = address.kind === "ast" ? this.elementsAt(address.path) : [];
    if (address.kind === "ast" && elements.length === 0) return false;
    if (!lines) return checks.length === 0 || elements.some((each) => fits(this.text, each));
    const seen = looks(lines.start, lines.end).texts.filter((text) => text !== null);
    return (seen.length > 0 ? seen : [this.text]).some(
      (text) => lines.end <= countTextLines(text) + 1 && fits(text, lines),
    );
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

/** Gives `use` a file, parsed where there is a grammar for it; what that takes is freed afterwards. */
export async function withEditedFile<Result>(
  { file, languageId, text }: FileSnapshot,
  syntax: Syntax,
  signal: AbortSignal,
  use: (file: EditedFile) => Result | Promise<Result>,
): Promise<Result> {
  const plain = text.replace(/^\uFEFF/, "");
  const document = await syntax.openFile(file.path, languageId, plain, signal);
  try {
    return await use(new EditedFile(file, text, document));
  } finally {
    document?.dispose();
  }
}
