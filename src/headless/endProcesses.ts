import { execFile } from "node:child_process";
import { promisify } from "node:util";

/** How long processes may take to end when asked, and how long to wait between two looks, in milliseconds. */
const GRACE_MS = 1_500;
const LOOK_MS = 20;
/** How long a list of the processes may take, in milliseconds. */
const LIST_MS = 1_000;

/** Ends every process that `pid` has started, and those that they have started, by force if need be; `pid` itself goes on, or may be over. Never rejects. */
export async function endChildren(pid: number): Promise<void> {
  if (process.platform !== "win32") await end(await descendants(pid));
}

/** The same together with `leader` itself and its process group. */
export async function endGroup(leader: number): Promise<void> {
  // Looked for first: what has left the group is known by its parents while they live.
  const outside = await descendants(leader);
  await end([-leader, ...outside]);
}

/**
 * The processes below `pid`; where it leads a session, also those that it has lost but are still in it, which macOS does not tell. One
 * that began a session of its own below another parent (a daemon) is in neither. Empty where there is no `ps`.
 */
export async function descendants(pid: number): Promise<readonly number[]> {
  const listed = promisify(execFile)("ps", ["-A", "-o", "pid=,ppid=,sess="], { timeout: LIST_MS });
  const { stdout } = await listed.catch(() => ({ stdout: "" }));
  const all = stdout.split("\n").map((line) => line.trim().split(/\s+/).map(Number));
  const found = new Set([pid]);
  // A set goes on to what is added while it is gone through.
  for (const known of found) {
    for (const [child, parent, session] of all) {
      if (child !== undefined && (parent === known || session === pid)) found.add(child);
    }
  }
  found.delete(pid);
  return [...found];
}

/** Signals a process, or with a negative number a group; false when there is none. */
export function signal(target: number, name: "SIGTERM" | "SIGKILL" | 0): boolean {
  try {
    process.kill(target, name);
    return true;
  } catch {
    return false;
  }
}

async function end(targets: readonly number[]): Promise<void> {
  for (const target of targets) signal(target, "SIGTERM");
  const until = Date.now() + GRACE_MS;
  while (targets.some((target) => signal(target, 0)) && Date.now() < until) await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
  for (const target of targets) signal(target, "SIGKILL");
}
