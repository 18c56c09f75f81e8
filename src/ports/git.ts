import type { Result } from "../base/result.ts";
import type { FileRef } from "./workspace.ts";

/** What a run of git said. */
export interface GitOutput {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
  /** True when there was more on stdout than is kept. */
  readonly truncated: boolean;
}

/** The git that is installed. */
export interface Git {
  /**
   * Runs git with `args` in the folder `cwd`: without a shell, a pager or questions, in English. `input` is what it reads. Aborting ends
   * it with all it started. `index` is a file that takes the place of the repository's index. The error is a sentence: git is missing,
   * or was stopped.
   */
  run(args: readonly string[], cwd: FileRef, input: string, signal: AbortSignal, index?: string): Promise<Result<GitOutput, string>>;
  /**
   * Does `work` with a copy of the index in the file `index`, an absolute path, and removes the copy. Where there is no such file yet,
   * there is none at the copy's path, either. The error is a sentence: another git has the index locked, or the copy cannot be made.
   */
  withIndexCopy<T>(index: string, work: (copy: string) => Promise<T>): Promise<Result<T, string>>;
}
