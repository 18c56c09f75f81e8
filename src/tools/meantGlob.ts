import { ok, type Result } from "../base/result.ts";
import { pathSpellings } from "../base/text/pathSpellings.ts";
import type { FileError } from "../ports/workspace.ts";
import { existsAt, meantPath, type SeenPaths } from "./meantPath.ts";

/** What means more than itself in a glob. */
const SIGNS = /[[\]{}*?]/;

/**
 * The glob that a model means: a path that exists, or a folder at its beginning, stands for itself,
 * whatever signs it has. The marks that models put around paths are left out. The error names what
 * a path may mean where that is not certain.
 */
export async function meantGlob(
  seen: SeenPaths,
  written: string,
  signal: AbortSignal,
): Promise<Result<string, FileError>> {
  const spellings = [{ path: written, isSure: true }, ...pathSpellings(written, [])];
  for (const { path } of spellings)
    if (SIGNS.test(path) && (await existsAt(seen, path, signal))) return ok(literalGlob(path));
  const sure = spellings.filter(({ isSure }) => isSure).map(({ path }) => path);
  const glob = sure.at(-1) ?? written;
  if (!SIGNS.test(glob))
    return glob.includes("/") ? meantPath(seen, glob, false, signal) : ok(glob);
  const segments = glob.split("/");
  for (let count = segments.length - 1; count > 0; count--) {
    const folder = segments.slice(0, count).join("/");
    if (SIGNS.test(folder) && !folder.includes("*") && (await existsAt(seen, folder, signal)))
      return ok([literalGlob(folder), ...segments.slice(count)].join("/"));
  }
  return ok(glob);
}

/** A glob that selects this path, or what is in this folder. */
export function literalGlob(path: string): string {
  const plain = path.replace(/^(?:\.?\/)+/, "").replace(/\/+$/, "");
  return `/${plain.replace(/[[{*?]/g, "[$&]")}`;
}
