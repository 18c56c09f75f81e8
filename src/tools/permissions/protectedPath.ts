/** Whether VS Code acts on what is at a workspace path: settings, tasks, servers, containers, and their folders. */
export function isEditorConfigPath(path: string): boolean {
  return /(^|[\\/])\.(vscode|devcontainer)[ .]*([\\/:]|$)|\.code-workspace[ .]*(:|$)|(^|[\\/])\.devcontainer\.json[ .]*(:|$)/i.test(path);
}

/** Names by which a file system also finds these folders, such as `git~1` and `.git.` on Windows: https://git-scm.com/docs/git-config#Documentation/git-config.txt-coreprotectNTFS */
const VERSION_CONTROL = new Set([".git", "git~1", ".hg", ".svn"]);
/** Characters that HFS+ ignores when it compares names: https://git-scm.com/docs/git-config#Documentation/git-config.txt-coreprotectHFS */
const IGNORED_BY_HFS = /[\u200c-\u200f\u202a-\u202e\u206a-\u206f\ufeff]/g;

/** Whether a path, with `/` between its segments, is or lies in a folder of version control. */
export function isVersionControlPath(path: string): boolean {
  const plainName = (segment: string) =>
    segment
      .replace(IGNORED_BY_HFS, "")
      .replace(/(:.*|[. ]+)$/, "")
      .toLowerCase();
  return path.split("/").some((segment) => VERSION_CONTROL.has(plainName(segment)));
}
