import { err, ok, type Result } from "../base/result.ts";
import { fileErrorMessage } from "../ports/messages.ts";
import { readPath, type Workspace } from "../ports/workspace.ts";
import type { OutlineEntry, Syntax, SyntaxDocument, SyntaxElement } from "../syntax/syntax.ts";
import { type DemoIntent, dottedWords, isEditable, namesFile } from "./demoIntent.ts";

/** The sources of the script's facts. */
export interface DemoPorts {
  readonly workspace: Pick<Workspace, "resolve" | "read" | "writable" | "search">;
  readonly syntax: Syntax;
  /** How the user gets a model here, after "To use a model,"; absent in an editor. */
  readonly useModel?: string;
}

/** A parsed file. Its line endings are normalized to `\n`. */
export interface DemoSource {
  readonly path: string;
  readonly text: string;
  readonly document: SyntaxDocument;
  readonly python: boolean;
}

/** An outline element with its location in the text. */
export interface DemoElement extends OutlineEntry {
  readonly element: SyntaxElement;
  /** The last segment of the path. */
  readonly name: string;
  /** Whether no other element contains it. */
  readonly topLevel: boolean;
}

const CODE = "*.{ts,tsx,mts,cts,js,jsx,mjs,cjs,py}";
const DECLARATION = "^(export|function|class|const|def)\\b";
const MAX_LENGTH = 300_000;

/** Opens a file. The caller disposes of the document. The error is a sentence. */
export async function openSource(
  path: string,
  edits: boolean,
  ports: DemoPorts,
  signal: AbortSignal,
): Promise<Result<DemoSource, string>> {
  const read = await readPath(ports.workspace, path, signal);
  if (!read.ok) return err(fileErrorMessage(read.error));
  if (edits && !isEditable(path))
    return err(`Demo mode edits only TypeScript, JavaScript and Python files, not \`${path}\`.`);
  const locked = edits ? await ports.workspace.writable(read.value.file) : null;
  if (locked) return err(fileErrorMessage(locked));
  const text = read.value.text.replace(/^\uFEFF/, "").replace(/\r\n?/g, "\n");
  if (text.trim() === "") return err(`\`${path}\` is empty.`);
  if (edits && text.length > MAX_LENGTH) return err(`\`${path}\` is too large for demo mode.`);
  const document = await ports.syntax.openFile(path, read.value.languageId, text, signal);
  if (!document) return err(`Graft has no outline of \`${path}\`, and demo mode needs one.`);
  return ok({ path, text, document, python: /\.py[iw]?$/i.test(path) });
}

/**
 * Finds the file that the line names, or the first of `candidates` that fits, or any. For a name, it
 * is the first of all that declares it, where one does. Null if there is none.
 */
export async function findFile(
  intent: DemoIntent,
  candidates: readonly string[],
  ports: DemoPorts,
  signal: AbortSignal,
): Promise<string | null> {
  const words = dottedWords(intent.line);
  const named = words.find((word) => namesFile(word, ports.syntax));
  if (named !== undefined) return named;
  const open = [...words, ...candidates].filter(
    (path) => intent.kind === "explain" || isEditable(path),
  );
  const name =
    intent.kind === "rename" ? intent.from : intent.kind === "document" ? intent.target : null;
  if (name !== null) {
    const declaring = await declaringFile(name, open, ports, signal);
    if (declaring !== null) return declaring;
  }
  for (const path of open) if ((await readPath(ports.workspace, path, signal)).ok) return path;
  return (await sourceFiles(ports, signal))[0] ?? null;
}

/** The first of `open`, else of the workspace's files, that declares `name`; else null. */
async function declaringFile(
  name: string,
  open: readonly string[],
  ports: DemoPorts,
  signal: AbortSignal,
): Promise<string | null> {
  const word = name.slice(name.lastIndexOf(".") + 1).replaceAll("$", "\\$");
  const keyword = `\\b(function|class|interface|type|enum|const|let|var|def)\\b[ *]+${word}\\b`;
  const looked = new Set<string>();
  // The search finds few lines, and a name may stand in many: keywords first, then members.
  for (const pattern of [null, keyword, `\\b${word}\\b`]) {
    const paths = pattern === null ? open : await sourceFiles(ports, signal, pattern);
    for (const path of paths.filter((each) => !looked.has(each))) {
      looked.add(path);
      const source = await openSource(path, true, ports, signal);
      if (!source.ok) continue;
      const isDeclared = declaredElement(source.value, name) !== null;
      source.value.document.dispose();
      if (isDeclared) return path;
    }
  }
  return null;
}

/**
 * Source files of the workspace with lines of `pattern`, by default declarations, at most 50; tests
 * and built files last.
 */
export async function sourceFiles(
  { workspace }: Pick<DemoPorts, "workspace">,
  signal: AbortSignal,
  pattern = DECLARATION,
): Promise<readonly string[]> {
  const query = { pattern, isRegExp: true, caseSensitive: true, include: CODE, limit: 50 };
  const found = await workspace.search(query, signal);
  const paths = found.ok ? [...new Set(found.value.matches.map(({ path }) => path))] : [];
  const isLast = (path: string) => /(?:^|\/)(?:tests?|dist|out)\/|\.d\.\w+$/.test(path);
  return [...paths.filter((path) => !isLast(path)), ...paths.filter(isLast)];
}

/** The element that `name` declares, which may be `Class.method`; null for none. */
export function declaredElement(source: DemoSource, name: string): DemoElement | null {
  return demoElements(source).find((element) => isNamed(element, name)) ?? null;
}

/** Whether this is what an element is called; `name` may be `Class.method`. */
export function isNamed({ path }: DemoElement, name: string): boolean {
  return `-${path.replace(/#\d+$/, "")}`.endsWith(`-${name.replaceAll(".", "-")}`);
}

/** The outline with ranges, without imports. */
export function demoElements({ document }: DemoSource): readonly DemoElement[] {
  let end = 0;
  return document.outline().flatMap((entry) => {
    const resolved = document.resolve(entry.path);
    if (!resolved.ok || entry.path.startsWith("@") || entry.kind === "import") return [];
    const element = resolved.value;
    const topLevel = element.range.start >= end;
    if (topLevel) end = element.range.end;
    return [
      {
        ...entry,
        element,
        topLevel,
        name: entry.path.slice(entry.path.lastIndexOf("-") + 1).replace(/#\d+$/, ""),
      },
    ];
  });
}

/** The names of an element's direct members, at most six. */
export function memberNames(
  { path }: DemoElement,
  elements: readonly DemoElement[],
): readonly string[] {
  const members = elements.filter(
    (other) =>
      other.path.startsWith(`${path}-`) && !other.path.slice(path.length + 1).includes("-"),
  );
  const named = members.filter(({ name, kind }) => kind !== "constructor" && !name.startsWith("_"));
  return [...new Set(named.map(({ name }) => name))].slice(0, 6);
}
