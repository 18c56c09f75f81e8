import type { Result } from "../base/result.ts";
import type { ProcessFailure } from "./process.ts";
import type { FileRef } from "./workspace.ts";

/** What a run of git said. */
export interface GitOutput {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
  /** True when there was more on stdout than is kept. */
  readonly truncated: boolean;
  /** The user's own content filters, such as `lfs`, that were not run: files are compared as they are on the disk. Absent for none. */
  readonly unfiltered?: readonly string[];
}

/** One run of git. */
export interface GitRun {
  /** A folder of the workspace. Its repository must be a workspace folder's, or one that the user has open. */
  readonly folder: FileRef;
  /** The subcommand and its options, without paths. */
  readonly args: readonly string[];
  /** Literal, and inside the repository's work tree. */
  readonly paths?: readonly FileRef[];
  /** Files to leave out, as git names them from `folder`. Only for a run that reads. */
  readonly except?: readonly string[];
  /** What git reads; default nothing. */
  readonly input?: string;
  /** True after the user's yes: then hooks, filters and other programs of the repository may run. Else none does. */
  readonly changes?: boolean;
}

/** Why git did not run in a repository. Paths are absolute. */
export type GitRefusal =
  | { readonly code: "not-a-repository" }
  /** It is neither a workspace folder's nor open in the editor. */
  | { readonly code: "repository-not-open"; readonly top: string }
  /** Its settings or links lead to files elsewhere, such as another work tree. */
  | { readonly code: "repository-elsewhere"; readonly leads: string }
  /** Reading would start programs that its own settings name, such as `filter.x`. */
  | { readonly code: "runs-program"; readonly settings: readonly string[] }
  | { readonly code: "path-outside-repository"; readonly path: string; readonly top: string }
  /** Git could not read the repository's settings. */
  | { readonly code: "unreadable-repository"; readonly detail: string };

/** The git that is installed. */
export interface Git {
  /** Runs git without a shell, a pager or prompts, and in English. Aborting ends it with every process it started. */
  run(run: GitRun, signal: AbortSignal): Promise<Result<GitOutput, ProcessFailure | GitRefusal>>;
  /** The hooks and the settings by which a change may run programs, such as `pre-commit` and `filter.x.clean`. Empty where unknown. */
  programs(folder: FileRef, signal: AbortSignal): Promise<readonly string[]>;
}
