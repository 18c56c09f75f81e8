import type { Result } from "../../base/result.ts";
import type { FileRef } from "../workspace.ts";

/** How a process ended: with an exit code, or by a signal. */
export interface ProcessExit {
  readonly code: number | null;
  readonly signal: string | null;
}

/**
 * Why a program did not run to completion. `detail` is the system's error message, or the signal.
 */
export interface ProcessFailure {
  readonly code: "not-on-disk" | "not-found" | "not-started" | "stopped" | "ended";
  readonly program: string;
  readonly detail?: string;
}

/** A command that was started. */
export interface RunningCommand {
  /** The process that leads its group; absent where that is unknown. */
  readonly pid?: number;
  /**
   * Settles when the command has ended and its output is complete. Processes that it left running
   * are ended. Never rejects.
   */
  readonly exited: Promise<ProcessExit>;
  /**
   * Ends the command and all its descendants, by force if necessary. Settles when they have ended.
   * Calling it again is harmless.
   */
  kill(): Promise<void>;
}

/** A program to start in a folder, which is an absolute path. */
export interface Program {
  readonly file: string;
  readonly args: readonly string[];
  readonly cwd: string;
  /** Environment variables besides those that it gets anyway; undefined for one that it must not. */
  readonly variables?: Readonly<Record<string, string | undefined>>;
}

/** Where commands see other files than elsewhere. */
export interface CommandPlace {
  /** The program that starts this one there. */
  enter(program: Program): Program;
}

/** Runs command lines. */
export interface Shell {
  /** The shell's name as models know it: `bash`, `cmd.exe`. */
  readonly name: string;
  /** The absolute path of the shell. */
  readonly program: string;
  /** The names of secret environment variables that commands do not receive. */
  withheld(): readonly string[];
  /**
   * Starts a command line in a folder, without stdin and withheld secrets. `onOutput` receives
   * stdout and stderr. An aborted `signal` prevents the start. Without a `place` it sees the files
   * as they are.
   */
  start(
    command: string,
    cwd: FileRef,
    onOutput: (text: string) => void,
    signal: AbortSignal,
    place?: CommandPlace,
  ): Promise<Result<RunningCommand, ProcessFailure>>;
}
