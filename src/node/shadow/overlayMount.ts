import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import { readdir, readlink } from "node:fs/promises";
import { err, ok, type Result } from "../../base/result.ts";
import type { CommandPlace, Program } from "../../ports/commands/process.ts";
import type { ShadowProblem } from "../../ports/commands/shadow.ts";
import { movedVariables } from "../processes/childEnvironment.ts";
import { spawnProgram } from "../processes/spawnProgram.ts";
import { startedThrough } from "../sandbox/confinement.ts";

/** A folder that is shown with changes. Absolute paths of folders that exist. */
export interface OverlayLayer {
  readonly folder: string;
  /** Gets what is changed; `work` is the kernel's own. Both are on one file system. */
  readonly upper: string;
  readonly work: string;
}

/** The programs of util-linux that a mount needs, as absolute paths. */
export interface MountPrograms {
  readonly unshare: string;
  readonly nsenter: string;
  readonly setpriv: string;
  readonly mount: string;
}

/** A namespace in which folders are shown with changes, as long as `end` is not called. */
export interface OverlayMount extends CommandPlace {
  /** Also through a command line, where there is one. */
  enter(program: Program, through?: readonly string[]): Program;
  /** False once whatever held it is gone. */
  readonly isHeld: boolean;
  /**
   * The absolute path under which this process sees a path as the namespace has it. A link on the
   * way would lead out of it.
   */
  inside(path: string): string;
  /**
   * The program that starts this one there with all rights to mount, and with the variables by which
   * code is loaded out of the way: it has to give them back, as `movedVariables` says.
   */
  enterAsOwner(program: Program): Program;
  end(): Promise<void>;
}

/**
 * Mounts each layer over its folder. A relative lower folder needs no quotes in the options. Tells
 * its own process number, as it is outside. Ends with its standard input, and so with the process
 * that started it; as the first process of a namespace it takes all others along. It starts no
 * program by name: the folders are the workspace's, and so may be the PATH.
 */
const MOUNT = [
  "read -r pid rest </proc/self/stat || exit 1",
  'mount="$1"; proc="$2"; shift 2',
  "while [ $# -ge 3 ]; do",
  'cd -- "$1" && "$mount" -t overlay overlay -o "lowerdir=.,upperdir=$2,workdir=$3,userxattr" "$1" || exit 1',
  "shift 3; done",
  'if [ "$proc" = own ]; then "$mount" -t proc proc /proc || exit 1; fi',
  'cd / && echo "$pid"',
  "while read -r line; do :; done",
].join("\n");
/** A namespace for processes: what a command leaves running ends with the mount. */
const OWN_PROCESSES = ["--pid", "--fork", "--kill-child"];
const NOTHING_HELD: ShadowProblem = { code: "not-mounted", detail: "" };

/**
 * Shows folders with changes, in a namespace of its own. The superuser needs no user namespace, in
 * which files of others could not be changed. Where it can, it also holds the processes in it.
 */
