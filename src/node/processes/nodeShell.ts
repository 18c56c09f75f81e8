import { existsSync } from "node:fs";
import * as path from "node:path";
import { fileURLToPath } from "node:url";
import { err } from "../../base/result.ts";
import type { Shell } from "../../ports/process.ts";
import { childEnvironment } from "./childEnvironment.ts";
import { startChild } from "./childProcess.ts";

/** Runs each command in a new shell: bash, else sh; cmd on Windows. `wanted` are the secrets of the environment that commands get. */
export function createNodeShell(wanted: () => readonly string[] = () => []): Shell {
  const windows = process.platform === "win32";
  const file = windows ? (process.env.ComSpec ?? "cmd.exe") : (["/bin/bash", "/usr/bin/bash"].find(existsSync) ?? "/bin/sh");
  // Bash takes a socket as its input for a remote login, and would run the user's .bashrc first.
  const quiet = path.basename(file) === "bash" ? ["--norc"] : [];
  return {
    name: path.basename(file).toLowerCase(),
    program: file,
    withheld: () => childEnvironment(wanted()).withheld,
    async start(command, cwd, onOutput, signal) {
      if (signal.aborted) return err({ code: "stopped", program: file });
      if (!cwd.uri.startsWith("file:")) return err({ code: "not-on-disk", program: file });
      return startChild({
        file,
        args: windows ? ["/d", "/s", "/c", `"${command}"`] : [...quiet, "-c", command],
        cwd: fileURLToPath(cwd.uri),
        env: childEnvironment(wanted()).variables,
        input: "",
        verbatim: windows,
        onStdout: onOutput,
        onStderr: onOutput,
      });
    },
  };
}
