import type { CommandLine } from "../approval.ts";

/** File hashes by workspace path. */
export type FileHashes = Readonly<Record<string, string>>;

/**
 * The files that decide what a command line runs: files of package managers, builds, test runners
 * and hooks, and scripts that it names.
 */
export interface RunnerFiles {
  /** The files that a command line reads in its folder, its parent folders and its subfolders. */
  hashes(command: CommandLine): Promise<FileHashes>;
  /** Whether a file of this workspace path would decide what the command line runs. */
  decides(path: string, command: CommandLine): boolean;
  /**
   * Whether the user saved the file in the editor with this content hash. For undefined, whether
   * they deleted it there.
   */
  isUsers(path: string, hash: string | undefined): boolean;
  /** Records that the user saved a file with this text in the editor, or deleted it (undefined). */
  saved(path: string, text: string | undefined): void;
}
