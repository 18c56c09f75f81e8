import { err, ok, type Result } from "../../base/result.ts";
import type { Git, GitOutput } from "../../ports/git.ts";
import type { FileRef, Workspace } from "../../ports/workspace.ts";
import { fileToolError } from "../fileToolError.ts";
import type { ToolError, ToolResult } from "../tool.ts";

/** What the git tools stand on. */
export interface GitDeps {
  readonly git: Git;
  readonly workspace: Workspace;
}

/** One run of git for a tool. */
export interface GitRun {
  /** The workspace's folder to run in; undefined for the only one. */
  readonly folder: string | undefined;
  /** The subcommand and its options, without paths. */
  readonly args: readonly string[];
  /** Workspace-relative; they go behind `--` and are taken literally. */
  readonly paths: readonly string[];
  readonly input: string;
  readonly signal: AbortSignal;
  /** A file to use in the place of the repository's index. */
  readonly index?: string;
}

const MAX_MESSAGE = 4_000;

/**
 * Runs git in a folder of the workspace. What a repository's own settings could start while git only looks (a file system monitor, a
 * diff program) is switched off, and an untrusted workspace is refused altogether. Anything but success is the tool's result.
 */
export async function runGit({ git, workspace }: GitDeps, run: GitRun): Promise<Result<GitOutput, ToolResult>> {
  if (!workspace.trusted)
    return failed("permission", "This workspace is not trusted, so git does not run in it.", "The user can trust it.");
  const cwd = await workspace.resolve(run.folder ?? ".");
  if (!cwd.ok) return err(fileToolError(cwd.error));
  const listed = run.folder === undefined ? null : await workspace.list(run.folder, run.signal);
  if (listed && !listed.ok) return err(fileToolError(listed.error));
  const paths = await pathspecs(workspace, cwd.value, run.paths);
  if (!paths.ok) return paths;
  const args = ["--no-pager", "--no-optional-locks", "-c", "core.fsmonitor=false", "-c", "core.quotePath=false", "-c", "color.ui=false"];
  const behind = paths.value.length === 0 ? [] : ["--", ...paths.value];
  const output = await git.run([...args, ...run.args, ...behind], cwd.value, run.input, run.signal, run.index);
  if (!output.ok) return failed("execution", output.error, null);
  if (output.value.code === 0) return ok(output.value);
  return err({ ok: false, error: gitError(output.value, ["", "."].includes(cwd.value.path) ? "The workspace" : cwd.value.path) });
}

/** Null for a name that git could take for an option, with the result to give for it. */
export function refuseOption(name: string | undefined, parameter: string): ToolResult | null {
  if (name === undefined || /^[^-\s]\S*$/.test(name)) return null;
  const message = `${parameter} must be one name without spaces that does not begin with a dash.`;
  return { ok: false, error: { category: "validation", message, recovery: "Give a branch, a tag or a commit." } };
}

async function pathspecs(workspace: Workspace, cwd: FileRef, paths: readonly string[]): Promise<Result<readonly string[], ToolResult>> {
  const specs: string[] = [];
  for (const path of paths) {
    const file = await workspace.resolve(path);
    if (!file.ok) return err(fileToolError(file.error));
    const relative = relativeTo(cwd.path, file.value.path);
    if (relative === null) return failed("validation", `${path} is not in ${cwd.path}.`, "Name the folder that it is in.");
    specs.push(relative);
  }
  return ok(specs);
}

function relativeTo(folder: string, path: string): string | null {
  if (folder === "" || folder === ".") return path || ".";
  if (path === folder) return ".";
  return path.startsWith(`${folder}/`) ? path.slice(folder.length + 1) : null;
}

function gitError({ stdout, stderr, code }: GitOutput, folder: string): ToolError {
  const said = (stderr.trim() || stdout.trim()).slice(0, MAX_MESSAGE);
  if (/not a git repository/i.test(said)) {
    return { category: "not-found", message: `${folder} is not in a git repository.`, recovery: "Go on without git, or ask the user." };
  }
  return { category: "execution", message: said || `git ended with code ${code}.`, recovery: null };
}

function failed(category: ToolError["category"], message: string, recovery: string | null): Result<never, ToolResult> {
  return err({ ok: false, error: { category, message, recovery } });
}
