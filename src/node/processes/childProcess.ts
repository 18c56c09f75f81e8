import type { ChildProcess } from "node:child_process";
import { stripVTControlCharacters } from "node:util";
import { err, ok, type Result } from "../../base/result.ts";
import type { ProcessExit, ProcessFailure, RunningCommand } from "../../ports/commands/process.ts";
import { bufferAnsiSequences } from "./bufferAnsiSequences.ts";
import { endGroup, signalGroup } from "./endProcesses.ts";
import { endWithHost } from "./endWithHost.ts";
import { spawnProgram } from "./spawnProgram.ts";

interface ChildOptions {
  /** An absolute path. */
  readonly file: string;
  readonly args: readonly string[];
  /** An absolute path. */
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Written to stdin, which is then closed. */
  readonly input: string;
  /** Windows only: passes the arguments unquoted. */
  readonly verbatim: boolean;
  /** Kills the process immediately. For read-only processes. */
  readonly abort?: AbortSignal;
  /**
   * How long the process itself may take to end when it is killed, in milliseconds; default a
   * second. Its children have a second.
   */
  readonly graceMs?: number | undefined;
  /** True for one that ends with this process, also where that is killed, with all that it started. */
  readonly endsWithHost?: boolean;
  onStdout(text: string): void;
  onStderr(text: string): void;
}

/** How long a process's output may stay open after it exits, in milliseconds. */
const CLOSE_GRACE_MS = 250;

/**
 * Starts a process as the leader of its own process group. When it ends, its remaining children are
 * killed.
 */
export async function startChild(
  options: ChildOptions,
): Promise<Result<RunningCommand, ProcessFailure>> {
  const { file, args, cwd, env, input, verbatim, abort, graceMs } = options;
  const child = spawnProgram(
    { file, args, cwd },
    {
      env,
      detached: process.platform !== "win32",
      stdio: ["pipe", "pipe", "pipe"],
      windowsVerbatimArguments: verbatim,
      ...(abort && { signal: abort, killSignal: "SIGKILL" }),
    },
  );
  const started = new Promise<Error | null>((resolve) => {
    child.once("spawn", () => resolve(null));
    child.once("error", resolve);
  });
  listen(child, options);
  let ending: Promise<void> | null = null;
  const exited = exitOf(child, () => ending);
  if (options.endsWithHost && child.pid !== undefined) {
    const ended = endWithHost(child.pid);
    void exited.then(ended);
  }
  const failure = await started;
  if (failure) return err({ code: "not-started", program: file, detail: failure.message });
  // A process that does not read its stdin must not break the writer.
  child.stdin?.on("error", () => undefined);
  child.stdin?.end(input);
  return ok({
    ...(child.pid !== undefined && { pid: child.pid }),
    exited,
    async kill() {
      if (child.exitCode === null && child.signalCode === null) ending ??= endAll(child, graceMs);
      await ending;
      await exited;
    },
  });
}

async function endAll(child: ChildProcess, graceMs: number | undefined): Promise<void> {
  if (process.platform === "win32") signalGroup(child, "SIGKILL");
  else if (child.pid !== undefined) await endGroup(child.pid, graceMs);
}

function listen(child: ChildProcess, { onStdout, onStderr }: ChildOptions): void {
  for (const [stream, write] of [
    [child.stdout, onStdout],
    [child.stderr, onStderr],
  ] as const) {
    const whole = bufferAnsiSequences();
    const pass = (text: string) => {
      if (text !== "") write(stripVTControlCharacters(text));
    };
    stream?.setEncoding("utf8").on("data", (text: string) => pass(whole.push(text)));
    stream?.on("close", () => pass(whole.rest()));
  }
}

/** `ending` returns the pending attempt to end the process, or null. */
function exitOf(child: ChildProcess, ending: () => Promise<void> | null): Promise<ProcessExit> {
  return new Promise((resolve) => {
    child.once("error", () => resolve({ code: null, signal: null }));
    child.once("exit", async (code, signal) => {
      const closed = new Promise((close) => child.once("close", close));
      await ending();
      // A child left running may keep the outputs open.
      const timer = setTimeout(() => {
        signalGroup(child, "SIGKILL");
        child.stdout?.destroy();
        child.stderr?.destroy();
      }, CLOSE_GRACE_MS);
      await closed;
      clearTimeout(timer);
      signalGroup(child, "SIGKILL");
      resolve({ code, signal });
    });
  });
}
