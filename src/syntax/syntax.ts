import type { Disposable } from "../base/disposable.ts";
import type { Result } from "../base/result.ts";
import type { OffsetRange } from "../base/text/scan.ts";

/**
 * An addressable element. Lines are 1-based and inclusive; they include decorators and modifiers,
 * not preceding comments.
 */
export interface OutlineEntry {
  /**
   * The path that resolves to exactly this element: `Shape-area`, `area#2`. Where a name repeats,
   * every one has a number.
   */
  readonly path: string;
  /**
   * `class`, `interface`, `function`, `method`, `constructor`, `property`, `variable`, `enum`,
   * `type`, `heading`, `import`, `test`, …
   */
  readonly kind: string;
  readonly startLine: number;
  readonly endLine: number;
  /** How it begins, on one line, clipped; only where a path names several elements. */
  readonly signature?: string;
}

/** Where members of an element go. */
export interface ElementBody {
  /**
   * Inside the delimiters (`{`…`}`), or the indented block's text; empty for an empty body. An
   * indented block begins after its docstring, at the first member's comment.
   */
  readonly inner: OffsetRange;
  /**
   * `braces`: between delimiters. `indent`: an indented block such as Python's. `section`: a
   * Markdown section, or the whole file.
   */
  readonly style: "braces" | "indent" | "section";
  /** The indent of existing members (spaces and tabs), or null when there is none to copy. */
  readonly memberIndent: string | null;
}

/** An element found by its path, in offsets of the text it was resolved in. */
export interface SyntaxElement {
  readonly path: string;
  readonly kind: string;
  /**
   * With decorators, attributes, modifiers and `export`, without comments and the line break after
   * it.
   */
  readonly range: OffsetRange;
  /**
   * The start of the `,` or `;` at the range's end that only separates the element from the next
   * one; else `range.end`. A replacement without a separator keeps this one.
   */
  readonly separatorStart: number;
  /** The paths of other elements with the same range, such as the other names of `var a, b int`. */
  readonly sharedWith: readonly string[];
  /** Start of the comment block directly above; `range.start` for none. */
  readonly commentStart: number;
  /** Null for elements without members. */
  readonly body: ElementBody | null;
}

/** Why a path did not resolve; `pathErrorMessage` words it for the model. */
export type PathError =
  /** `candidates` are the nearest elements, nearest first. */
  | {
      readonly code: "not-found";
      readonly path: string;
      readonly candidates: readonly OutlineEntry[];
    }
  /** The path names `count` elements; `candidates` are the first of them. */
  | {
      readonly code: "ambiguous";
      readonly path: string;
      readonly count: number;
      readonly candidates: readonly OutlineEntry[];
    }
  /** The element itself contains a syntax error, so its end is uncertain. */
  | { readonly code: "syntax-error"; readonly element: OutlineEntry }
  /**
   * The pinned element is gone. The one at `line` that has its path now is pinned as `pinnedPath`.
   */
  | {
      readonly code: "reassigned";
      readonly path: string;
      readonly pinnedPath: string;
      readonly line: number;
    }
  /** Because of an earlier edit, the element no longer begins or ends where the pinned one does. */
  | { readonly code: "boundary-changed"; readonly path: string }
  /** `@imports` in a language without imports. */
  | { readonly code: "no-imports" }
  /** The text could not be parsed. */
  | { readonly code: "unparsed" };

/** A text and its elements, kept up to date with edits by incremental parsing. */
export interface SyntaxDocument extends Disposable {
  readonly text: string;
  /** The grammar's id. */
  readonly language: string;
  /** Replaces a range and brings the elements up to date. */
  edit(range: OffsetRange, newText: string): void;
  /**
   * From now on, today's paths keep naming today's elements, whatever edits do. A path that names
   * none now is looked up in the text as it will be.
   */
  pinPaths(): void;
  /** Elements in source order. */
  outline(): readonly OutlineEntry[];
  /**
   * `@file` is the whole text; `@imports` of a file without imports an empty range where the
   * language puts them. A name may contain `:`, so an address is a path as a whole unless that is
   * `not-found`; only then can its end be an operation or lines. `body` has the first lines of the
   * text that shall replace the element: of several, they choose the only one whose declaration they
   * repeat.
   */
  resolve(path: string, body?: readonly string[]): Result<SyntaxElement, PathError>;
  /**
   * True when only white space and whole comments follow `offset` on its line. `offset` must not be
   * inside a comment.
   */
  endsLine(offset: number): boolean;
  /**
   * Where the last code before `offset` ends and the first after it begins, without blanks and
   * comments. `holder` is the kind of syntax that also has more after it, or before it: `"b"` of
   * `["a", "b"]` has the list, and of `["a", "b" "c"]` the text that both make. Null where there is
   * none, or without a tree.
   */
  codeAround(
    offset: number,
  ): Readonly<Record<"before" | "after", { readonly at: number; readonly holder: string } | null>>;
  /** The number of error and missing nodes in the tree; 0 without a tree. */
  errorCount(): number;
  /** The same for another text by this grammar; null where it cannot be parsed. */
  errorsIn(text: string): number | null;
}

/** Opens files for outlines and AST paths. Grammars load on first use. */
export interface Syntax {
  /**
   * Opens a file's text by its grammar; null without one. `path` is relative to the workspace,
   * `languageId` the editor's or "".
   */
  openFile(
    path: string,
    languageId: string,
    text: string,
    signal: AbortSignal,
  ): Promise<SyntaxDocument | null>;
  /**
   * The grammar's id for a file name and an editor language id ("" when unknown), or null without a
   * grammar.
   */
  languageOf(path: string, languageId: string): string | null;
  /** Begins to load what `open` needs for a file of this name. Logs a failure. */
  warm?(path: string): void;
  /**
   * Parses `text`; null, with the reason in the log, when the grammar cannot be loaded or parsing
   * takes too much.
   */
  open(language: string, text: string): Promise<SyntaxDocument | null>;
}
