import type { Result } from "../../base/result.ts";
import type { FileRef } from "../workspace.ts";
import type { CommandPlace, ProcessFailure } from "./process.ts";

/** The output of a git run. */
export interface GitOutput {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
  /** Whether stdout was clipped. */
  readonly truncated: boolean;
  /**
   * The user's own content filters, such as `lfs`, that were skipped. Files are then compared as
   * they are on disk. Absent if none.
   */
  readonly unfiltered?: readonly string[];
}

/** One run of git. */
export interface GitRun {
  /**
   * A folder of the workspace. Its repository must belong to a workspace folder or be open in the
   * editor.
   */
  readonly folder: FileRef;
  /** The subcommand and its options, without paths. */
  readonly args: readonly string[];
  /** Literal paths inside the repository's work tree. */
  readonly paths?: readonly FileRef[];
  /** Files to exclude, as git's `glob` patterns relative to `folder`. Read-only runs only. */
  readonly except?: readonly string[];
  /** Standard input. Empty by default. */
  readonly input?: string;
  /**
   * Whether the repository's hooks, filters and other programs may run. Requires the user's
   * approval.
   */
  readonly changes?: boolean;
  /** Where it sees the files; read-only runs only. */
  readonly place?: CommandPlace;
}

/** Why Graft refuses to run git in a repository. Paths are absolute. */
export type GitRefusal =
  | { readonly code: "not-a-repository" }
  /** It neither belongs to a workspace folder nor is open in the editor. */
  | { readonly code: "repository-not-open"; readonly top: string }
  /** Its settings or links point to files elsewhere, such as another work tree. */
  | { readonly code: "repository-elsewhere"; readonly leads: string }
  /** Reading would start programs from its own settings, such as `filter.x`. */
  | { readonly code: "runs-program"; readonly settings: readonly string[] }
  /** Git's settings are among what is proposed, and may name programs. */
  | { readonly code: "settings-proposed" }
  /** Git would wait for the pipe or device at this path. */
  | { readonly code: "git-waits"; readonly path: string }
  /** Git, only reading, was not done in time in the folder at this path. */
  | { readonly code: "git-silent"; readonly path: string }
  | { readonly code: "path-outside-repository"; readonly path: string; readonly top: string }
  /** Git could not read the repository's settings. */
  | { readonly code: "unreadable-repository"; readonly detail: string };

/** The installed git. */
export interface Git {
  /**
   * Runs git in English, without a shell, pager or prompts. Aborting kills it and all its
   * descendants, as does a time limit where it only reads.
   */
  run(run: GitRun, signal: AbortSignal): Promise<Result<GitOutput, ProcessFailure | GitRefusal>>;
  /**
   * The hooks and settings through which a change may run programs, such as `pre-commit` and
   * `filter.x.clean`. Empty if unknown.
   */
  programs(folder: FileRef, signal: AbortSignal): Promise<readonly string[]>;
  /**
   * The same git for one call of a tool or one question: it finds the repository of a folder, and
   * proves whose it is, once for all that the call reads.
   */
  forOneCall(): Git;
}
