import { execFile } from "node:child_process";
import { promisify } from "node:util";

/** How long processes may take to end when asked, in milliseconds. */
const GRACE_MS = 1_000;

/** Ends every process that `pid` has started, and those that they have started, by force if need be; `pid` itself goes on. Never rejects. */
export async function endChildren(pid: number): Promise<void> {
  if (process.platform === "win32") return;
  const children = await descendants(pid);
  for (const child of children) signal(child, "SIGTERM");
  const until = Date.now() + GRACE_MS;
  while (children.some(isAlive) && Date.now() < until) await new Promise((resolve) => setTimeout(resolve, 20));
  for (const child of children) signal(child, "SIGKILL");
}

/** The processes below `pid`, the deepest last. */
async function descendants(pid: number): Promise<readonly number[]> {
  const { stdout } = await promisify(execFile)("ps", ["-A", "-o", "pid=,ppid="]).catch(() => ({ stdout: "" }));
  const children = new Map<number, number[]>();
  for (const line of stdout.split("\n")) {
    const [child, parent] = line.trim().split(/\s+/).map(Number);
    if (child !== undefined && parent !== undefined) children.set(parent, [...(children.get(parent) ?? []), child]);
  }
  const found: number[] = [];
  const queue = [pid];
  for (let next = queue.shift(); next !== undefined; next = queue.shift()) {
    const below = children.get(next) ?? [];
    found.push(...below);
    queue.push(...below);
  }
  return found;
}

function isAlive(pid: number): boolean {
  return signal(pid, 0);
}

function signal(pid: number, name: "SIGTERM" | "SIGKILL" | 0): boolean {
  try {
    process.kill(pid, name);
    return true;
  } catch {
    return false;
  }
}
