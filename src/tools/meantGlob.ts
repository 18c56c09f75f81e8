import { pathSpellings } from "../base/text/pathSpellings.ts";
import { existsAt, meantPath, type SeenPaths } from "./meantPath.ts";

/** What means more than itself in a glob. */
const SIGNS = /[[\]{}*?]/;

/**
 * The glob that a model means: a path that exists, or a folder at its beginning, stands for itself,
 * whatever signs it has. The marks that models put around paths are left out.
 */
export async function meantGlob(
  seen: SeenPaths,
  written: string,
  signal: AbortSignal,
): Promise<string> {
  const spellings = [{ path: written, isSure: true }, ...pathSpellings(written, [])];
  for (const { path } of spellings)
    if (SIGNS.test(path) && (await existsAt(seen, path, signal))) return literalGlob(path);
  const sure = spellings.filter(({ isSure }) => isSure).map(({ path }) => path);
  const glob = sure.at(-1) ?? written;
  if (!SIGNS.test(glob)) {
    const meant = glob.includes("/") ? await meantPath(seen, glob, false, signal) : null;
    return meant?.ok ? meant.value : glob;
  }
  const segments = glob.split("/");
  for (let count = segments.length - 1; count > 0; count--) {
    const folder = segments.slice(0, count).join("/");
    if (SIGNS.test(folder) && !folder.includes("*") && (await existsAt(seen, folder, signal)))
      return [literalGlob(folder), ...segments.slice(count)].join("/");
  }
  return glob;
}

/** A glob that selects this path, or what is in this folder. */
export function literalGlob(path: string): string {
  const plain = path.replace(/^(?:\.?\/)+/, "").replace(/\/+$/, "");
  return `/${plain.replace(/[[{*?]/g, "[$&]")}`;
}
