import * as path from "node:path";
import { contains } from "../processes/gitRepository.ts";
import type { Differences, FolderEntry } from "./changedPaths.ts";
import type { CopyLayout } from "./copyLayout.ts";
import { type CopyManifest, isFolderMark, type Mark } from "./copyManifest.ts";
import { fileTree } from "./fileTree.ts";
import type { CopiedFolder } from "./syncFolder.ts";

type Children = Map<string, Map<string, boolean>>;

/** How copies differ from what they were when they were last brought up to date. */
export async function copyDifferences(
  copies: readonly CopiedFolder[],
  layout: CopyLayout,
): Promise<Differences> {
  const all = await Promise.all(
    copies.map(async ({ folder, copy, manifest }) => {
      const { marks } = await fileTree(copy, new AbortController().signal, { own: true });
      return { folder, before: childrenOf(manifest), ...differencesIn(marks, manifest) };
    }),
  );
  const entriesIn = (folder: string, kind: "changed" | "gone" | "before") => {
    const one = all.find((each) => contains(each.folder, folder));
    const entries = one?.[kind].get(path.relative(one.folder, folder)) ?? [];
    return [...entries].map(([name, isFolder]): FolderEntry => ({ name, isFolder }));
  };
  return {
    in: async (folder) => ({
      changed: entriesIn(folder, "changed"),
      gone: entriesIn(folder, "gone"),
    }),
    before: async (folder) => entriesIn(folder, "before"),
    inside: (place) => layout.copyOf(place) ?? place,
  };
}

function differencesIn(marks: ReadonlyMap<string, Mark>, manifest: CopyManifest) {
  const changed: Children = new Map();
  const gone: Children = new Map();
  /** Adds a path to its folder, and each folder on the way to its own. */
  const addWay = (name: string, isFolder: boolean) => {
    for (let [at, kind] = [name, isFolder]; at !== ""; [at, kind] = [folderOf(at), true])
      if (!add(changed, at, kind)) break;
  };
  for (const [name, mark] of marks) {
    const last = manifest.get(name)?.copy ?? "";
    const isFolder = isFolderMark(mark);
    if (isFolder ? !isFolderMark(last) : mark !== last) addWay(name, isFolder);
  }
  for (const [name, { copy }] of manifest) {
    if (copy === "" || marks.has(name)) continue;
    const folder = folderOf(name);
    if (folder !== "" && !isFolderMark(marks.get(folder) ?? "")) continue;
    add(gone, name, isFolderMark(copy));
    addWay(folder, true);
  }
  return { changed, gone };
}

function childrenOf(manifest: CopyManifest): Children {
  const children: Children = new Map();
  for (const [name, { copy }] of manifest) if (copy !== "") add(children, name, isFolderMark(copy));
  return children;
}

/** False where it was there. */
function add(children: Children, name: string, isFolder: boolean): boolean {
  const folder = folderOf(name);
  const entries = children.get(folder) ?? new Map<string, boolean>();
  children.set(folder, entries);
  if (entries.has(path.basename(name))) return false;
  entries.set(path.basename(name), isFolder);
  return true;
}

function folderOf(name: string): string {
  const folder = path.dirname(name);
  return folder === "." ? "" : folder;
}
