import { err, ok, type Result } from "../../base/result.ts";
import type { CodeSymbol } from "../../ports/languageServices.ts";
import { type FileError, readPath, type Workspace } from "../../ports/workspace.ts";
import type { Syntax } from "../../syntax/syntax.ts";

/** The most lines with the name, and the most files to parse. */
const MAX_MATCHES = 2_000;
const MAX_FILES = 60;

/**
 * Where the outlines of the workspace files define `name`: elements with that name, else elements
 * whose name contains it.
 */
export async function outlineSymbols(
  workspace: Workspace,
  syntax: Syntax,
  name: string,
  signal: AbortSignal,
): Promise<Result<readonly CodeSymbol[], FileError>> {
  const query = {
    pattern: name,
    isRegExp: false,
    caseSensitive: false,
    include: null,
    limit: MAX_MATCHES,
  };
  const found = await workspace.search(query, signal);
  if (!found.ok) return err(found.error);
  const paths = [...new Set(found.value.matches.map(({ path }) => path))].filter(
    (path) => syntax.languageOf(path, "") !== null,
  );
  const symbols: CodeSymbol[] = [];
  for (const path of paths.slice(0, MAX_FILES)) {
    if (signal.aborted) break;
    symbols.push(...(await symbolsOf(workspace, syntax, path, name, signal)));
  }
  const exact = symbols.filter((symbol) => symbol.name === name);
  return ok(exact.length > 0 ? exact : symbols);
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
