import { err, ok, type Result } from "../../base/result.ts";
import type { CodeSymbol } from "../../ports/languageServices.ts";
import { type FileError, readPath, type Workspace } from "../../ports/workspace.ts";
import type { Syntax } from "../../syntax/syntax.ts";

/** The most lines with the name, and the most files to parse. */
const MAX_MATCHES = 2_000;
const MAX_FILES = 60;

/** A line that declares something, in many languages. It only decides which files are read first. */
const DECLARATION =
  "\\b(?:class|interface|struct|enum|trait|impl|union|record|object|protocol|extension|type|typedef|alias|namespace|module|package|mod|def|defp|defn|fn|fun|func|function|sub|proc|procedure|macro|let|const|var|val|static|table|view|resource|message|service|data|newtype)\\b[^\\n]*";

/** What outlines say of a name. */
interface OutlinedSymbols {
  readonly symbols: readonly CodeSymbol[];
  /** Files that have the name and were not read. */
  readonly unread: number;
  /** More lines have the name than a search lists, so there may be further files. */
  readonly cut: boolean;
}

/**
 * Where the outlines of the workspace files define `name`: elements with that name, else elements
 * whose name contains it. Files in which a line seems to declare it are read first.
 */
export async function outlineSymbols(
  workspace: Workspace,
  syntax: Syntax,
  name: string,
  signal: AbortSignal,
): Promise<Result<OutlinedSymbols, FileError>> {
  const query = {
    pattern: name,
    isRegExp: false,
    caseSensitive: false,
    include: null,
    limit: MAX_MATCHES,
  };
  const found = await workspace.search(query, signal);
  if (!found.ok) return err(found.error);
  const declares = `${DECLARATION}${name.replace(/[\\^$.*+?()[\]{}|/]/g, "\\$&")}`;
  const declared = found.value.truncated
    ? await workspace.search({ ...query, pattern: declares, isRegExp: true }, signal)
    : found;
  if (!declared.ok) return err(declared.error);
  const isDeclaration = new RegExp(declares, "i");
  const likely = declared.value.matches.filter(({ text }) => isDeclaration.test(text));
  const paths = [...new Set([...likely, ...found.value.matches].map(({ path }) => path))].filter(
    (path) => syntax.languageOf(path, "") !== null,
  );
  const symbols: CodeSymbol[] = [];
  let read = 0;
  for (const path of paths.slice(0, MAX_FILES)) {
    if (signal.aborted) break;
    symbols.push(...(await symbolsOf(workspace, syntax, path, name, signal)));
    read++;
  }
  const exact = symbols.filter((symbol) => symbol.name === name);
  return ok({
    symbols: exact.length > 0 ? exact : symbols,
    unread: paths.length - read,
    cut: found.value.truncated,
  });
}

async function symbolsOf(
  workspace: Workspace,
  syntax: Syntax,
  path: string,
  name: string,
  signal: AbortSignal,
): Promise<readonly CodeSymbol[]> {
  const read = await readPath(workspace, path, signal);
  if (!read.ok) return [];
  const document = await syntax.openFile(path, read.value.languageId, read.value.text, signal);
  if (!document) return [];
  try {
    const outline = document.outline();
    const paths = new Set(outline.map(({ path: astPath }) => astPath));
    return outline.flatMap(({ path: astPath, kind, startLine }) => {
      const container = containerOf(astPath, paths);
      const own = (container === null ? astPath : astPath.slice(container.length + 1)).replace(
        /#\d+$/,
        "",
      );
      return own.toLowerCase().includes(name.toLowerCase())
        ? [{ name: own, kind, container, path, line: startLine }]
        : [];
    });
  } finally {
    document.dispose();
  }
}

/**
 * The path of the element that contains the one at `astPath`. Names may contain dashes themselves,
 * as in CSS.
 */
function containerOf(astPath: string, paths: ReadonlySet<string>): string | null {
  for (let at = astPath.lastIndexOf("-"); at > 0; at = astPath.lastIndexOf("-", at - 1)) {
    const container = astPath.slice(0, at);
    if (paths.has(container)) return container;
  }
  return null;
}
