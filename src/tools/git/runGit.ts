import * as z from "zod/mini";
import { err, ok, type Result } from "../../base/result.ts";
import type { Git, GitOutput } from "../../ports/git.ts";
import type { FileRef, Workspace } from "../../ports/workspace.ts";
import { fileError } from "../files/fileToolError.ts";
import { toolError } from "../messages.ts";
import type { ToolError } from "../tool.ts";

/** The parameter for the repository, where the workspace has several folders. */
export const folderSchema = z.optional(z.string()).check(z.describe("The folder of the repository. Only where the workspace has several."));

/** The parameter for the files or folders that a tool is limited to. */
export const pathsSchema = z.optional(z.array(z.string().check(z.minLength(1))));

/** What the git tools need. */
export interface GitDeps {
  readonly git: Git;
  readonly workspace: Workspace;
}

/** One run of git for a tool. */
export interface GitRun {
  /** The workspace folder to run in; undefined for the only one. */
  readonly folder: string | undefined;
  /** The subcommand and its options, without paths. */
  readonly args: readonly string[];
  /** Workspace-relative and literal; default none. */
  readonly paths?: readonly string[];
  /** What git reads; default nothing. */
  readonly input?: string;
  readonly signal: AbortSignal;
}

const MAX_MESSAGE = 4_000;

/** Runs git in a folder of a trusted workspace, without what the repository's settings could start while git only reads. */
export async function runGit({ git, workspace }: GitDeps, run: GitRun): Promise<Result<GitOutput, ToolError>> {
  if (!workspace.trusted) return err(toolError("git-untrusted", {}));
  const cwd = await workspace.resolve(run.folder ?? ".");
  if (!cwd.ok) return err(fileError(cwd.error));
  const listed = run.folder === undefined ? null : await workspace.list(run.folder, run.signal);
  if (listed && !listed.ok) return err(fileError(listed.error));
  const paths = await pathspecs(workspace, cwd.value, run.paths ?? []);
  if (!paths.ok) return paths;
  const args = ["--no-pager", "--no-optional-locks", "-c", "core.fsmonitor=false", "-c", "core.quotePath=false", "-c", "color.ui=false"];
  const after = paths.value.length === 0 ? [] : ["--", ...paths.value];
  const output = await git.run([...args, ...run.args, ...after], cwd.value, run.input ?? "", run.signal);
  if (!output.ok) return err(toolError("not-run", { failure: output.error }));
  const { code, stdout, stderr } = output.value;
  if (code === 0) return ok(output.value);
  const detail = (stderr.trim() || stdout.trim()).slice(0, MAX_MESSAGE);
  // Git has no exit code of its own for this; its words are English, see `Git`.
  if (/not a git repository/i.test(detail)) return err(toolError("not-a-repository", { folder: cwd.value.path.replace(/^\.$/, "") }));
  return err(toolError("git-failed", { code, detail }));
}

/** The error for a name that git could take for an option, else null. */
export function refuseOptionName(name: string | undefined, parameter: string): ToolError | null {
  return name === undefined || /^[^-\s]\S*$/.test(name) ? null : toolError("not-a-revision", { parameter });
}

async function pathspecs(workspace: Workspace, cwd: FileRef, paths: readonly string[]): Promise<Result<readonly string[], ToolError>> {
  const specs: string[] = [];
  for (const path of paths) {
    const file = await workspace.resolve(path);
    if (!file.ok) return err(fileError(file.error));
    const relative = relativeTo(cwd.path, file.value.path);
    if (relative === null) return err(toolError("path-outside-folder", { path, folder: cwd.path }));
    specs.push(relative);
  }
  return ok(specs);
}

function relativeTo(folder: string, path: string): string | null {
  if (folder === "" || folder === ".") return path || ".";
  if (path === folder) return ".";
  return path.startsWith(`${folder}/`) ? path.slice(folder.length + 1) : null;
}
