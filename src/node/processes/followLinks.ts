import { lstat, readlink, stat } from "node:fs/promises";
import * as path from "node:path";

/** The most links on the way to a file, as in Linux. */
const MOST_LINKS = 40;

/** Where a path leads, and by which links. */
interface Followed {
  /** Without links on the way; null where nothing is there. */
  readonly real: string | null;
  /** The links' own paths, and what they say, in their order. */
  readonly links: ReadonlyMap<string, string>;
}

/** Follows the links on the way to a file or folder, on a system with `/` as its only root. */
export async function followLinks(place: string): Promise<Followed> {
  const links = new Map<string, string>();
  if ((await stat(place).catch(() => null)) === null) return { real: null, links };
  let at = "/";
  let left = MOST_LINKS;
  for (let rest = partsOf(place); rest.length > 0 && left > 0; ) {
    const next = path.join(at, rest[0] ?? "");
    rest = rest.slice(1);
    const entry = await lstat(next).catch(() => null);
    if (entry === null) return { real: null, links };
    if (!entry.isSymbolicLink()) {
      at = next;
      continue;
    }
    const target = await readlink(next).catch(() => "");
    links.set(next, target);
    rest = [...partsOf(target), ...rest];
    if (target.startsWith("/")) at = "/";
    left -= 1;
  }
  return { real: left > 0 ? at : null, links };
}

function partsOf(place: string): readonly string[] {
  return place.split("/").filter((part) => part !== "");
}

/**
 * Whether the way to a path leads through `/proc`, as `/dev/fd` and `/proc/self/cwd` do: there each
 * process finds something else, so that what Graft finds is not what a command finds.
 */
export async function dependsOnProcess(place: string): Promise<boolean> {
  if (process.platform !== "linux") return false;
  const { links } = await followLinks(place);
  return [...links.keys()].some((link) => link.startsWith("/proc/"));
}
