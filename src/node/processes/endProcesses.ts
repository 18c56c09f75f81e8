import { type ChildProcess, execFile, spawn } from "node:child_process";
import { promisify } from "node:util";

/** How long processes may take to end after SIGTERM, in milliseconds. */
const GRACE_MS = 1_000;
/** The first and the longest wait between two checks, in milliseconds; it doubles each time. */
const LOOK_MS = 20;
const LONGEST_LOOK_MS = 200;
/** How long a list of the processes may take, in milliseconds. */
const LIST_MS = 1_000;

/** Ends `leader` with its process group and all descendants. Never rejects. */
export async function endGroup(leader: number): Promise<void> {
  // A process that left the group can be found only while its parents live.
  const outside = await descendants(leader);
  await end([-leader, ...outside]);
}

/** The descendants of `pid`, and the orphans in its session where it leads one (not on macOS), without daemons. Empty without `ps`. */
export async function descendants(pid: number): Promise<readonly number[]> {
  const all = await listProcesses();
  const found = new Set([pid]);
  // Iterating a set includes what is added meanwhile.
  for (const known of found) {
    for (const { pid: child, parent, session } of all) {
      if (parent === known || session === pid) found.add(child);
    }
  }
  found.delete(pid);
  return [...found];
}

/** Signals a process, or with a negative number a group; false where there is none. */
export function sendSignal(target: number, name: "SIGTERM" | "SIGKILL" | 0): boolean {
  try {
    process.kill(target, name);
    return true;
  } catch {
    return false;
  }
}

/** Signals a process that leads its own group, with the group. On Windows always kills. */
export function signalGroup({ pid }: ChildProcess, name: "SIGTERM" | "SIGKILL"): void {
  if (pid === undefined) return;
  if (process.platform === "win32") {
    spawn("taskkill", ["/pid", String(pid), "/t", "/f"], { windowsHide: true, stdio: "ignore" }).on("error", () => undefined);
    return;
  }
  sendSignal(-pid, name);
}

async function end(targets: readonly number[]): Promise<void> {
  for (const target of targets) sendSignal(target, "SIGTERM");
  const until = Date.now() + GRACE_MS;
  for (let wait = LOOK_MS; Date.now() < until; wait = Math.min(2 * wait, LONGEST_LOOK_MS)) {
    await new Promise((resolve) => setTimeout(resolve, wait));
    if (!targets.some((target) => sendSignal(target, 0)) || (await areZombies(targets))) return;
  }
  for (const target of targets) sendSignal(target, "SIGKILL");
}

/** True when only zombies are left. The first process of a container may never reap them. */
async function areZombies(targets: readonly number[]): Promise<boolean> {
  const all = await listProcesses();
  const left = all.filter(({ pid, group }) => targets.includes(pid) || targets.includes(-group));
  return all.length > 0 && left.every(({ zombie }) => zombie);
}

interface ListedProcess {
  readonly pid: number;
  readonly parent: number;
  readonly group: number;
  /** 0 where unknown. */
  readonly session: number;
  readonly zombie: boolean;
}

async function listProcesses(): Promise<readonly ListedProcess[]> {
  const listed = promisify(execFile)("ps", ["-A", "-o", "pid=,ppid=,pgid=,sess=,stat="], { timeout: LIST_MS });
  const { stdout } = await listed.catch(() => ({ stdout: "" }));
  return stdout.split("\n").flatMap((line) => {
    const [, pid, parent, group, session, state] = /^\s*(\d+)\s+(\d+)\s+(\d+)\s+(\S+)\s+(\S+)/.exec(line) ?? [];
    if (state === undefined) return [];
    return { pid: Number(pid), parent: Number(parent), group: Number(group), session: Number(session) || 0, zombie: state.startsWith("Z") };
  });
}
