import type { CommandLine } from "./approval.ts";

/** A hash of each file, by workspace path. */
export type FileHashes = Readonly<Record<string, string>>;

/** The files that decide what a command line runs: of package managers, builds and test runners, hooks, and scripts that it names. */
export interface RunnerFiles {
  /** Those that a command line reads in its folder, above it and below it. */
  hashes(command: CommandLine): Promise<FileHashes>;
  /** Whether the user saved a file with the content of this hash in the editor, or deleted it there (undefined). */
  isUsers(path: string, hash: string | undefined): boolean;
  /** The user saved a file with this text in the editor, or deleted it (undefined). */
  saved(path: string, text: string | undefined): void;
}
