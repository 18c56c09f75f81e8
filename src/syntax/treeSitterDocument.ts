import type { Tree } from "web-tree-sitter";
import { err, ok, type Result } from "../base/result.ts";
import type { Logger } from "../ports/logger.ts";
import { resolveElement } from "./astPathResolver.ts";
import { type Definitions, definitionsOf } from "./definitions.ts";
import { elementBody } from "./elementBody.ts";
import { normalisePath } from "./elementName.ts";
import { FILE_PATH, IMPORTS_PATH } from "./elementPaths.ts";
import { type Element, type ElementTable, elementTable } from "./elements.ts";
import { countErrorNodes } from "./errorNodes.ts";
import type { Grammar } from "./grammarLoader.ts";
import { importSection } from "./importSection.ts";
import { lineIndex } from "./lineIndex.ts";
import { allMatches } from "./symbolMatches.ts";
import type { OffsetRange, OutlineEntry, PathError, SyntaxDocument, SyntaxElement } from "./syntaxTypes.ts";
import { wholeFile } from "./wholeFile.ts";

/** What one parse, and one search for elements, may cost. */
export interface ParseLimits {
  /** Milliseconds after which it is given up. */
  readonly timeMs: number;
}

function timeLimit(ms: number): () => boolean {
  const end = performance.now() + ms;
  return () => performance.now() > end;
}

/** The range that differs, and where it ends in `after`: an edit may make or end a masked macro beside it. */
function changedRange(before: string, after: string): OffsetRange & { readonly newEnd: number } {
  const shorter = Math.min(before.length, after.length);
  let start = 0;
  while (start < shorter && before[start] === after[start]) start++;
  let same = 0;
  while (same < shorter - start && before[before.length - 1 - same] === after[after.length - 1 - same]) same++;
  return { start, end: before.length - same, newEnd: after.length - same };
}

function pointAt(text: string, offset: number): { row: number; column: number } {
  let row = 0;
  let start = 0;
  for (let at = text.indexOf("\n"); at >= 0 && at < offset; at = text.indexOf("\n", start)) {
    row++;
    start = at + 1;
  }
  return { row, column: offset - start };
}

/** Parses a text, incrementally when there is an edited older tree; null when the parser gives up, for which `logger` gets the reason. */
export function parseText(grammar: Grammar, text: string, oldTree: Tree | null, limits: ParseLimits, logger: Logger): Tree | null {
  if (grammar.isUnsafe(text)) {
    logger.warn("The text is nested too deeply for its grammar; it has no outline.");
    return null;
  }
  try {
    grammar.parser.setLanguage(grammar.language);
    const tree = grammar.parser.parse(grammar.mask(text), oldTree, { progressCallback: timeLimit(limits.timeMs) });
    if (tree) return tree;
    grammar.parser.reset();
    logger.warn(`Parsing was given up after ${limits.timeMs} ms; the file has no outline.`);
  } catch (error) {
    logger.error(`The parser failed; the file has no outline. ${String(error)}`);
  }
  return null;
}

/** What is known about the current text; built when first asked for, dropped by each edit. */
interface Analysis {
  readonly table: ElementTable;
  readonly lineAt: (offset: number) => number;
  readonly imports: OffsetRange;
  readonly outline: readonly OutlineEntry[];
}

/** A text, its tree and its elements. */
export class TreeSitterDocument implements SyntaxDocument {
  private readonly grammar: Grammar;
  private readonly limits: ParseLimits;
  private readonly logger: Logger;
  private tree: Tree | null;
  private current: string;
  private analysis: Analysis | null = null;

  /** Takes ownership of `tree`, which is `text` parsed by `grammar`. */
  constructor(grammar: Grammar, text: string, tree: Tree, limits: ParseLimits, logger: Logger) {
    this.grammar = grammar;
    this.current = text;
    this.tree = tree;
    this.limits = limits;
    this.logger = logger;
  }

  get text(): string {
    return this.current;
  }

  edit(range: OffsetRange, newText: string): void {
    const before = this.current;
    if (!(range.start >= 0 && range.start <= range.end && range.end <= before.length)) {
      throw new RangeError(`The range ${range.start}-${range.end} is outside of a text of ${before.length}.`);
    }
    this.current = before.slice(0, range.start) + newText + before.slice(range.end);
    this.analysis = null;
    const old = this.tree;
    if (!old) return;
    const [masked, maskedAfter] = [this.grammar.mask(before), this.grammar.mask(this.current)];
    const unmasked = masked === before && maskedAfter === this.current;
    const { start, end, newEnd } = unmasked ? { ...range, newEnd: range.start + newText.length } : changedRange(masked, maskedAfter);
    old.edit(
      new this.grammar.runtime.Edit({
        startIndex: start,
        oldEndIndex: end,
        newEndIndex: newEnd,
        startPosition: pointAt(before, start),
        oldEndPosition: pointAt(before, end),
        newEndPosition: pointAt(this.current, newEnd),
      }),
    );
    this.tree = parseText(this.grammar, this.current, old, this.limits, this.logger);
    old.delete();
  }

