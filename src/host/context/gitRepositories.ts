import * as vscode from "vscode";
import * as z from "zod/mini";

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

const callable = z.custom<(...args: readonly never[]) => unknown>((value) => typeof value === "function");
const uri = z.custom<vscode.Uri>((value) => value instanceof vscode.Uri);
const changes = z.array(z.object({ uri }));
const repositorySchema = z.object({
  rootUri: uri,
  inputBox: z.object({ value: z.string() }),
  state: z.object({ indexChanges: changes, workingTreeChanges: changes }),
  diff: callable,
  diffIndexWithHEAD: callable,
  diffWithHEAD: callable,
});
const isRepository = (value: unknown): value is GitRepository => repositorySchema.safeParse(value).success;
const apiSchema = z.object({ repositories: z.array(z.custom<GitRepository>(isRepository)) });
const extensionSchema = z.object({ getAPI: callable });
const isExtension = (value: unknown): value is { getAPI(version: number): unknown } => extensionSchema.safeParse(value).success;

/** The repositories that VS Code's Git extension has open; none without it. Never rejects. */
export async function gitRepositories(): Promise<readonly GitRepository[]> {
  try {
    const git = vscode.extensions.getExtension<unknown>("vscode.git");
    const exported = git && (git.isActive ? git.exports : await git.activate());
    // Called on the object itself, whose private fields it reads.
    const api = apiSchema.safeParse(isExtension(exported) ? exported.getAPI(1) : null);
    return api.success ? api.data.repositories : [];
  } catch {
    return [];
  }
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
