import { open } from "node:fs/promises";
import type { Program } from "../../ports/commands/process.ts";
import { type CallNumbers, callFilter } from "./callFilter.ts";
import type { SandboxHome } from "./sandboxHome.ts";
import { SANDBOX_SCRIPT } from "./sandboxScript.ts";

/** What a sandbox is made with. Paths are absolute. */
export interface SandboxPrograms {
  readonly unshare: string;
  readonly perl: string;
  readonly numbers: CallNumbers;
}

/** A user of its own, in which the program may mount, and nothing of the outside but files. */
const NAMESPACES = [
  ...["--user", "--map-current-user", "--keep-caps", "--mount", "--net", "--ipc"],
  ...["--pid", "--fork", "--kill-child"],
];
/** Opens the report before the namespaces: there, what is written to could not be protected. */
const REPORT = 'exec 3>"$1" || exit 125; shift; exec "$@"';

/** What a program finds in a sandbox. Paths are absolute. */
export interface SandboxFiles {
  /** These stay writable. */
  readonly folders: readonly string[];
  /** The path of a file with what {@link placesList} lists. */
  readonly places: string;
  /** A path outside of the folders that gets what {@link wantedNetwork} reads. */
  readonly report: string;
}

/**
 * What the program in the sandbox is told of a machine's files, a byte a character. `emptied` are
 * files and folders with keys.
 */
export function placesList(
  { hidden, shown, links, home }: SandboxHome,
  emptied: readonly string[],
): string {
  const bytes = (place: string) => Buffer.from(place).toString("latin1");
  const entries = [
    ...hidden.map((each) => `h${bytes(each)}`),
    ...shown.map((each) => `s${bytes(each)}`),
    ...[...links].flatMap(([place, target]) => [`l${bytes(place)}`, bytes(target)]),
    `m${bytes(home)}`,
    ...[...new Set(emptied)].sort().map((each) => `e${each}`),
  ];
  return entries.map((each) => `${each}\0`).join("");
}

/**
 * The program that runs this one without network and the user's services, with home folders empty
 * but for programs and packages, and with all other files read-only.
 */
export function inSandbox(
  { file, args, cwd, variables }: Program,
  { folders, places, report }: SandboxFiles,
  { unshare, perl, numbers }: SandboxPrograms,
): Program {
  const { mount, prctl, capset, prlimit } = numbers;
  return {
    file: "/bin/sh",
    args: [
      ...["-c", REPORT, "sh", report, unshare, ...NAMESPACES, perl, "-e", SANDBOX_SCRIPT, "--"],
      ...[mount, prctl, capset, prlimit].map(String),
      ...[callFilter(numbers), places, cwd, String(folders.length), ...folders, file, ...args],
    ],
    cwd: "/",
    ...(variables && { variables }),
  };
}

/**
 * The counters of `/proc/net/snmp` and `snmp6` that rise where a process asked for a place without
 * route, or for a name server of this machine.
 */
const WANTED = { Ip: ["OutNoRoutes"], Udp: ["NoPorts"] } as const;
const WANTED_6 = /^(?:Ip6OutNoRoutes|Udp6NoPorts)\s+[1-9]/m;

/** Whether a process in the sandbox tried to reach another machine. False while it runs. */
export async function wantedNetwork(report: string): Promise<boolean> {
  const text = await beginningOf(report).catch(() => "");
  return (
    WANTED_6.test(text) ||
    Object.entries(WANTED).some(([kind, names]) => {
      const [heads = [], values = []] = text
        .split("\n")
        .filter((line) => line.startsWith(`${kind}: `))
        .map((line) => line.split(" "));
      return names.some((name) => Number(values[heads.indexOf(name)] ?? 0) > 0);
    })
  );
}

/** The kernel's counters take a few thousand bytes. */
const MOST_BYTES = 65_536;

async function beginningOf(file: string): Promise<string> {
  const opened = await open(file, "r");
  try {
    const { buffer, bytesRead } = await opened.read(Buffer.alloc(MOST_BYTES), 0, MOST_BYTES, 0);
    return buffer.toString("utf8", 0, bytesRead);
  } finally {
    await opened.close();
  }
}
