import { untilAborted } from "../../base/untilAborted.ts";
import { childEnvironment, ownVariables } from "../processes/childEnvironment.ts";
import { startChild } from "../processes/childProcess.ts";
import { createPathPattern } from "./pathPattern.ts";

/** The folder's own ignore files count, and nothing else of the machine. */
export const IGNORE_ARGS = [
  "--no-config",
  "--hidden",
  "--no-require-git",
  "--no-ignore-parent",
  "--no-ignore-global",
  ...[".git", ".hg", ".svn", "node_modules"].flatMap((name) => ["--glob", `!**/${name}`]),
];

/** Which files of a folder to list. */
export interface FileQuery {
  /** A glob in the way of ignore files, relative to the folder; null for all. */
  readonly glob: string | null;
  /** Globs of what is left out, relative to the folder. */
  readonly excludes: readonly string[];
  /** False where only `.gitignore` files count, and no other ignore files. */
  readonly allIgnoreFiles: boolean;
  /** True to follow symbolic links, also out of the folder. */
  readonly followLinks: boolean;
}

/**
 * Lists the files under `root`, also hidden ones, without ignored ones, in no particular order, `/`
 * between segments. Null where ripgrep cannot run or was aborted.
 */
export async function listWithRipgrep(
  rg: string,
  root: string,
  { glob, excludes, allIgnoreFiles, followLinks }: FileQuery,
  signal: AbortSignal,
): Promise<readonly string[] | null> {
  const matches = glob === null ? () => true : createPathPattern(glob);
  const paths: string[] = [];
  let rest = "";
  const child = await startChild({
    file: rg,
    args: [
      "--files",
      "--null",
      ...IGNORE_ARGS,
      ...(allIgnoreFiles ? [] : ["--no-ignore-dot", "--no-ignore-exclude"]),
      ...(followLinks ? ["--follow"] : []),
      ...excludes.flatMap((each) => ["--glob", `!${each}`]),
    ],
    cwd: root,
    env: ownVariables(childEnvironment().variables),
    input: "",
    verbatim: false,
    abort: signal,
    onStdout(text) {
      const names = (rest + text).split("\0");
      rest = names.pop() ?? "";
      for (const name of names) {
        const path = process.platform === "win32" ? name.replaceAll("\\", "/") : name;
        if (matches(path)) paths.push(path);
      }
    },
    onStderr: () => undefined,
  });
  if (!child.ok) return null;
  const exit = await untilAborted(child.value.exited, signal);
  // 1 means that there is no file, 2 also that some folder could not be read.
  const isListed = exit.ok && (exit.value.code === 0 || exit.value.code === 1 || paths.length > 0);
  return isListed ? paths : null;
}
