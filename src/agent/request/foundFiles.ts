import type { Workspace } from "../../ports/workspace.ts";

/**
 * A file with a workspace's rules for coding assistants (https://agents.md): its path and its text,
 * or its beginning.
 */
export interface Rules {
  readonly path: string;
  readonly text: string;
}

/** The most files that are read of one folder. */
const MAX_FILES = 100;

/** What paths of the workspace's folders begin with; none where nothing of it may be followed. */
export function rootsOf({ folders, trusted }: Workspace): readonly string[] {
  if (!trusted || folders.length === 0) return [];
  return folders.length > 1 ? folders.map((folder) => `${folder}/`) : [""];
}

/** The paths of a folder's entries whose names match, by name; none where it does not exist. */
export async function matchingFiles(
  workspace: Workspace,
  folder: string,
  named: RegExp,
  signal: AbortSignal,
): Promise<readonly string[]> {
  const listed = await workspace.list(folder, signal);
  if (!listed.ok) return [];
  const names = listed.value.flatMap(({ name }) => (named.test(name) ? [name] : []));
  return names.slice(0, MAX_FILES).map((name) => `${folder}/${name}`);
}
