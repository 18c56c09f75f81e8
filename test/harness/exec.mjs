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

/** Ends every process started here, with the processes those started. @param {NodeJS.Signals} [signal] */
export function killAll(signal = "SIGTERM") {
  for (const child of running) kill(child, signal);
}

/** Ends a child started by {@link start} and its descendants. @param {import("node:child_process").ChildProcess} child @param {NodeJS.Signals} [signal] */
export function kill(child, signal = "SIGTERM") {
  if (child.pid === undefined || child.exitCode !== null) return;
  try {
    process.kill(-child.pid, signal);
  } catch {
    child.kill(signal);
  }
}

/**
 * Starts a program in a process group of its own, so that Ctrl-C can end it and everything it started.
 * @param {string} command @param {string[]} args @param {import("node:child_process").SpawnOptions} [options]
 */
export function start(command, args, options = {}) {
  const child = spawn(command, args, { cwd: root, stdio: "inherit", detached: process.platform !== "win32", ...options });
  running.add(child);
  child.once("exit", () => {
    running.delete(child);
    // Who waited for the program gets a moment to clean up; tests that wait for something else must not go on without it.
    if (stopped && running.size === 0) setTimeout(exit, 1000).unref();
  });
  return child;
}

/**
 * Runs a program to its end. With `quiet` a line with the elapsed time is shown while it runs and its output only if it fails.
 * Once this process was told to stop, it exits with the program instead of going on with the next one.
 * @param {string} command @param {string[]} args
 * @param {{ cwd?: string, env?: NodeJS.ProcessEnv, quiet?: string }} [options]
 * @returns {Promise<number>} the exit code; rejects when the program cannot be started
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
    child.once("error", (error) => {
      done("could not be started");
      reject(error);
    });
    child.once("exit", (code, signal) => {
      done(stopped ? "stopped" : code === 0 ? "done" : `failed (${signal ?? `exit ${code}`})`);
      if (stopped) exit();
      if (code !== 0 && options.quiet) process.stdout.write(output);
      resolve(code ?? 1);
    });
  });
}

/**
 * Says what is being done and, every few seconds, for how long.
 * @param {string} what @returns {(outcome: string) => void} ends it
 */
export function progress(what) {
  const began = Date.now();
  const seconds = () => Math.round((Date.now() - began) / 1000);
  console.log(`  ${what} …`);
  const timer = setInterval(() => console.log(`  ${what} … ${seconds()} s`), 5000);
  return (outcome) => {
    clearInterval(timer);
    console.log(`  ${what}: ${outcome} (${seconds()} s)`);
  };
}
