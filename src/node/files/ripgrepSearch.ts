import * as path from "node:path";
import * as z from "zod/mini";
import { err, ok, type Result } from "../../base/result.ts";
import { firstPart } from "../../base/text/clip.ts";
import { LineBuffer } from "../../base/text/lineBuffer.ts";
import { untilAborted } from "../../base/untilAborted.ts";
import {
  type FileError,
  MAX_FILE_BYTES,
  type SearchAnswer,
  type TextMatch,
  type TextSearch,
} from "../../ports/workspace.ts";
import { isSecretPath } from "../../tools/permissions/protectedPath.ts";
import { clipMatch } from "../../tools/search/searchTexts.ts";
import { childEnvironment, ownVariables } from "../processes/childEnvironment.ts";
import { startChild } from "../processes/childProcess.ts";
import { firstExecutable, programOnPath } from "../processes/programOnPath.ts";
import { createPathPattern } from "./pathPattern.ts";
import { IGNORE_ARGS, listWithRipgrep } from "./ripgrepFiles.ts";
import { unsearchedFiles, wantsLetters } from "./unsearchedFiles.ts";
import { windows1252Text } from "./windows1252.ts";

/**
 * A match in the output of `rg --json`. Lines that are not UTF-8 come as base64.
 * https://docs.rs/grep-printer/latest/grep_printer/struct.JSON.html
 */
const matchSchema = z.object({
  type: z.literal("match"),
  data: z.object({
    path: z.object({ text: z.string() }),
    lines: z.union([z.object({ text: z.string() }), z.object({ bytes: z.string() })]),
    line_number: z.int(),
  }),
});

/** The largest file that is searched, in bytes. */
const MAX_SEARCHED = 10 * MAX_FILE_BYTES;

/**
 * Searches the files under `root`, including hidden ones, except ignored files and `excludes`
 * (globs). A pattern with other letters than ASCII's is also looked for in files of Windows-1252.
 * It says what was not searched, see {@link unsearchedFiles}. Null if ripgrep cannot run.
 */
export async function searchWithRipgrep(
  rg: string,
  root: string,
  query: TextSearch,
  excludes: readonly string[],
  signal: AbortSignal,
): Promise<Result<SearchAnswer, FileError> | null> {
  const found = await searchOnce(rg, root, query, excludes, null, signal);
  if (!found?.ok || found.value.truncated) return found;
  let { matches } = found.value;
  let truncated = false;
  const isPlain = !/[^\0-\x7f]/.test(query.pattern);
  const other = isPlain
    ? null
    : await searchOnce(rg, root, query, excludes, OTHER_ENCODING, signal);
  if (other?.ok && other.value.matches.length > 0) {
    const known = new Set(matches.map(({ path: file, line }) => `${line} ${file}`));
    const more = other.value.matches.filter(
      ({ path: file, line }) => !known.has(`${line} ${file}`),
    );
    const all = [...matches, ...more].sort((a, b) =>
      a.path === b.path ? a.line - b.line : a.path < b.path ? -1 : 1,
    );
    truncated = other.value.truncated || all.length > query.limit;
    matches = all.slice(0, query.limit);
  }
  if (truncated || (matches.length > 0 && !wantsLetters(query))) return ok({ matches, truncated });
  const listing = { glob: query.include, excludes, allIgnoreFiles: true, followLinks: false };
  const listed = await listWithRipgrep(rg, root, listing, signal);
  const unsearched = listed
    ? await unsearchedFiles(root, [...listed].sort(), { query, matches }, MAX_SEARCHED, signal)
    : [];
  return ok({ matches, truncated, ...(unsearched.length > 0 && { unsearched }) });
}

/** How files are read that are not UTF-8, in a second search. */
const OTHER_ENCODING = "windows-1252";

async function searchOnce(
  rg: string,
  root: string,
  query: TextSearch,
  excludes: readonly string[],
  encoding: string | null,
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
    args: [
      ...(encoding === null ? [] : [`--encoding=${encoding}`]),
      ...searchArgs(query, excludes),
    ],
    cwd: root,
    env: ownVariables(childEnvironment().variables),
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
      said = firstPart(said + text, MAX_REASON);
    },
  });
  if (!child.ok) return null;
  const exit = await untilAborted(child.value.exited, abort);
  if (signal.aborted) return err({ code: "cancelled", path: "" });
  // Status 2 can also mean that a file could not be read. The summary follows every search.
  const isRefused =
    exit.ok &&
    exit.value.code !== 0 &&
    exit.value.code !== 1 &&
    !hasSummary &&
    matches.length === 0;
  if (isRefused)
    return query.isRegExp
      ? err({ code: "invalid-pattern", path: "", detail: reasonOf(said) })
      : null;
  const truncated = matches.length > query.limit;
  return ok({ matches: matches.slice(0, query.limit), truncated });
}

/** The most of ripgrep's stderr that is kept, in UTF-16 units. */
const MAX_REASON = 4_000;

/** Extracts why ripgrep rejected a regular expression. */
function reasonOf(said: string): string {
  return /^error: (.*)$/m.exec(said)?.[1] ?? (said.split("\n")[0] ?? "").replace(/^rg: /, "");
}

function searchArgs(query: TextSearch, excludes: readonly string[]): readonly string[] {
  return [
    "--json",
    ...IGNORE_ARGS,
    "--sort=path",
    `--max-filesize=${MAX_SEARCHED}`,
    ...patternArgs(query),
    ...includeArgs(query.include),
    ...excludes.flatMap((glob) => ["--glob", `!${glob}`]),
    "--",
    ".",
  ];
}

function patternArgs({ pattern, isRegExp, caseSensitive }: TextSearch): readonly string[] {
  return [
    // The end of a line is also before a CRLF.
    isRegExp ? "--crlf" : "--fixed-strings",
    caseSensitive ? "--case-sensitive" : "--ignore-case",
    `--regexp=${pattern}`,
  ];
}

/**
 * A glob option would include ignored files. A file type does not, but it matches only file names.
 */
function includeArgs(include: string | null): readonly string[] {
  return include !== null && /^\*\.[\w.{},-]+$/.test(include)
    ? [`--type-add=included:${include}`, "--type=included"]
    : [];
}

function parseMatch(line: string): TextMatch | null {
  // Most lines are of other types.
  if (!line.startsWith('{"type":"match"')) return null;
  const parsed = matchSchema.safeParse(JSON.parse(line));
  if (!parsed.success) return null;
  const { path: file, lines, line_number } = parsed.data.data;
  const text = "text" in lines ? lines.text : windows1252Text(Buffer.from(lines.bytes, "base64"));
  return {
    path: file.text.replaceAll("\\", "/").replace(/^\.\//, ""),
    line: line_number,
    text: clipMatch(text.replace(/\r?\n$/, "")),
  };
}

/**
 * Finds ripgrep: the one of the VS Code in `appRoot`, or the one on the PATH. Null if there is
 * none.
 */
export async function findRipgrep(
  appRoot: string | null,
  without: readonly string[] = [],
): Promise<string | null> {
  const file = process.platform === "win32" ? "rg.exe" : "rg";
  const bundled = [
    path.join("@vscode", "ripgrep-universal", "bin", `${process.platform}-${process.arch}`, file),
    path.join("@vscode", "ripgrep", "bin", file),
  ];
  const roots =
    appRoot === null
      ? []
      : ["node_modules", "node_modules.asar.unpacked"].map((name) => path.join(appRoot, name));
  return (
    (await firstExecutable(
      roots.flatMap((root) => bundled.map((name) => path.join(root, name))),
    )) ?? programOnPath("rg", without)
  );
}
