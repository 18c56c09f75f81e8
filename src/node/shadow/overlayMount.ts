import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { err, ok, type Result } from "../../base/result.ts";
import type { CommandPlace } from "../../ports/commands/process.ts";
import type { ShadowProblem } from "../../ports/commands/shadow.ts";

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
}

/** A namespace in which folders are shown with changes, as long as `end` is not called. */
export interface OverlayMount extends CommandPlace {
  /** False once whatever held it is gone. */
  readonly isHeld: boolean;
  /**
   * The absolute path under which this process sees a path as the namespace has it. A link on the
   * way would lead out of it.
   */
  inside(path: string): string;
  end(): Promise<void>;
}

/**
 * Mounts each layer over its folder. A relative lower folder needs no quotes in the options. Ends
 * with its standard input, and so with the process that started it.
 */
const MOUNT = [
  "while [ $# -ge 3 ]; do",
  'cd -- "$1" && mount -t overlay overlay -o "lowerdir=.,upperdir=$2,workdir=$3,userxattr" "$1" || exit 1',
  "shift 3; done",
  "cd / && echo ready && exec cat >/dev/null",
].join("\n");
/** Goes to a folder as the namespace has it, and runs the program there. */
const RUN = 'cd -- "$1" && shift && exec "$@"';

/**
 * Shows folders with changes, in a namespace of its own. The superuser needs no user namespace, in
 * which files of others could not be changed.
 */
export async function mountOverlay(
  layers: readonly OverlayLayer[],
  { unshare, nsenter, setpriv }: MountPrograms,
): Promise<Result<OverlayMount, ShadowProblem>> {
  const isSuperuser = process.getuid?.() === 0;
  const first = isSuperuser ? await hold(unshare, ["--mount"], layers) : null;
  const held = first?.ok
    ? first
    : await hold(unshare, ["--user", "--map-current-user", "--mount", "--keep-caps"], layers);
  if (!held.ok) return held;
  const { pid, holder } = held.value;
  const namespaces = first?.ok ? ["--mount"] : ["--user", "--mount", "--preserve-credentials"];
  // Who may mount could also take the overlay away.
  const without = isSuperuser ? [setpriv, "--bounding-set=-sys_admin"] : [];
  return ok({
    get isHeld() {
      return holder.exitCode === null && holder.signalCode === null;
    },
    inside: (path) => `/proc/${pid}/root${path}`,
    enter: ({ file, args, cwd }) => ({
      file: nsenter,
      args: [
        ...[`--target=${pid}`, ...namespaces, "--", ...without],
        ...["/bin/sh", "-c", RUN, "sh", cwd, file, ...args],
      ],
      cwd: "/",
    }),
    async end() {
      const isOver = holder.exitCode !== null || holder.signalCode !== null;
      const gone = isOver ? null : once(holder, "exit");
      holder.stdin?.end();
      await gone;
    },
  });
}

async function hold(
  unshare: string,
  namespaces: readonly string[],
  layers: readonly OverlayLayer[],
): Promise<Result<{ readonly pid: number; readonly holder: ChildProcess }, ShadowProblem>> {
  const places = layers.flatMap(({ folder, upper, work }) => [folder, upper, work]);
  const holder = spawn(unshare, [...namespaces, "/bin/sh", "-c", MOUNT, "sh", ...places], {
    cwd: "/",
    detached: true,
    stdio: ["pipe", "pipe", "pipe"],
    env: { PATH: process.env.PATH, LC_ALL: "C" },
  });
  let said = "";
  holder.stderr?.setEncoding("utf8").on("data", (text: string) => {
    said += text;
  });
  holder.stdin?.on("error", () => undefined);
  const isReady = await new Promise<boolean>((resolve) => {
    holder.stdout?.once("data", () => resolve(true));
    holder.once("close", () => resolve(false));
    holder.once("error", (error) => {
      said ||= error.message;
      resolve(false);
    });
  });
  if (isReady && holder.pid !== undefined) return ok({ pid: holder.pid, holder });
  return err({ code: "not-mounted", detail: said.trim() });
}
