import * as path from "node:path";
import * as z from "zod/mini";
import { err, ok, type Result } from "../../base/result.ts";
import { LineBuffer } from "../../base/text/lineBuffer.ts";
import { untilAborted } from "../../base/untilAborted.ts";
import { type FileError, MAX_FILE_BYTES, type SearchAnswer, type TextMatch, type TextSearch } from "../../ports/workspace.ts";
import { isSecretPath } from "../../tools/permissions/protectedPath.ts";
import { clipMatch } from "../../tools/search/searchTexts.ts";
import { childEnvironment } from "../processes/childEnvironment.ts";
import { startChild } from "../processes/childProcess.ts";
import { firstExecutable, programOnPath } from "../processes/programOnPath.ts";
import { createPathPattern } from "./pathPattern.ts";

/** A match in the output of `rg --json`; one that is not UTF-8 has no `text` and is skipped. https://docs.rs/grep-printer/latest/grep_printer/struct.JSON.html */
const matchSchema = z.object({
  type: z.literal("match"),
  data: z.object({ path: z.object({ text: z.string() }), lines: z.object({ text: z.string() }), line_number: z.int() }),
});

/** Searches the files under `root`, also hidden ones, without ignored ones and `excludes` (globs). Null where ripgrep cannot run. */
export async function searchWithRipgrep(
  rg: string,
  root: string,
  query: TextSearch,
  excludes: readonly string[],
  signal: AbortSignal,
): Promise<Result<SearchAnswer, FileError> | null> {
  const included = query.include === null ? () => true : createPathPattern(query.include);
  const matches: TextMatch[] = [];
  const lines = new LineBuffer();
  const enough = new AbortController();
  let said = "";
  let hasSummary = false;
  const abort = AbortSignal.any([signal, enough.signal]);
  const child = await startChild({
    file: rg,
    args: [...ARGS, ...patternArgs(query), ...includeArgs(query.include), ...excludes.flatMap((glob) => ["--glob", `!${glob}`]), "--", "."],
    cwd: root,
    env: childEnvironment().variables,
    input: "",
    verbatim: false,
    abort,
    onStdout(text) {
      for (const line of lines.push(text)) {
        hasSummary ||= line.includes('"type":"summary"');
        const match = matches.length > query.limit ? null : parseMatch(line);
        if (match && included(match.path) && !isSecretPath(match.path)) matches.push(match);
      }
      if (matches.length > query.limit) enough.abort();
    },
    onStderr(text) {
      said = (said + text).slice(0, MAX_REASON);
    },
  });
  if (!child.ok) return null;
  const exit = await untilAborted(child.value.exited, abort);
  if (signal.aborted) return err({ code: "cancelled", path: "" });
  // 2 also means that some file could not be read. The summary comes after every search.
  const isRefused = exit.ok && exit.value.code !== 0 && exit.value.code !== 1 && !hasSummary && matches.length === 0;
  if (isRefused) return query.isRegExp ? err({ code: "invalid-pattern", path: "", detail: reasonOf(said) }) : null;
  const truncated = matches.length > query.limit;
  return ok({ matches: matches.slice(0, query.limit), truncated });
}

/** The most that is kept of what ripgrep says, in UTF-16 units. */
const MAX_REASON = 4_000;

const ARGS = [
  "--json",
  "--no-config",
  "--hidden",
  "--no-require-git",
  "--no-ignore-parent",
  "--no-ignore-global",
  "--sort=path",
  `--max-filesize=${MAX_FILE_BYTES}`,
  ...[".git", ".hg", ".svn", "node_modules"].flatMap((name) => ["--glob", `!**/${name}`]),
];

/** Why ripgrep refused an expression. */
function reasonOf(said: string): string {
  return /^error: (.*)$/m.exec(said)?.[1] ?? (said.split("\n")[0] ?? "").replace(/^rg: /, "");
}

function patternArgs({ pattern, isRegExp, caseSensitive }: TextSearch): readonly string[] {
  return [...(isRegExp ? [] : ["--fixed-strings"]), caseSensitive ? "--case-sensitive" : "--ignore-case", `--regexp=${pattern}`];
}

/** A glob option would include ignored files. A file type does not, but matches names only. */
function includeArgs(include: string | null): readonly string[] {
  return include !== null && /^\*\.[\w.{},-]+$/.test(include) ? [`--type-add=included:${include}`, "--type=included"] : [];
}

function parseMatch(line: string): TextMatch | null {
  // Most lines are of other types.
  if (!line.startsWith('{"type":"match"')) return null;
  const parsed = matchSchema.safeParse(JSON.parse(line));
  if (!parsed.success) return null;
  const { path: file, lines, line_number } = parsed.data.data;
  return {
    path: file.text.replaceAll("\\", "/").replace(/^\.\//, ""),
    line: line_number,
    text: clipMatch(lines.text.replace(/\r?\n$/, "")),
  };
}

/** The ripgrep program: that of the VS Code in the folder `appRoot`, else the one on the PATH; null without one. */
export async function findRipgrep(appRoot: string | null, without: readonly string[] = []): Promise<string | null> {
  const file = process.platform === "win32" ? "rg.exe" : "rg";
  const bundled = [
    path.join("@vscode", "ripgrep-universal", "bin", `${process.platform}-${process.arch}`, file),
    path.join("@vscode", "ripgrep", "bin", file),
  ];
  const roots = appRoot === null ? [] : ["node_modules", "node_modules.asar.unpacked"].map((name) => path.join(appRoot, name));
  return (await firstExecutable(roots.flatMap((root) => bundled.map((name) => path.join(root, name))))) ?? programOnPath("rg", without);
}
