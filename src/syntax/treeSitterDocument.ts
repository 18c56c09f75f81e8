import { err, ok, type Result } from "../base/result.ts";
import type { Logger } from "../ports/logger.ts";
import { resolveElement } from "./astPathResolver.ts";
import { definitionsOf } from "./definitions.ts";
import { elementBody } from "./elementBody.ts";
import { normalisePath } from "./elementName.ts";
import { FILE_PATH, IMPORTS_PATH } from "./elementPaths.ts";
import { type Element, type ElementTable, elementTable } from "./elements.ts";
import { endsLine } from "./endsLine.ts";
import { errorNodes } from "./errorNodes.ts";
import type { Grammar } from "./grammarLoader.ts";
import { importSection } from "./importSection.ts";
import { EDITOR_LINES, editedLineStarts, lineAt, lineStarts } from "./lineStarts.ts";
import type { ParsedText } from "./parsedText.ts";
import { PinnedPaths } from "./pinnedPaths.ts";
import { allMatches, type Place, type SymbolMatch } from "./symbolMatches.ts";
import type { OffsetRange, OutlineEntry, PathError, SyntaxDocument, SyntaxElement } from "./syntaxTypes.ts";
import { type ParseLimits, timeLimit } from "./timeLimit.ts";
import { changedNodes, updateErrors, updateMatches } from "./updateMatches.ts";
import { wholeFile } from "./wholeFile.ts";

/** What is known about the current text; built when first asked for, dropped by each edit. */
interface Analysis {
  readonly table: ElementTable;
  readonly imports: OffsetRange;
}

/** A text, its tree and its elements. */
export class TreeSitterDocument implements SyntaxDocument {
  private readonly grammar: Grammar;
  private readonly limits: ParseLimits;
  private readonly logger: Logger;
  private readonly parsed: ParsedText;
  private matches: readonly SymbolMatch[] | null = null;
  private errors: readonly Place[] | null = null;
  private lines: readonly number[] | null = null;
  private analysis: Analysis | null = null;
  private entries: readonly OutlineEntry[] | null = null;
  private pinned: PinnedPaths | null = null;

  /** Takes ownership of `parsed`. */
  constructor(grammar: Grammar, parsed: ParsedText, limits: ParseLimits, logger: Logger) {
    this.grammar = grammar;
    this.parsed = parsed;
    this.limits = limits;
    this.logger = logger;
  }

  get text(): string {
    return this.parsed.text;
  }

  edit(range: OffsetRange, newText: string): void {
    const change = this.parsed.edit(range, newText);
    this.pinned?.edited(range, newText.length);
    this.lines &&= editedLineStarts(this.lines, this.text, range, range.start + newText.length, EDITOR_LINES);
    this.analysis = null;
    this.entries = null;
    const { matches, errors } = this;
    this.matches = null;
    this.errors = null;
    const { tree } = this.parsed;
    if (!tree || !change || !(matches || errors)) return;
    this.searched((giveUp) => {
      const nodes = changedNodes(tree.rootNode, change);
      if (!nodes) return;
      this.matches = matches && updateMatches(matches, this.grammar.symbols, nodes, this.text, change, giveUp);
      this.errors = errors && updateErrors(errors, nodes, change);
    });
  }

  pinPaths(): void {
    const paths = this.analyse()?.table.paths;
    this.pinned = paths ? new PinnedPaths(paths) : null;
  }

  outline(): readonly OutlineEntry[] {
    this.entries ??= this.drawOutline();
    return this.entries;
  }