  outline(): readonly OutlineEntry[] {
    return this.analyse()?.outline ?? [];
  }

  resolve(path: string): Result<SyntaxElement, PathError> {
    const analysis = this.analyse();
    if (!analysis) {
      const message = "The file's syntax could not be read, so no AST path works. Use line numbers.";
      return err({ kind: "no-grammar", message, candidates: [] });
    }
    const wanted = normalisePath(path);
    if (wanted === FILE_PATH) return ok(wholeFile(this.current, this.tree?.rootNode.hasError ?? true));
    if (wanted === IMPORTS_PATH) return this.importElement(analysis);
    const found = resolveElement(analysis.table.paths, wanted, (element) => this.entryOf(element, analysis.lineAt));
    return found.ok ? this.elementOf(found.value, analysis) : found;
  }

  errorCount(): number {
    return this.tree ? countErrorNodes(this.tree) : 0;
  }

  dispose(): void {
    this.tree?.delete();
    this.tree = null;
    this.analysis = null;
  }

  private analyse(): Analysis | null {
    if (this.analysis || !this.tree) return this.analysis;
    const found = this.definitions(this.tree);
    if (!found) {
      this.dispose();
      return null;
    }
    const table = elementTable(found, this.current);
    const lineAt = lineIndex(this.current);
    const imports = importSection(found, this.current, table.surroundings);
    const entries = table.paths.elements.map((element) => this.entryOf(element, lineAt));
    const importEntry = imports.start < imports.end ? [this.lines(IMPORTS_PATH, "import", imports, lineAt)] : [];
    const outline = [...importEntry, ...entries].sort((a, b) => a.startLine - b.startLine);
    this.analysis = { table, lineAt, imports, outline };
    return this.analysis;
  }

  private definitions(tree: Tree): Definitions | null {
    const giveUp = timeLimit(this.limits.timeMs);
    try {
      const found = definitionsOf(
        allMatches(this.grammar.symbols, tree.rootNode, this.current, giveUp),
        this.current,
        this.grammar.symbols.captureNames,
      );
      if (!giveUp()) return found;
      this.logger.warn(`Looking for elements was given up after ${this.limits.timeMs} ms; the file has no outline.`);
    } catch (error) {
      this.logger.error(`Looking for elements failed; the file has no outline. ${String(error)}`);
    }
    return null;
  }

  private lines(path: string, kind: string, range: OffsetRange, lineAt: (offset: number) => number): OutlineEntry {
    return { path, kind, startLine: lineAt(range.start), endLine: lineAt(Math.max(range.start, range.end - 1)) };
  }

  private entryOf(element: Element, lineAt: (offset: number) => number): OutlineEntry {
    return this.lines(element.path, element.kind, element.range, lineAt);
  }

  private elementOf(element: Element, analysis: Analysis): Result<SyntaxElement, PathError> {
    const { path, kind, range, separatorStart, definition } = element;
    // Any text is Markdown; its grammar only misses a line break at the end.
    if (definition.hasError && definition.level === 0) {
      const entry = this.entryOf(element, analysis.lineAt);
      const message =
        `\`${path}\` (lines ${entry.startLine}-${entry.endLine}) itself holds a syntax error, so where it ends is not certain. ` +
        "Address an element outside of the error, or use line numbers.";
      return err({ kind: "broken", message, candidates: [entry] });
    }
    const { surroundings, definitions, paths } = analysis.table;
    const twins = paths.elements.filter((other) => other !== element && other.range.start === range.start && other.range.end === range.end);
    const sharedWith = twins.map((twin) => twin.path);
    const body = elementBody(definition, definitions.bodyHeads, this.current, surroundings);
    const commentStart = surroundings.commentStart(range.start);
    return ok({ path, kind, range, separatorStart, sharedWith, commentStart, body, hasError: false });
  }

  private importElement({ imports, table }: Analysis): Result<SyntaxElement, PathError> {
    if (!table.hasImports) {
      const message = `This language has no import section, so \`${IMPORTS_PATH}\` names nothing.`;
      return err({ kind: "not-found", message, candidates: [] });
    }
    return ok({
      path: IMPORTS_PATH,
      kind: "import",
      range: imports,
      separatorStart: imports.end,
      sharedWith: [],
      // The comment above the first import is the file's header more often than the imports' own.
      commentStart: imports.start,
      body: { inner: imports, style: "section", memberIndent: "" },
      hasError: false,
    });
  }
}
