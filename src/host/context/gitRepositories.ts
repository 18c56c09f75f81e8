import * as vscode from "vscode";
import type { Git } from "../../ports/commands/git.ts";

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
export async function uncommittedChanges(git: Git | null, signal: AbortSignal): Promise<string> {
  const repositories = await gitRepositories();
  const diffs = await Promise.all(
    repositories.flatMap((each) =>
      [true, false].map((staged) => workspaceChanges(each, { git, staged, signal })),
    ),
  );
  return diffs.filter((diff) => diff.trim() !== "").join("\n");
}

/**
 * The changes for the next commit: all staged ones, else the unstaged ones in the workspace
 * folders, or "".
 */
export async function changesToCommit(repository: GitRepository, git: Git | null): Promise<string> {
  const { signal } = new AbortController();
  const [start] = foldersOf(repository);
  const staged =
    git && start
      ? await ownDiff(git, start, { staged: true, isLimited: false, signal })
      : await repository.diff(true);
  return staged || workspaceChanges(repository, { git, staged: false, signal });
}

interface WantedChanges {
  readonly git: Git | null;
  readonly staged: boolean;
  readonly signal: AbortSignal;
}

/**
 * The changes within the workspace folders. A repository may start above them and contain other
 * files. The extension's git would run the programs that a repository names for differences.
 */
async function workspaceChanges(
  repository: GitRepository,
  { git, staged, signal }: WantedChanges,
): Promise<string> {
  const folders = foldersOf(repository);
  const isWhole = vscode.workspace.getWorkspaceFolder(repository.rootUri) !== undefined;
  if (!git && isWhole) return repository.diff(staged);
  const diffs = folders.map((uri) => {
    if (git) return ownDiff(git, uri, { staged, isLimited: !isWhole, signal });
    return staged ? repository.diffIndexWithHEAD(uri.fsPath) : repository.diffWithHEAD(uri.fsPath);
  });
  return (await Promise.all(diffs)).join("");
}

/** The root of a repository, or the workspace folders in it where it starts above them. */
function foldersOf({ rootUri }: GitRepository): readonly vscode.Uri[] {
  if (vscode.workspace.getWorkspaceFolder(rootUri)) return [rootUri];
  const root = `${rootUri.path.replace(/\/$/, "")}/`;
  const folders = (vscode.workspace.workspaceFolders ?? []).map(({ uri }) => uri);
  return folders.filter(({ path }) => path.startsWith(root));
}

/** The changes as Graft's own git tells them, or "" where it refuses. */
async function ownDiff(
  git: Git,
  uri: vscode.Uri,
  {
    staged,
    isLimited,
    signal,
  }: { readonly staged: boolean; readonly isLimited: boolean; readonly signal: AbortSignal },
): Promise<string> {
  const folder = { path: ".", uri: uri.toString() };
  const args = ["diff", "--no-ext-diff", "--no-textconv", ...(staged ? ["--cached"] : [])];
  const ran = await git.run({ folder, args, paths: isLimited ? [folder] : [] }, signal);
  return ran.ok && ran.value.code === 0 ? ran.value.stdout : "";
}
