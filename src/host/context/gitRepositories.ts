import * as vscode from "vscode";

/** A repository of VS Code's Git extension, as far as Graft uses it. */
export interface GitRepository {
  readonly rootUri: vscode.Uri;
  readonly inputBox: { value: string };
  readonly state: { readonly indexChanges: readonly GitChange[]; readonly workingTreeChanges: readonly GitChange[] };
  /** The changes as a diff: the staged ones, or those in the working tree that are not staged. */
  diff(staged: boolean): Promise<string>;
  /** The same for one file or folder. Despite its name, `diffWithHEAD` compares with the index. */
  diffIndexWithHEAD(path: string): Promise<string>;
  diffWithHEAD(path: string): Promise<string>;
}

interface GitChange {
  readonly uri: vscode.Uri;
}

/** What VS Code's Git extension exports: https://github.com/microsoft/vscode/blob/main/extensions/git/src/api/git.d.ts */
interface GitExtension {
  getAPI(version: 1): { readonly repositories: readonly GitRepository[] };
}

/** The repositories that VS Code's Git extension has open; none without it. Never rejects. */
export async function gitRepositories(): Promise<readonly GitRepository[]> {
  try {
    const git = await vscode.extensions.getExtension<GitExtension>("vscode.git")?.activate();
    return git?.getAPI(1).repositories ?? [];
  } catch {
    return [];
  }
}

/** Where Graft may start git: the workspace's folders, and the repositories that the Git extension has open. Never rejects. */
export async function gitPlaces(): Promise<{ readonly folders: readonly string[]; readonly opened: readonly string[] }> {
  const onDisk = (uris: readonly vscode.Uri[]) => uris.flatMap(({ scheme, fsPath }) => (scheme === "file" ? [fsPath] : []));
  const repositories = await gitRepositories();
  return {
    folders: onDisk((vscode.workspace.workspaceFolders ?? []).map(({ uri }) => uri)),
    opened: onDisk(repositories.map(({ rootUri }) => rootUri)),
  };
}

/** True when a file of the workspace's folders has a change that no commit has yet. Never rejects. */
export async function hasUncommittedChanges(): Promise<boolean> {
  return (await gitRepositories()).some(({ state }) =>
    [...state.indexChanges, ...state.workingTreeChanges].some((change) => vscode.workspace.getWorkspaceFolder(change.uri) !== undefined),
  );
}

/** The changes of the workspace's folders that no commit has yet, staged ones first; "" for none. */
export async function uncommittedChanges(): Promise<string> {
  const repositories = await gitRepositories();
  const diffs = await Promise.all(repositories.flatMap((each) => [workspaceChanges(each, true), workspaceChanges(each, false)]));
  return diffs.filter((diff) => diff.trim() !== "").join("\n");
}

/** What the next commit may have: the staged changes of the whole repository, else those of the workspace's folders; "" for none. */
export async function changesToCommit(repository: GitRepository): Promise<string> {
  return (await repository.diff(true)) || workspaceChanges(repository, false);
}

/** A repository may begin above the workspace's folders, and have files that are not the workspace's. */
async function workspaceChanges(repository: GitRepository, staged: boolean): Promise<string> {
  if (vscode.workspace.getWorkspaceFolder(repository.rootUri)) return repository.diff(staged);
  const root = `${repository.rootUri.path.replace(/\/$/, "")}/`;
  const inside = (vscode.workspace.workspaceFolders ?? []).filter((folder) => folder.uri.path.startsWith(root));
  const diffs = inside.map(({ uri: { fsPath } }) => (staged ? repository.diffIndexWithHEAD(fsPath) : repository.diffWithHEAD(fsPath)));
  return (await Promise.all(diffs)).join("");
}