export async function mountOverlay(
  layers: readonly OverlayLayer[],
  programs: MountPrograms,
): Promise<Result<OverlayMount, ShadowProblem>> {
  const { nsenter, setpriv } = programs;
  const isSuperuser = process.getuid?.() === 0;
  const asUser = ["--user", "--map-current-user", "--keep-caps"];
  const ways = [...(isSuperuser ? [[]] : []), asUser].flatMap((user) => [
    { user, ownProcesses: true },
    { user, ownProcesses: false },
  ]);
  let held: Awaited<ReturnType<typeof hold>> | null = null;
  let [way] = ways;
  for (way of ways) {
    held = await hold(programs, way.user, way.ownProcesses, layers);
    if (held.ok) break;
  }
  if (!held?.ok || !way) return held?.ok === false ? held : err(NOTHING_HELD);
  const { pid, holder } = held.value;
  const namespaces = [
    ...(way.user.length > 0 ? ["--user", "--preserve-credentials"] : []),
    ...["--mount", ...(way.ownProcesses ? ["--pid"] : [])],
  ];
  // Who may mount could also take the overlay away.
  const without = isSuperuser ? [setpriv, "--bounding-set=-sys_admin"] : [];
  return ok({
    get isHeld() {
      return holder.exitCode === null && holder.signalCode === null;
    },
    inside: (path) => `/proc/${pid}/root${path}`,
    enter: (program, through = []) =>
      startedThrough(
        [nsenter, `--target=${pid}`, ...namespaces, "--", ...without, ...through],
        program,
      ),
    enterAsOwner: ({ file, args, variables }) => ({
      file: nsenter,
      args: [`--target=${pid}`, ...namespaces, "--", file, ...args],
      cwd: "/",
      variables: { ...variables, ...movedVariables(variables).variables },
    }),
    async end() {
      if (holder.exitCode !== null || holder.signalCode !== null) return;
      const gone = once(holder, "exit");
      const own = await mountNamespace(pid);
      holder.stdin?.end();
      const isOver = () => holder.exitCode !== null || holder.signalCode !== null;
      if (own !== null) await nothingElseRunsIn(own, holder.pid, isOver);
      holder.kill("SIGKILL");
      await gone;
    },
  });
}

/** How long to wait between two looks at what runs, in milliseconds. It doubles each time. */
const LOOK_MS = 5;
const LONGEST_LOOK_MS = 200;

/** The name of a process's namespace for mounts; null where it has ended, or is not ours. */
const mountNamespace = (pid: number | string): Promise<string | null> =>
  readlink(`/proc/${pid}/ns/mnt`).catch(() => null);

/**
 * Settles once nothing but `holder` runs in a namespace for mounts, or `isOver`. `holder` waits for the first
 * process of its namespace for processes. That has killed all others by then, but ends only when
 * they are reaped, and what `nsenter` started there is the child of the machine's first process as
 * soon as `nsenter` is killed: that of a container may reap late or never.
 */
async function nothingElseRunsIn(
  namespace: string,
  holder: number | undefined,
  isOver: () => boolean,
): Promise<void> {
  for (let wait = LOOK_MS; !isOver(); wait = Math.min(2 * wait, LONGEST_LOOK_MS)) {
    await new Promise((resolve) => setTimeout(resolve, wait));
    const pids = (await readdir("/proc")).filter((name) => /^\d+$/.test(name));
    const others = pids.filter((each) => Number(each) !== holder);
    const names = await Promise.all(others.map(mountNamespace));
    if (!names.includes(namespace)) return;
  }
}

async function hold(
  { unshare, mount }: MountPrograms,
  user: readonly string[],
  ownProcesses: boolean,
  layers: readonly OverlayLayer[],
): Promise<Result<{ readonly pid: number; readonly holder: ChildProcess }, ShadowProblem>> {
  const places = layers.flatMap(({ folder, upper, work }) => [folder, upper, work]);
  const namespaces = [...user, "--mount", ...(ownProcesses ? OWN_PROCESSES : [])];
  const script = ["/bin/sh", "-c", MOUNT, "sh", mount, ownProcesses ? "own" : "shared"];
  const holder = spawnProgram(
    { file: unshare, args: [...namespaces, ...script, ...places], cwd: "/" },
    { detached: true, stdio: ["pipe", "pipe", "pipe"], env: { LC_ALL: "C" } },
  );
  let said = "";
  holder.stderr?.setEncoding("utf8").on("data", (text: string) => {
    said += text;
  });
  holder.stdin?.on("error", () => undefined);
  const pid = await new Promise<number | null>((resolve) => {
    holder.stdout?.once("data", (told: Buffer) => resolve(Number.parseInt(told.toString(), 10)));
    holder.once("close", () => resolve(null));
    holder.once("error", (error) => {
      said ||= error.message;
      resolve(null);
    });
  });
  if (pid !== null && pid > 0) return ok({ pid, holder });
  return err({ code: "not-mounted", detail: said.trim() });
}
