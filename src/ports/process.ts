import type { Result } from "../base/result.ts";
import type { FileRef } from "./workspace.ts";

/** How a process ended: by itself with a code, or by a signal. */
export interface ProcessExit {
  readonly code: number | null;
  readonly signal: string | null;
}

/** Why a program did not run to its end. `detail` is what the system said, or the signal that ended it. */
export interface ProcessFailure {
  readonly code: "not-on-disk" | "not-found" | "not-started" | "stopped" | "ended";
  readonly program: string;
  readonly detail?: string;
}

/** A command that was started. */
export interface RunningCommand {
  /** Settles when the command is over and its output complete; what it left running is ended then. Never rejects. */
  readonly exited: Promise<ProcessExit>;
  /** Ends the command and every process it started, by force if need be; settles when it is over. Harmless afterwards. */
  kill(): Promise<void>;
}

/** Runs command lines. */
export interface Shell {
  /** What interprets them, as a model knows it: `bash`, `cmd.exe`. */
  readonly name: string;
  /** The absolute path of its program. */
  readonly program: string;
  /** The names of the environment's secrets that commands do not get. */
  withheld(): readonly string[];
  /** Starts a command line in a folder, without input and without these. `onOutput` gets both outputs. `signal` prevents the start. */
  start(
    command: string,
    cwd: FileRef,
    onOutput: (text: string) => void,
    signal: AbortSignal,
  ): Promise<Result<RunningCommand, ProcessFailure>>;
}
