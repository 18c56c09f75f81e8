import { rm, writeFile } from "node:fs/promises";
import * as path from "node:path";
import type { Program } from "../../ports/commands/process.ts";
import { movedVariables } from "../processes/childEnvironment.ts";
import { startChild } from "../processes/childProcess.ts";
import { firstExecutable, programOnPath } from "../processes/programOnPath.ts";
import { callNumbers } from "./callFilter.ts";
import { CONFINE_SCRIPT } from "./confineScript.ts";

/** Goes to a folder as it is found there, and runs the program. */
const RUN = 'cd -- "$1" && shift && exec "$@"';

/** Devices and memory, in which no file of the user's is. */
const DEVICES = [...["null", "zero", "full", "random", "urandom", "tty", "ptmx", "pts", "shm"]].map(
  (name) => `/dev/${name}`,
);

/**
 * The command line that runs another one so that it, and all that it starts, can write beneath
 * `places` and to devices only. These are absolute paths.
 */
export type Confine = (places: readonly string[]) => readonly string[];

/**
 * Tries out, with a file in the folder `room`, whether this machine can confine a program; null where
 * not. Programs inside `folders` are not trusted.
 */
export async function tryConfine(
  folders: readonly string[],
  room: string,
): Promise<Confine | null> {
  const numbers = process.platform === "linux" ? callNumbers(process.arch) : null;
  const perl = numbers && (await systemPerl(folders));
  if (!numbers || perl === null) return null;
  const confine: Confine = (places) => {
    const all = [...DEVICES, ...places];
    return [perl, "-e", CONFINE_SCRIPT, "--", String(numbers.prctl), String(all.length), ...all];
  };
  const outside = path.join(room, "outside");
  await writeFile(outside, "");
  const args = ["-c", '! true >>"$1"', "sh", outside];
  const started = await startChild({
    ...startedThrough(confine([]), { file: "/bin/sh", args, cwd: "/" }),
    ...{ env: process.env, input: "", verbatim: false },
    ...{ onStdout: () => undefined, onStderr: () => undefined },
  });
  const isRefused = started.ok && (await started.value.exited).code === 0;
  await rm(outside, { force: true });
  return isRefused ? confine : null;
}

/** Perl as the system has it: it does not depend on what others put on the PATH. */
export async function systemPerl(folders: readonly string[]): Promise<string | null> {
  return (await firstExecutable(["/usr/bin/perl"])) ?? programOnPath("perl", folders);
}

/**
 * The program that starts another one through a command line, which loads no code from where the
 * user's variables say; the program itself does.
 */
export function startedThrough(
  [through = "", ...before]: readonly string[],
  { file, args, cwd, variables }: Program,
): Program {
  const moved = movedVariables(variables);
  const run = [...moved.restore, RUN].join("\n");
  return {
    file: through,
    args: [...before, "/bin/sh", "-c", run, "sh", cwd, file, ...args],
    cwd: "/",
    variables: { ...variables, ...moved.variables },
  };
}
