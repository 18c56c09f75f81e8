import { err, ok, type Result } from "../base/result.ts";
import { fileErrorMessage } from "../ports/messages.ts";
import { readPath, type Workspace } from "../ports/workspace.ts";
import type { OutlineEntry, Syntax, SyntaxDocument, SyntaxElement } from "../syntax/syntax.ts";
import type { DemoIntent } from "./demoIntent.ts";

/** The sources of the script's facts. */
export interface DemoPorts {
  readonly workspace: Pick<Workspace, "resolve" | "read" | "writable" | "search">;
  readonly syntax: Syntax;
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

const EDITABLE = /\.(?:[mc]?[jt]sx?|py[iw]?)$/i;
const CODE = "*.{ts,tsx,mts,cts,js,jsx,mjs,cjs,py}";
const DECLARATION = "^(export|function|class|const|def)\\b";
const MAX_LENGTH = 300_000;
const PATH = /["'`]([^"'`\n]+\.\w+)["'`]|([\p{L}\p{N}_@~./\\-]+\.[A-Za-z]\w*)/gu;

/** Opens a file. The caller disposes of the document. The error is a sentence. */
export async function openSource(
  path: string,
  edits: boolean,
  ports: DemoPorts,
  signal: AbortSignal,
): Promise<Result<DemoSource, string>> {
  const read = await readPath(ports.workspace, path, signal);
  if (!read.ok) return err(fileErrorMessage(read.error));
  if (edits && !EDITABLE.test(path))
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
 * Finds the file that the line names, or the first of `candidates` that fits, or any. Null if there
 * is none.
 */
export async function findFile(
  { line, kind }: DemoIntent,
  candidates: readonly string[],
  ports: DemoPorts,
  signal: AbortSignal,
): Promise<string | null> {
  const named = [...line.matchAll(PATH)].map((match) =>
    (match[1] ?? match[2] ?? "").replaceAll("\\", "/"),
  );
  const [first = null] = named.filter((path) => ports.syntax.languageOf(path, "") !== null);
  if (first !== null) return first;
  const open = [...named, ...candidates].filter(
    (path) => kind === "explain" || EDITABLE.test(path),
  );
  for (const path of open) if ((await readPath(ports.workspace, path, signal)).ok) return path;
  return (await sourceFiles(ports, signal))[0] ?? null;
}

/** Source files of the workspace with declarations, at most 50; tests and built files last. */
export async function sourceFiles(
  { workspace }: Pick<DemoPorts, "workspace">,
  signal: AbortSignal,
): Promise<readonly string[]> {
  const query = {
    pattern: DECLARATION,
    isRegExp: true,
    caseSensitive: true,
    include: CODE,
    limit: 50,
  };
  const found = await workspace.search(query, signal);
  const paths = found.ok ? [...new Set(found.value.matches.map(({ path }) => path))] : [];
  const isLast = (path: string) => /(?:^|\/)(?:tests?|dist|out)\/|\.d\.\w+$/.test(path);
  return [...paths.filter((path) => !isLast(path)), ...paths.filter(isLast)];
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
