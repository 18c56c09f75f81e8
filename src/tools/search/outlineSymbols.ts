import { err, ok, type Result } from "../../base/result.ts";
import type { CodeSymbol } from "../../ports/languageServices.ts";
import { type FileError, readPath, type TextMatch, type Workspace } from "../../ports/workspace.ts";
import type { Syntax } from "../../syntax/syntax.ts";

/** The most lines with the name that a search gives. */
const MAX_MATCHES = 2_000;
/** The most files to parse: once one defines the name, and until then. */
const ENOUGH_FILES = 60;
const MAX_FILES = 400;

/** A line that declares something, in many languages. It only decides which files are read first. */
const DECLARATION =
  "\\b(?:class|interface|struct|enum|trait|impl|union|record|object|protocol|extension|type|typedef|alias|namespace|module|package|mod|def|defp|defn|fn|fun|func|function|sub|proc|procedure|macro|let|const|var|val|static|table|view|resource|message|service|data|newtype)\\b[^=;:{}\"'\\n]*";
/** A name that begins its line, or stands after modifiers and a type, before `(`, `=` or `:`; no call. */
const HEAD = "^\\s*(?:[A-Za-z_@][\\w.<>\\[\\],&*?]*\\s+)*[*&]*";
const HEAD_END = "\\s*(?:[=:<]|\\([^;\\n]*$)";
/** A line that begins so uses the name. */
const USE =
  /^\s*(?:return|await|yield|throw|raise|new|else|if|elif|while|for|case|assert|import)\b/;

/** What outlines say of a name. */
export interface OutlinedSymbols {
  readonly symbols: readonly CodeSymbol[];
  /** Lines with the name; it may be defined in those of files that were not read. */
  readonly mentions: readonly TextMatch[];
  /** How many files with the name were read. */
  readonly read: number;
  /** Files that have the name and were not read. */
  readonly unread: number;
  /** Further files that have the name, and no outline. */
  readonly withoutOutline: number;
  /** More lines have the name than a search lists, so there may be further files. */
  readonly cut: boolean;
}

/**
 * Where the outlines of the workspace files define `name`: elements with that name, else elements
 * whose name contains it. Only an outline proves a definition; lines that look like one decide
 * which files are read first.
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
  const { matches, truncated } = found.value;
  const escaped = name.replace(/[\\^$.*+?()[\]{}|/]/g, "\\$&");
  const likely: TextMatch[] = [];
  // What a search leaves out may be the definition.
  for (const pattern of truncated
    ? [`${DECLARATION}${escaped}`, `${HEAD}${escaped}${HEAD_END}`]
    : []) {
    const more = await workspace.search({ ...query, pattern, isRegExp: true }, signal);
    if (more.ok) likely.push(...more.value.matches);
  }
  const rank = rankOf(escaped);
  const ranks = new Map<string, number>();
  for (const { path, text } of [...likely, ...matches])
    ranks.set(path, Math.min(ranks.get(path) ?? Number.POSITIVE_INFINITY, rank(text)));
  const readable = [...ranks.keys()].filter((path) => syntax.languageOf(path, "") !== null);
  readable.sort((a, b) => (ranks.get(a) ?? 0) - (ranks.get(b) ?? 0));
  const symbols: CodeSymbol[] = [];
  const isExact = (symbol: CodeSymbol) => symbol.name === name;
  let read = 0;
  for (const path of readable) {
    const most = symbols.some(isExact) ? ENOUGH_FILES : MAX_FILES;
    if (signal.aborted || read >= most) break;
    symbols.push(...(await symbolsOf(workspace, syntax, path, name, signal)));
    read++;
  }
  const exact = symbols.filter(isExact);
  return ok({
    symbols: exact.length > 0 ? exact : symbols,
    mentions: matches,
    read,
    unread: readable.length - read,
    withoutOutline: ranks.size - readable.length,
    cut: truncated,
  });
}

/** How likely a line defines the name: 0 is most likely. */
function rankOf(escaped: string): (text: string) => number {
  const shapes = [
    new RegExp(`${DECLARATION}(?<![\\w$])${escaped}(?![\\w$])`, "i"),
    new RegExp(`${HEAD}${escaped}${HEAD_END}`, "i"),
    new RegExp(`${DECLARATION}${escaped}`, "i"),
  ];
  return (text) => {
    const shape = USE.test(text) ? -1 : shapes.findIndex((each) => each.test(text));
    return shape < 0 ? shapes.length : shape;
  };
}

/** Outlines also name what defines nothing. */
const NO_DEFINITIONS = new Set(["statement", "comment"]);

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
      if (NO_DEFINITIONS.has(kind)) return [];
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
