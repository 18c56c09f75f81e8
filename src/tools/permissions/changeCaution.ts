import type { FileRef, Workspace } from "../../ports/workspace.ts";
import { changeRefusal } from "../../ports/workspaceFiles.ts";

/** The most entries of a folder that are looked at; more count as if one of them were protected. */
const MAX_ENTRIES = 2_000;

/**
 * Whether changing what is at one of the paths is asked about each time: a protected or secret
 * file, or a folder that holds one.
 */
export async function needsCaution(
  workspace: Pick<Workspace, "resolve" | "list">,
  paths: readonly string[],
): Promise<boolean> {
  for (const path of paths) {
    const place = await workspace.resolve(path);
    if (place.ok && (isCautious(place.value) || (await holdsCautious(workspace, place.value))))
      return true;
  }
  return false;
}

async function holdsCautious(
  workspace: Pick<Workspace, "resolve" | "list">,
  { path: root }: FileRef,
): Promise<boolean> {
  const folders = [root];
  let seen = 0;
  for (let folder = folders.pop(); folder !== undefined; folder = folders.pop()) {
    const listed = await workspace.list(folder, new AbortController().signal);
    for (const { name, kind } of listed.ok ? listed.value : []) {
      seen += 1;
      const entry = folder === "" ? name : `${folder}/${name}`;
      const place = kind === "symlink" ? null : await workspace.resolve(entry);
      if (seen > MAX_ENTRIES || (place?.ok && isCautious(place.value))) return true;
      if (kind === "directory") folders.push(entry);
    }
  }
  return false;
}

function isCautious(file: FileRef): boolean {
  return changeRefusal(file, false) !== null;
}
