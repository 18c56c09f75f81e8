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
}

/** The git that is installed. */
export interface Git {
  /** Runs git in the folder `cwd`, without a shell, a pager or prompts, and in English. Aborting ends it with every process it started. */
  run(args: readonly string[], cwd: FileRef, input: string, signal: AbortSignal): Promise<Result<GitOutput, ProcessFailure>>;
}
