import { existsSync } from "node:fs";
import * as path from "node:path";
import { fileURLToPath } from "node:url";
import { err } from "../../base/result.ts";
import type { Program, Shell } from "../../ports/commands/process.ts";
import { childEnvironment } from "./childEnvironment.ts";
import { startChild } from "./childProcess.ts";

/**
 * Runs each command in a new shell: bash or else sh, and cmd on Windows. Commands receive the
 * `wanted` secrets of the environment.
 */
export function createNodeShell(wanted: () => readonly string[] = () => []): Shell {
  const windows = process.platform === "win32";
  const file = windows
    ? (process.env.ComSpec ?? "cmd.exe")
    : (["/bin/bash", "/usr/bin/bash"].find(existsSync) ?? "/bin/sh");
  // With a socket as stdin, Bash assumes a remote login and would run the user's .bashrc first.
  const quiet = path.basename(file) === "bash" ? ["--norc"] : [];
  return {
    name: path.basename(file).toLowerCase(),
    program: file,
    withheld: () => childEnvironment(wanted()).withheld,
    async start(command, cwd, onOutput, signal, place) {
      if (signal.aborted) return err({ code: "stopped", program: file });
      if (!cwd.uri.startsWith("file:")) return err({ code: "not-on-disk", program: file });
      const program: Program = {
        file,
        args: windows ? ["/d", "/s", "/c", `"${command}"`] : [...quiet, "-c", command],
        cwd: fileURLToPath(cwd.uri),
      };
      const entered = place?.enter(program) ?? program;
      return startChild({
        ...entered,
        env: { ...childEnvironment(wanted()).variables, ...entered.variables },
        input: "",
        verbatim: windows,
        endsWithHost: true,
        onStdout: onOutput,
        onStderr: onOutput,
      });
    },
  };
}
