import { spawn } from "node:child_process";
import { root } from "./root.mjs";

/** @type {Set<import("node:child_process").ChildProcess>} */
const running = new Set();
let stopped = false;
for (const signal of /** @type {const} */ (["SIGINT", "SIGTERM", "SIGHUP"]))
  process.on(signal, () => {
    stopped = true;
    if (running.size === 0) exit();
    killAll(signal);
  });

function exit() {
  killAll("SIGKILL");
  process.exit(130);
}

/** Ends every running child and its descendants, by force where they do not end soon. */
export function endAll() {
  for (const child of running) end(child);
}

/** @param {import("node:child_process").ChildProcess} child */
function end(child) {
  kill(child, "SIGTERM");
  setTimeout(() => kill(child, "SIGKILL"), LAST_WORDS_MS).unref();
}

/** Signals every running child and its descendants. @param {NodeJS.Signals} [signal] */
export function killAll(signal = "SIGTERM") {
  for (const child of running) kill(child, signal);
}

/**
 * Signals a child of {@link start} and its descendants. @param
 * {import("node:child_process").ChildProcess} child @param {NodeJS.Signals} [signal]
 */
export function kill(child, signal = "SIGTERM") {
  if (child.pid === undefined || child.exitCode !== null) return;
  try {
    process.kill(-child.pid, signal);
  } catch {
    child.kill(signal);
  }
}

/**
 * Starts a program in its own process group, so that Ctrl-C ends it with all its descendants.
 * @param {string} command @param {string[]} args @param {import("node:child_process").SpawnOptions}
 * [options]
 */
export function start(command, args, options = {}) {
  // Windows starts .cmd files only through a shell.
  const shell = command.endsWith(".cmd");
  const child = spawn(command, args, {
    cwd: root,
    stdio: "inherit",
    detached: process.platform !== "win32",
    shell,
    ...options,
  });
  running.add(child);
  child.once("exit", () => {
    running.delete(child);
    // Gives callers a moment to clean up before the process exits.
    if (stopped && running.size === 0) setTimeout(exit, 1000).unref();
  });
  return child;
}

/** How long a program may take to end itself and its children once its time is over. */
const LAST_WORDS_MS = 10_000;

/**
 * Runs a program to its end. With `quiet`, prints progress while it runs and its output at its end,
 * by default only on failure. After `limitMs` it is ended with its descendants. After Ctrl-C the
 * process exits when the program does.
 * @param {string} command @param {string[]} args
 * @param {{ cwd?: string, env?: NodeJS.ProcessEnv, quiet?: string, output?: "always" | "failed",
 *   limitMs?: number }} [options]
 * @returns {Promise<number>} the exit code; rejects when the program cannot start
 */
export function run(command, args, options = {}) {
  return new Promise((resolve, reject) => {
    const child = start(command, args, {
      cwd: options.cwd ?? root,
      env: options.env ?? process.env,
      stdio: options.quiet ? ["ignore", "pipe", "pipe"] : ["ignore", "inherit", "inherit"],
    });
    let output = "";
    child.stdout?.on("data", (data) => (output += data));
    child.stderr?.on("data", (data) => (output += data));
    const done = options.quiet ? progress(options.quiet) : () => {};
    const limit = options.limitMs ? setTimeout(() => end(child), options.limitMs) : undefined;
    child.once("error", (error) => {
      clearTimeout(limit);
      done("could not start");
      reject(error);
    });
    child.once("exit", (code, signal) => {
      clearTimeout(limit);
      done(stopped ? "stopped" : code === 0 ? "done" : `failed (${signal ?? `exit ${code}`})`);
      if (stopped) exit();
      if (options.quiet && (code !== 0 || options.output === "always"))
        process.stdout.write(output);
      resolve(code ?? 1);
    });
  });
}

/**
 * Prints a task and, every half a minute, how long it has been running.
 * @param {string} what @returns {(outcome: string) => void} ends the task
 */
export function progress(what) {
  const began = Date.now();
  const seconds = () => Math.round((Date.now() - began) / 1000);
  console.log(`  ${what} …`);
  const timer = setInterval(() => console.log(`  ${what} … ${seconds()} s`), 30_000);
  return (outcome) => {
    clearInterval(timer);
    console.log(`  ${what}: ${outcome} (${seconds()} s)`);
  };
}
