/** Names under which a file system finds these folders as well, such as `git~1` and `.git.` on Windows: https://git-scm.com/docs/git-config#Documentation/git-config.txt-coreprotectNTFS */
const FOLDERS = new Set([".git", "git~1", ".hg", ".svn"]);
/** What HFS+ leaves out when it compares names: https://git-scm.com/docs/git-config#Documentation/git-config.txt-coreprotectHFS */
const LEFT_OUT = /[\u200c-\u200f\u202a-\u202e\u206a-\u206f\ufeff]/g;

/** Whether a path, `/` between its segments, lies in a folder of version control, or is one. */
export function isVersionControl(path: string): boolean {
  return path.split("/").some((segment) =>
    FOLDERS.has(
      segment
        .replace(LEFT_OUT, "")
        .replace(/(:.*|[. ]+)$/, "")
        .toLowerCase(),
    ),
  );
}