  resolve(path: string): Result<SyntaxElement, PathError> {
    const analysis = this.analyse();
    if (!analysis) {
      const message = "The file's syntax could not be read, so no AST path works. Use line numbers.";
      return err({ kind: "no-grammar", message, candidates: [] });
    }
    const wanted = normalisePath(path);
    if (wanted === FILE_PATH) return ok(wholeFile(this.text, this.parsed.tree?.rootNode.hasError ?? true));
    if (wanted === IMPORTS_PATH) return this.importElement(analysis);
    const { paths } = analysis.table;
    const entryOf = (element: Element) => this.entryOf(element);
    const found = this.pinned ? this.pinned.resolve(wanted, paths, entryOf) : resolveElement(paths, wanted, entryOf);
    return found.ok ? this.elementOf(found.value, analysis) : found;
  }

  endsLine(offset: number): boolean {
    const around = this.analyse()?.table.surroundings;
    return around !== undefined && endsLine(this.text, offset, (at) => around.commentEndAt(at));
  }

  errorCount(): number {
    const { tree } = this.parsed;
    if (!tree) return 0;
    this.errors ??= errorNodes(tree.rootNode);
    return this.errors.length;
  }

  dispose(): void {
    this.parsed.dispose();
    this.matches = null;
    this.errors = null;
    this.analysis = null;
    this.entries = null;
  }

  private analyse(): Analysis | null {
    const { tree, text } = this.parsed;
    if (this.analysis || !tree) return this.analysis;
    this.searched((giveUp) => {
      const { symbols } = this.grammar;
      this.matches ??= allMatches(symbols, tree.rootNode, text, giveUp);
      const definitions = definitionsOf(this.matches, text, symbols.captureNames);
      const table = elementTable(definitions, text);
      this.analysis = { table, imports: importSection(definitions, text, table.surroundings) };
    });
    return this.analysis;
  }

  /** Runs a search for elements. One that fails or takes too long leaves the file without an outline. */
  private searched(search: (giveUp: () => boolean) => void): void {
    const giveUp = timeLimit(this.limits.timeMs);
    try {
      search(giveUp);
      if (!giveUp()) return;
      this.logger.warn(`Looking for elements was given up after ${this.limits.timeMs} ms; the file has no outline.`);
    } catch (error) {
      this.grammar.renew();
      this.logger.error(`Looking for elements failed; the file has no outline. ${String(error)}`);
    }
    this.dispose();
  }

  private drawOutline(): readonly OutlineEntry[] {
    const analysis = this.analyse();
    if (!analysis) return [];
    const { imports, table } = analysis;
    const entries = table.paths.elements.map((element) => this.entryOf(element));
    const importEntry = imports.start < imports.end ? [this.entry(IMPORTS_PATH, "import", imports)] : [];
    return [...importEntry, ...entries].sort((a, b) => a.startLine - b.startLine);
  }

  private lineAt(offset: number): number {
    this.lines ??= lineStarts(this.text, EDITOR_LINES);
    return lineAt(this.lines, offset);
  }

  private entry(path: string, kind: string, range: OffsetRange): OutlineEntry {
    return { path, kind, startLine: this.lineAt(range.start), endLine: this.lineAt(Math.max(range.start, range.end - 1)) };
  }

  private entryOf(element: Element): OutlineEntry {
    return this.entry(element.path, element.kind, element.range);
  }

  private elementOf(element: Element, analysis: Analysis): Result<SyntaxElement, PathError> {
    const { path, kind, range, separatorStart, definition } = element;
    // Any text is Markdown; its grammar only misses a line break at the end.
    if (definition.hasError && definition.level === 0) {
      const entry = this.entryOf(element);
      const message =
        `\`${path}\` (lines ${entry.startLine}-${entry.endLine}) itself holds a syntax error, so where it ends is not certain. ` +
        "Address an element outside of the error, or use line numbers.";
      return err({ kind: "broken", message, candidates: [entry] });
    }
    const { surroundings, definitions, paths } = analysis.table;
    const twins = paths.elements.filter((other) => other !== element && other.range.start === range.start && other.range.end === range.end);
    const sharedWith = twins.map((twin) => twin.path);
    const body = elementBody(definition, definitions.bodyHeads, this.text, surroundings);
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
