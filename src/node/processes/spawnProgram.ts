import { type ChildProcess, type SpawnOptions, spawn } from "node:child_process";
import * as path from "node:path";
import type { Program } from "../../ports/commands/process.ts";

/**
 * Starts a program by its absolute path, as Node.js's `spawn` does; its own variables come after
 * those of `env`. Everything that Graft starts goes through here. A bare name would be looked up in
 * the PATH, and on Windows first in `cwd`, where a repository could have put a program: that throws.
 */
export function spawnProgram(
  { file, args, cwd, variables }: Program,
  { env, ...options }: Omit<SpawnOptions, "cwd" | "shell"> & Required<Pick<SpawnOptions, "env">>,
): ChildProcess {
  if (!path.isAbsolute(file)) throw new Error(`${file} is not an absolute path.`);
  return spawn(file, [...args], {
    windowsHide: true,
    ...options,
    cwd,
    env: { ...env, ...variables },
  });
}
