import * as vscode from "vscode";

/** The part of VS Code's Git repositories that Graft uses. */
export interface GitRepository {
  readonly rootUri: vscode.Uri;
  readonly inputBox: { value: string };
  readonly state: {
    readonly indexChanges: readonly GitChange[];
    readonly workingTreeChanges: readonly GitChange[];
  };
  /** The diff of the staged changes, or of the unstaged ones. */
  diff(staged: boolean): Promise<string>;
  /**
   * Like `diff`, for one file or folder: `diffIndexWithHEAD` gives staged changes. Despite its
   * name, `diffWithHEAD` compares with the index.
   */
  diffIndexWithHEAD(path: string): Promise<string>;
  diffWithHEAD(path: string): Promise<string>;
}

interface GitChange {
  readonly uri: vscode.Uri;
}

/**
 * The API of VS Code's Git extension:
 * https://github.com/microsoft/vscode/blob/main/extensions/git/src/api/git.d.ts
 */
interface GitExtension {
  getAPI(version: 1): { readonly repositories: readonly GitRepository[] };
}

/** The repositories open in VS Code's Git extension. Empty without it. Never rejects. */
export async function gitRepositories(): Promise<readonly GitRepository[]> {
  try {
    const git = await vscode.extensions.getExtension<GitExtension>("vscode.git")?.activate();
    return git?.getAPI(1).repositories ?? [];
  } catch {
    return [];
  }
}

/**
 * The folders in which Graft may start git: the workspace folders and the repositories open in the
 * Git extension. Never rejects.
 */
export async function gitPlaces(): Promise<{
  readonly folders: readonly string[];
  readonly opened: readonly string[];
}> {
  const onDisk = (uris: readonly vscode.Uri[]) =>
    uris.flatMap(({ scheme, fsPath }) => (scheme === "file" ? [fsPath] : []));
  const repositories = await gitRepositories();
  return {
    folders: onDisk((vscode.workspace.workspaceFolders ?? []).map(({ uri }) => uri)),
    opened: onDisk(repositories.map(({ rootUri }) => rootUri)),
  };
}

/** Whether any workspace file has uncommitted changes. Never rejects. */
export async function hasUncommittedChanges(): Promise<boolean> {
  return (await gitRepositories()).some(({ state }) =>
    [...state.indexChanges, ...state.workingTreeChanges].some(
      (change) => vscode.workspace.getWorkspaceFolder(change.uri) !== undefined,
    ),
  );
}

/** The uncommitted changes in the workspace folders, staged ones first, or "". */
export async function uncommittedChanges(): Promise<string> {
  const repositories = await gitRepositories();
  const diffs = await Promise.all(
    repositories.flatMap((each) => [workspaceChanges(each, true), workspaceChanges(each, false)]),
  );
  return diffs.filter((diff) => diff.trim() !== "").join("\n");
}

/**
 * The changes for the next commit: all staged ones, else the unstaged ones in the workspace
 * folders, or "".
 */
export async function changesToCommit(repository: GitRepository): Promise<string> {
  return (await repository.diff(true)) || workspaceChanges(repository, false);
}

/**
 * The changes within the workspace folders. A repository may start above them and contain other
 * files.
 */
async function workspaceChanges(repository: GitRepository, staged: boolean): Promise<string> {
  if (vscode.workspace.getWorkspaceFolder(repository.rootUri)) return repository.diff(staged);
  const root = `${repository.rootUri.path.replace(/\/$/, "")}/`;
  const inside = (vscode.workspace.workspaceFolders ?? []).filter((folder) =>
    folder.uri.path.startsWith(root),
  );
  const diffs = inside.map(({ uri: { fsPath } }) =>
    staged ? repository.diffIndexWithHEAD(fsPath) : repository.diffWithHEAD(fsPath),
  );
  return (await Promise.all(diffs)).join("");
}
