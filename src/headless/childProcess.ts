import { type ChildProcess, spawn } from "node:child_process";
import { stripVTControlCharacters } from "node:util";
import { err, ok, type Result } from "../base/result.ts";
import { sentence } from "../base/sentence.ts";
import type { ProcessExit, RunningCommand } from "../ports/process.ts";
import { endGroup } from "./endProcesses.ts";
import { signalGroup } from "./signalGroup.ts";

/** What to start. */
export interface ChildOptions {
  readonly file: string;
  readonly args: readonly string[];
  /** An absolute path. */
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** What it reads; it then sees the end of its input. */
  readonly input: string;
  /** Windows only: the arguments are passed on as they are. */
  readonly verbatim: boolean;
  /** Aborting it ends the process with its group by force, at once: for one that only looks. */
  readonly abort?: AbortSignal;
  onStdout(text: string): void;
  onStderr(text: string): void;
}

/** How long a process's output may take to close after its end, in milliseconds. */
const CLOSE_GRACE_MS = 250;

/**
 * Starts a process that leads a group of its own, so that everything it starts can be ended with it. When it is over, what it left
 * behind is ended. The error is a sentence.
 */
export async function startChild(options: ChildOptions): Promise<Result<RunningCommand, string>> {
  const { file, args, cwd, env, input, verbatim } = options;
  const child = spawn(file, [...args], {
    cwd,
    env,
    detached: process.platform !== "win32",
    stdio: ["pipe", "pipe", "pipe"],
    windowsHide: true,
    windowsVerbatimArguments: verbatim,
  });
  const started = new Promise<Error | null>((resolve) => {
    child.once("spawn", () => resolve(null));
    child.once("error", resolve);
  });
  listen(child, options);
  if (options.abort) endWith(child, options.abort);
  let ending: Promise<void> | null = null;
  const exited = exitOf(child, () => ending);
  const failure = await started;
  if (failure) return err(`${file} could not be started: ${sentence(failure)}`);
  // A process that does not read its input must not break the writer.
  child.stdin?.on("error", () => undefined);
  child.stdin?.end(input);
  return ok({
    exited,
    async kill() {
      if (child.exitCode === null && child.signalCode === null) ending ??= endAll(child);
      await ending;
      await exited;
    },
  });
}

/** Nothing is waited for: whoever aborts may be about to end the process that all this runs in. */
function endWith(child: ChildProcess, abort: AbortSignal): void {
  const end = () => signalGroup(child, "SIGKILL");
  if (abort.aborted) end();
  abort.addEventListener("abort", end);
  child.once("exit", () => abort.removeEventListener("abort", end));
}

async function endAll(child: ChildProcess): Promise<void> {
  if (process.platform === "win32") signalGroup(child, "SIGKILL");
  else if (child.pid !== undefined) await endGroup(child.pid);
}

function listen(child: ChildProcess, { onStdout, onStderr }: ChildOptions): void {
  child.stdout?.setEncoding("utf8").on("data", (text: string) => onStdout(stripVTControlCharacters(text)));
  child.stderr?.setEncoding("utf8").on("data", (text: string) => onStderr(stripVTControlCharacters(text)));
}

/** `ending` gives what ends the process with all it started, once that has begun. */
function exitOf(child: ChildProcess, ending: () => Promise<void> | null): Promise<ProcessExit> {
  return new Promise((resolve) => {
    child.once("error", () => resolve({ code: null, signal: null }));
    child.once("exit", async (code, signal) => {
      const closed = new Promise((close) => child.once("close", close));
      await ending();
      // A process that it left behind may hold the outputs open for ever.
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
