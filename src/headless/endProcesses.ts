import { execFile } from "node:child_process";
import { promisify } from "node:util";

/** How long processes may take to end when asked, in milliseconds. */
const GRACE_MS = 1_000;
/** The first wait between two looks at them, which doubles up to the longest, in milliseconds. */
const LOOK_MS = 20;
const LONGEST_LOOK_MS = 200;
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
  const all = await listProcesses();
  const found = new Set([pid]);
  // A set goes on to what is added while it is gone through.
  for (const known of found) {
    for (const { pid: child, parent, session } of all) {
      if (parent === known || session === pid) found.add(child);
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
  for (let wait = LOOK_MS; Date.now() < until; wait = Math.min(2 * wait, LONGEST_LOOK_MS)) {
    await new Promise((resolve) => setTimeout(resolve, wait));
    if (!targets.some((target) => signal(target, 0)) || (await areZombies(targets))) return;
  }
  for (const target of targets) signal(target, "SIGKILL");
}

/** True when all that is left is over, and only the parent has not looked yet; the first process of a container may never. */
async function areZombies(targets: readonly number[]): Promise<boolean> {
  const all = await listProcesses();
  const left = all.filter(({ pid, group }) => targets.includes(pid) || targets.includes(-group));
  return all.length > 0 && left.every(({ zombie }) => zombie);
}

interface ListedProcess {
  readonly pid: number;
  readonly parent: number;
  readonly group: number;
  /** 0 where the system does not tell. */
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
