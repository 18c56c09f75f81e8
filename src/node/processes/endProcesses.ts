import { type ChildProcess, execFile } from "node:child_process";
import { readdir, readFile } from "node:fs/promises";
import * as path from "node:path";
import { promisify } from "node:util";
import { spawnProgram } from "./spawnProgram.ts";

/** How long processes may take to end after SIGTERM, in milliseconds. */
const GRACE_MS = 1_000;
/** The first and the longest delay between two checks, in milliseconds. It doubles each time. */
const LOOK_MS = 20;
const LONGEST_LOOK_MS = 200;
/** Time limit for `ps`, in milliseconds. */
const LIST_MS = 5_000;

/**
 * Ends `leader`, its process group and all descendants. They have a second to end by themselves, the
 * leader `leaderMs` milliseconds. Never rejects.
 */
export async function endGroup(leader: number, leaderMs = GRACE_MS): Promise<void> {
  // A process that left the group can be found only while its parents live.
  const outside = await descendants(leader);
  const targets = [-leader, ...outside];
  for (const target of targets) sendSignal(target, "SIGTERM");
  if (await areGone(targets, GRACE_MS)) return;
  // Where the leader is gone, what it left can be ended at once.
  const hasLonger = leaderMs > GRACE_MS && sendSignal(leader, 0);
  const late = hasLonger ? await descendants(leader) : [-leader];
  for (const target of [...outside, ...late]) sendSignal(target, "SIGKILL");
  if (hasLonger && !(await areGone([leader], leaderMs - GRACE_MS))) sendSignal(-leader, "SIGKILL");
}

/**
 * The descendants of `pid`, without daemons. If it leads a session, orphans in that session are
 * included (not on macOS). Empty outside Linux without `ps`.
 */
export async function descendants(pid: number): Promise<readonly number[]> {
  const all = await listProcesses();
  const found = new Set([pid]);
  // Iterating a set visits entries added meanwhile.
  for (const known of found) {
    for (const { pid: child, parent, session } of all) {
      if (parent === known || session === pid) found.add(child);
    }
  }
  found.delete(pid);
  return [...found];
}

/** Signals a process, or a process group if the number is negative. False if there is none. */
export function sendSignal(target: number, name: "SIGTERM" | "SIGKILL" | 0): boolean {
  try {
    process.kill(target, name);
    return true;
  } catch {
    return false;
  }
}

/** Signals a process group leader and its group. Always kills on Windows. */
export function signalGroup({ pid }: ChildProcess, name: "SIGTERM" | "SIGKILL"): void {
  if (pid === undefined) return;
  if (process.platform === "win32") {
    const system = path.win32.join(process.env.SystemRoot ?? "C:\\Windows", "System32");
    const args = ["/pid", String(pid), "/t", "/f"];
    spawnProgram(
      { file: path.win32.join(system, "taskkill.exe"), args, cwd: system },
      { env: process.env, stdio: "ignore" },
    ).on("error", () => undefined);
    return;
  }
  sendSignal(-pid, name);
}

/**
 * True once all are gone; false where `ms` milliseconds were not enough. Time in which this process
 * does not run counts for nothing: they did not run then either.
 */
async function areGone(targets: readonly number[], ms: number): Promise<boolean> {
  for (let wait = LOOK_MS, left = ms; left > 0; wait = Math.min(2 * wait, LONGEST_LOOK_MS, left)) {
    await new Promise((resolve) => setTimeout(resolve, wait));
    if (!targets.some((target) => sendSignal(target, 0)) || (await areZombies(targets)))
      return true;
    left -= wait;
  }
  return false;
}

/** Whether only zombies are left. The init process of a container may never reap them. */
async function areZombies(targets: readonly number[]): Promise<boolean> {
  const all = await listProcesses();
  const left = all.filter(({ pid, group }) => targets.includes(pid) || targets.includes(-group));
  return all.length > 0 && left.every(({ zombie }) => zombie);
}

interface ListedProcess {
  readonly pid: number;
  readonly parent: number;
  readonly group: number;
  /** 0 if unknown. */
  readonly session: number;
  readonly zombie: boolean;
}

/** Linux tells without starting a program, which a busy machine may delay for seconds. */
function listProcesses(): Promise<readonly ListedProcess[]> {
  return process.platform === "linux" ? readProcesses() : askPs();
}

async function readProcesses(): Promise<readonly ListedProcess[]> {
  const names = await readdir("/proc").catch((): string[] => []);
  const pids = names.filter((name) => /^\d+$/.test(name));
  const read = pids.map(async (pid): Promise<ListedProcess[]> => {
    const stat = await readFile(`/proc/${pid}/stat`, "utf8").catch(() => "");
    // The program's name, in parentheses, may hold blanks and parentheses.
    const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    const [state = "", parent, group, session] = fields;
    if (state === "") return [];
    const ids = { parent: Number(parent), group: Number(group), session: Number(session) };
    return [{ pid: Number(pid), ...ids, zombie: state === "Z" }];
  });
  return (await Promise.all(read)).flat();
}

async function askPs(): Promise<readonly ListedProcess[]> {
  const listed = promisify(execFile)("/bin/ps", ["-A", "-o", "pid=,ppid=,pgid=,sess=,stat="], {
    timeout: LIST_MS,
  });
  const { stdout } = await listed.catch(() => ({ stdout: "" }));
  return stdout.split("\n").flatMap((line) => {
    const [, pid, parent, group, session, state] =
      /^\s*(\d+)\s+(\d+)\s+(\d+)\s+(\S+)\s+(\S+)/.exec(line) ?? [];
    if (state === undefined) return [];
    return {
      pid: Number(pid),
      parent: Number(parent),
      group: Number(group),
      session: Number(session) || 0,
      zombie: state.startsWith("Z"),
    };
  });
}
