import { createGitDiff, createGitLog, createGitStatus } from "../../src/tools/git/gitReads.ts";
import type { GitDeps } from "../../src/tools/git/runGit.ts";
import type { Tool } from "../../src/tools/tool.ts";

/** The tools that only read a repository. */
export function gitReads(deps: GitDeps): readonly Tool[] {
  return [createGitStatus(deps), createGitDiff(deps), createGitLog(deps)];
}
