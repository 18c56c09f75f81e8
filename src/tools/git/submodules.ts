import { NOTES } from "../notes.ts";
import { QUOTE_NAMES, readQuotedNames } from "./quotedName.ts";
import { type GitDeps, runGit } from "./runGit.ts";

/** The most submodules that are looked into. */
const MAX_SUBMODULES = 50;

const GITLINK = /^160000 [0-9a-f]+ \d\s(.*)$/;

/**
 * Notes on the submodules below `folder`, in which git does not look: which of them have changes of
 * their own, and which could not be read. "" for none. Each is read with its own settings.
 */
export async function submoduleNotes(
  deps: GitDeps,
  folder: string | undefined,
  signal: AbortSignal,
  counts: (path: string) => boolean = () => true,
): Promise<string> {
  const changed: string[] = [];
  const unread: string[] = [];
  const waiting = (await submodulesIn(deps, folder, signal)).filter(counts);
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
  return readQuotedNames(links.join("\n")).map(({ text }) => workspacePath(text, folder ?? ""));
}

/** The workspace path of a name that git gives relative to `folder` or to a folder above it. */
function workspacePath(name: string, folder: string): string {
  const parts = folder.split("/").filter((part) => part !== "" && part !== ".");
  const common = parts.findIndex((_, at) => name.startsWith(`${parts.slice(at).join("/")}/`));
  return [...parts.slice(0, common < 0 ? parts.length : common), name].join("/");
}
