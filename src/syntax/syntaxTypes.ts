import type { Disposable } from "../base/disposable.ts";
import type { Result } from "../base/result.ts";

/** An addressable element. Lines are 1-based and inclusive and include decorators, modifiers and `export`, not preceding comments. */
export interface OutlineEntry {
  /** The path that resolves to exactly this element: `Shape-area`, `area#2`. */
  readonly path: string;
  /** `class`, `interface`, `function`, `method`, `constructor`, `property`, `variable`, `enum`, `type`, `heading`, `import`, `test`, … */
  readonly kind: string;
  readonly startLine: number;
  readonly endLine: number;
}

/** Half-open range of UTF-16 offsets. */
export interface OffsetRange {
  readonly start: number;
  readonly end: number;
}

/** Where members of an element go. */
export interface ElementBody {
  /**
   * Inside the delimiters (`{`…`}`), or the indented block's text; empty for an empty body. In an indented block it begins behind a
   * docstring, at the first member's comment, and is empty at the docstring's end when there is nothing else.
   */
  readonly inner: OffsetRange;
  /** `braces`: between delimiters. `indent`: an indented block such as Python's. `section`: a Markdown section, or the whole file. */
  readonly style: "braces" | "indent" | "section";
  /** The indent of existing members (spaces and tabs), or null when there is none to copy. */
  readonly memberIndent: string | null;
}

/** An element found by its path, in offsets of the text it was resolved in. */
export interface SyntaxElement {
  readonly path: string;
  readonly kind: string;
  /** The element with decorators, attributes, modifiers and export keyword, without comments and without the line break after it. */
  readonly range: OffsetRange;
  /**
   * Where the `,` or `;` begins with which the range ends when it only separates the element from the next one (an enum's or an
   * object's member, a class field); else `range.end`. A replacement without a separator of its own leaves this one in place.
   */
  readonly separatorStart: number;
  /** The paths of other elements with this very range, such as the other names of `var a, b int` or `const { a, b } = x`. */
  readonly sharedWith: readonly string[];
  /** Start of the comment block directly above (equal to `range.start` when there is none). */
  readonly commentStart: number;
  /** Null for elements that hold no members. */
  readonly body: ElementBody | null;
  /** True when the element's own subtree holds a syntax error. */
  readonly hasError: boolean;
}

/** Why a path did not resolve; `pathErrorMessage` words it for the model. */
export type PathError =
  /** `candidates` are the nearest elements, nearest first. */
  | { readonly code: "not-found"; readonly path: string; readonly candidates: readonly OutlineEntry[] }
  /** The path names `count` elements; `candidates` are the first of them. */
  | { readonly code: "ambiguous"; readonly path: string; readonly count: number; readonly candidates: readonly OutlineEntry[] }
  /** The element itself holds a syntax error, so its end is uncertain. */
  | { readonly code: "syntax-error"; readonly element: OutlineEntry }
  /** The language server's range does not cover the whole element. */
  | { readonly code: "uncertain-range"; readonly element: OutlineEntry }
  /** An earlier edit removed or replaced the element; without a grammar it cannot be found again. */
  | { readonly code: "replaced"; readonly path: string }
  /** The pinned element is gone. The one at `line` that has its path now is pinned as `pinnedPath`. */
  | { readonly code: "reassigned"; readonly path: string; readonly pinnedPath: string; readonly line: number }
  /** `@imports` in a language without imports, or in a file without a grammar. */
  | { readonly code: "no-imports" }
  | { readonly code: "imports-need-grammar" }
  /** The text could not be parsed. */
  | { readonly code: "unparsed" };

/** A text and its elements, kept in step with edits: a syntax tree by incremental parsing, a language server's symbols by moving them. Free it with `dispose`. */
export interface SyntaxDocument extends Disposable {
  readonly text: string;
  /** `symbols-only`: the paths come from a language server, see `restrictionMessage`. Null when all addresses work. */
  readonly restriction: "symbols-only" | null;
  /** Replaces a range and brings the elements up to date. */
  edit(range: OffsetRange, newText: string): void;
  /**
   * From now on the paths that elements have now mean these elements, whatever path an edit gives them. A path that named none now is
   * looked up in the text as it will be.
   */
  pinPaths(): void;
  /** Elements in source order. */
  outline(): readonly OutlineEntry[];
  /** `@imports` of a file without imports resolves to an empty range where the language puts them; `@file` to the whole text. */
  resolve(path: string): Result<SyntaxElement, PathError>;
  /** True when nothing but white space and comments that end on it follows `offset` on its line. `offset` must not be inside a comment. */
  endsLine(offset: number): boolean;
  /** How many error and missing nodes the tree holds; 0 without a tree. */
  errorCount(): number;
}

/** The entry to outlines and AST paths. Grammars load on first use. */
export interface Syntax {
  /**
   * Opens a file's text by its grammar; a file without one by the symbols that the editor knows. `path` is relative to the workspace,
   * `languageId` the editor's or "". Null when neither knows the file.
   */
  openFile(path: string, languageId: string, text: string, signal: AbortSignal): Promise<SyntaxDocument | null>;
  /** The grammar's id for a file name and an editor language id ("" when unknown), or null without a grammar. */
  languageOf(path: string, languageId: string): string | null;
  /** Begins to load what `open` needs for a file of this name, if that is not loaded yet. A failure is logged. */
  warm?(path: string): void;
  /** Parses `text`; null when the grammar cannot be loaded or the parser gives up (memory, time), which is logged. */
  open(language: string, text: string): Promise<SyntaxDocument | null>;
}
