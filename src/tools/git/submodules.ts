import { NOTES } from "../notes.ts";
import { QUOTE_NAMES, readQuotedNames } from "./quotedName.ts";
import { type GitDeps, runGit } from "./runGit.ts";

/** The most submodules that are looked into. */
const MAX_SUBMODULES = 50;

const GITLINK = /^160000 [0-9a-f]+ \d\t(.*)$/;

/** Limits which submodules count, by their workspace path. */
type Filter = (path: string) => boolean;

/**
 * Notes on the submodules below `folder`, in which git does not look: which of them have changes of
 * their own, and which could not be read. "" for none. Each is read with its own settings.
 */
export async function submoduleNotes(
  deps: GitDeps,
  folder: string | undefined,
  signal: AbortSignal,
  counts: Filter = () => true,
): Promise<string> {
  const changed: string[] = [];
  const unread: string[] = [];
  const waiting: string[] = [...(await submodulesIn(deps, folder, signal))].filter(counts);
  for (let index = 0; index < waiting.length; index++) {
    const path = waiting[index] ?? "";
    const args = ["status", "--short"];
    const status =
      index < MAX_SUBMODULES
        ? await runGit(deps, { folder: path, args, inFolder: true, signal })
        : null;
    if (!status?.ok) {
      if (status?.error.category !== "not-found") unread.push(path);
      continue;
    }
    if (status.value.stdout.trim() !== "") changed.push(path);
    waiting.push(...(await submodulesIn(deps, path, signal)).filter(counts));
  }
  return [
    ...(changed.length > 0 ? [NOTES.submodulesChanged(changed)] : []),
    ...(unread.length > 0 ? [NOTES.submodulesUnread(unread)] : []),
  ].join("\n");
}

/** The submodules of the repository below a folder, as workspace paths. */
async function submodulesIn(
  deps: GitDeps,
  folder: string | undefined,
  signal: AbortSignal,
): Promise<readonly string[]> {
  const args = [...QUOTE_NAMES, "ls-files", "--stage"];
  const listed = await runGit(deps, { folder, args, inFolder: true, signal });
  if (!listed.ok) return [];
  const links = listed.value.stdout.split("\n").flatMap((line) => GITLINK.exec(line)?.[1] ?? []);
  const within = folder === undefined || /^[./]*$/.test(folder) ? "" : `${folder}/`;
  return readQuotedNames(links.join("\n")).map(({ text }) => `${within}${text}`);
}
