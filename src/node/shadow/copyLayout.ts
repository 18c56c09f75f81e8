import { realpath } from "node:fs/promises";
import * as path from "node:path";
import { contains } from "../processes/gitRepository.ts";

/** Where the copies of folders are: beside each other as the folders are. Paths are absolute. */
export interface CopyLayout {
  readonly folders: readonly { readonly folder: string; readonly copy: string }[];
  /** The copy of a path in the folders, or null. */
  copyOf(place: string): string | null;
  /** The path that a path in the copies is a copy of, or null. */
  sourceOf(place: string): string | null;
}

/**
 * Lays out copies of `folders`, which are none in another, below `own`. `paths` are those of the
 * system.
 */
export function copyLayout(
  folders: readonly string[],
  own: string,
  paths: path.PlatformPath = path,
): CopyLayout {
  const above = commonFolder(
    folders.map((folder) => paths.dirname(folder)),
    paths,
  );
  const placed = folders.map((folder) => ({
    folder,
    copy: paths.join(
      own,
      above === null ? folder.replace(":", "") : paths.relative(above, folder) || "root",
    ),
  }));
  return {
    folders: placed,
    copyOf(place) {
      const found = placed.find(({ folder }) => contains(folder, place, paths));
      return found ? paths.join(found.copy, paths.relative(found.folder, place)) : null;
    },
    sourceOf(place) {
      const found = placed.find(({ copy }) => contains(copy, place, paths));
      return found ? paths.join(found.folder, paths.relative(found.copy, place)) : null;
    },
  };
}

/** The innermost folder that holds all of them; null on several drives. */
function commonFolder(folders: readonly string[], paths: path.PlatformPath): string | null {
  const [first, ...others] = folders;
  if (first === undefined) return null;
  for (let place = first; ; place = paths.dirname(place)) {
    if (others.every((other) => contains(place, other, paths))) return place;
    if (paths.dirname(place) === place) return null;
  }
}

/** What a link of the user must name in the copy, and whether it leads out of the folders. */
export async function copiedTarget(
  link: string,
  target: string,
  layout: CopyLayout,
): Promise<{ readonly target: string; readonly isOutside: boolean }> {
  const from = path.dirname(link);
  const leads = path.resolve(from, target);
  const copy = layout.copyOf(leads);
  if (copy !== null) {
    if (path.isAbsolute(target)) return { target: copy, isOutside: false };
    // A detour over folders that hold the user's folder may lead elsewhere.
    const isSame = path.resolve(layout.copyOf(from) ?? from, target) === copy;
    return { target: isSame ? target : path.relative(from, leads) || ".", isOutside: false };
  }
  const real = await realpath(link).catch(() => null);
  const within = real === null ? null : layout.copyOf(real);
  return within === null
    ? { target: leads, isOutside: true }
    : { target: within, isOutside: false };
}
