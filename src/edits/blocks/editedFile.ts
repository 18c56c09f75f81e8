import type { SyntaxDocument } from "../../syntax/syntax.ts";
import { unnumbered } from "../elements/pathNames.ts";
import { type FileStyle, fileStyle } from "../text/fileStyle.ts";

/** A file as a session finds it, and what can be told of it once it is needed. */
export class EditedFile {
  /** The byte order mark, or "". */
  readonly bom: string;
  /** The text after it. */
  readonly text: string;
  private readonly document: SyntaxDocument | null;
  private paths: readonly string[] | null = null;
  private knownStyle: FileStyle | null = null;

  /** `document` holds the text until the first edit. */
  constructor(whole: string, document: SyntaxDocument | null) {
    this.bom = whole.startsWith("\uFEFF") ? "\uFEFF" : "";
    this.text = whole.slice(this.bom.length);
    this.document = document;
  }

  style(): FileStyle {
    this.knownStyle ??= fileStyle(this.text);
    return this.knownStyle;
  }

  /** Makes AST paths keep the meaning they have in the text; to call before the first edit. */
  pinPaths(): void {
    this.elementPaths();
    this.document?.pinPaths();
  }

  /** True where a path, or its end, is one in the text. A path that an edit removed still names what it did. */
  namesElement(path: string): boolean {
    return this.elementPaths().some((own) => own === path || own.endsWith(`-${path}`));
  }

  /** True where a grammar says that the syntax is sound, so that it finds every bracket that an edit leaves alone. */
  isSound(): boolean {
    return this.document?.restriction === null && this.document.errorCount() === 0;
  }

  private elementPaths(): readonly string[] {
    this.paths ??= this.document?.outline().flatMap(({ path }) => [path, unnumbered(path)]) ?? [];
    return this.paths;
  }
}
