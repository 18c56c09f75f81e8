import { err, ok, type Result } from "../base/result.ts";
import type { CodeSymbol } from "../ports/languageServices.ts";
import type { FileError, Workspace } from "../ports/workspace.ts";
import type { Syntax } from "../syntax/syntaxTypes.ts";

/** Lines with the name that are looked at, and files that are parsed, at most. */
const MAX_MATCHES = 2_000;
const MAX_FILES = 60;

/** Where the outlines of the workspace's files define `name`: elements of that name, or where there are none those whose name holds it. */
export async function outlineSymbols(
  workspace: Workspace,
  syntax: Syntax,
  name: string,
  signal: AbortSignal,
): Promise<Result<readonly CodeSymbol[], FileError>> {
  const query = { pattern: name, isRegExp: false, caseSensitive: false, include: null, limit: MAX_MATCHES };
  const found = await workspace.search(query, signal);
  if (!found.ok) return err(found.error);
  const paths = [...new Set(found.value.matches.map(({ path }) => path))].filter((path) => syntax.languageOf(path, "") !== null);
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
  const file = await workspace.resolve(path);
  if (!file.ok) return [];
  const read = await workspace.read(file.value, signal);
  if (!read.ok) return [];
  const document = await syntax.openFile(path, read.value.languageId, read.value.text, signal);
  if (!document) return [];
  try {
    return document.outline().flatMap(({ path: astPath, kind, startLine }) => {
      const plain = astPath.replace(/#\d+$/, "");
      const last = lastSegment(plain, name);
      if (!last.toLowerCase().includes(name.toLowerCase())) return [];
      const container = plain.length > last.length ? plain.slice(0, plain.length - last.length - 1) : null;
      return [{ name: last, kind, container, path, line: startLine }];
    });
  } finally {
    document.dispose();
  }
}

/** Names themselves may hold dashes, such as those of CSS: the name asked for counts as one. */
function lastSegment(astPath: string, name: string): string {
  if (astPath === name || astPath.endsWith(`-${name}`)) return name;
  return astPath.slice(astPath.lastIndexOf("-") + 1);
}
