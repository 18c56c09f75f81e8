import * as vscode from "vscode";
import { err, ok, type Result } from "../../base/result.ts";
import type { Git, GitRefusal } from "../../ports/commands/git.ts";
import type { ProcessFailure } from "../../ports/commands/process.ts";

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

/** Why Graft's own git does not tell changes. */
export type DiffRefusal = ProcessFailure | GitRefusal;

/** The uncommitted changes in the workspace folders, staged ones first, and what is not told. */
export async function uncommittedChanges(
  git: Git | null,
  signal: AbortSignal,
): Promise<{ readonly diff: string; readonly refused: readonly DiffRefusal[] }> {
  const repositories = await gitRepositories();
  const diffs = await Promise.all(
    repositories.flatMap((each) =>
      [true, false].map((staged) => workspaceChanges(each, { git, staged, signal })),
    ),
  );
  const told = diffs.flatMap((diff) => (diff.ok && diff.value.trim() !== "" ? [diff.value] : []));
  const refused = diffs.flatMap((diff) => (diff.ok ? [] : [diff.error]));
  return { diff: told.join("\n"), refused: distinct(refused) };
}

/** A repository is refused for its staged and its other changes alike. */
const distinct = (refused: readonly DiffRefusal[]) => [
  ...new Map(refused.map((each) => [JSON.stringify(each), each])).values(),
];

/**
 * The changes for the next commit: all staged ones, else the unstaged ones in the workspace
 * folders, or "".
 */
export async function changesToCommit(
  repository: GitRepository,
  git: Git | null,
): Promise<Result<string, DiffRefusal>> {
  const { signal } = new AbortController();
  const start = foldersOf(repository)[0] ?? repository.rootUri;
  const staged = git
    ? await ownDiff(git, start, { staged: true, isLimited: false, signal })
    : ok(await repository.diff(true));
  if (!staged.ok || staged.value !== "") return staged;
  return workspaceChanges(repository, { git, staged: false, signal });
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
): Promise<Result<string, DiffRefusal>> {
  const folders = foldersOf(repository);
  const isWhole = vscode.workspace.getWorkspaceFolder(repository.rootUri) !== undefined;
  if (!git && isWhole) return ok(await repository.diff(staged));
  const diffs = await Promise.all(
    folders.map(async (uri) => {
      const { fsPath } = uri;
      if (git) return ownDiff(git, uri, { staged, isLimited: !isWhole, signal });
      return ok(
        await (staged ? repository.diffIndexWithHEAD(fsPath) : repository.diffWithHEAD(fsPath)),
      );
    }),
  );
  return (
    diffs.find(({ ok }) => !ok) ?? ok(diffs.map((diff) => (diff.ok ? diff.value : "")).join(""))
  );
}

/** The root of a repository, or the workspace folders in it where it starts above them. */
function foldersOf({ rootUri }: GitRepository): readonly vscode.Uri[] {
  if (vscode.workspace.getWorkspaceFolder(rootUri)) return [rootUri];
  const root = `${rootUri.path.replace(/\/$/, "")}/`;
  const folders = (vscode.workspace.workspaceFolders ?? []).map(({ uri }) => uri);
  return folders.filter(({ path }) => path.startsWith(root));
}

/** The changes as Graft's own git tells them. */
async function ownDiff(
  git: Git,
  uri: vscode.Uri,
  {
    staged,
    isLimited,
    signal,
  }: { readonly staged: boolean; readonly isLimited: boolean; readonly signal: AbortSignal },
): Promise<Result<string, DiffRefusal>> {
  const folder = { path: ".", uri: uri.toString() };
  const args = ["diff", "--no-ext-diff", "--no-textconv", ...(staged ? ["--cached"] : [])];
  const ran = await git.run({ folder, args, paths: isLimited ? [folder] : [] }, signal);
  if (!ran.ok) return ran;
  const { code, stdout, stderr } = ran.value;
  return code === 0 ? ok(stdout) : err({ code: "unreadable-repository", detail: stderr.trim() });
}
