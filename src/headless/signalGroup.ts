import { type ChildProcess, spawn } from "node:child_process";

/** Signals a process that leads a group of its own, and all it started; there may be none left. On Windows all are ended by force. */
export function signalGroup({ pid }: ChildProcess, signal: "SIGTERM" | "SIGKILL"): void {
  if (pid === undefined) return;
  if (process.platform === "win32") {
    spawn("taskkill", ["/pid", String(pid), "/t", "/f"], { windowsHide: true, stdio: "ignore" }).on("error", () => undefined);
    return;
  }
  try {
    process.kill(-pid, signal);
  } catch {
    // It is over.
  }
}
