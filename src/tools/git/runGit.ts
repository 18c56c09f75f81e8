import * as z from "zod/mini";
import type { Localize } from "../../base/localize.ts";
import { err, ok, type Result } from "../../base/result.ts";
import { firstPart } from "../../base/text/clip.ts";
import type { Git, GitOutput } from "../../ports/commands/git.ts";
import type { FileRef, Workspace } from "../../ports/workspace.ts";
import { fileError } from "../files/fileToolError.ts";
import { toolError } from "../messages.ts";
import { NOTES } from "../notes.ts";
import type { ToolError } from "../tool.ts";

/** The parameter for the repository, where the workspace has several folders. */
export const folderSchema = z
  .optional(z.string())
  .check(z.describe("The folder of the repository. Only where the workspace has several."));

/** The parameter for the files or folders that a tool is limited to. */
export const pathsSchema = z.optional(z.array(z.string().check(z.minLength(1))));

/** What the git tools need. */
export interface GitDeps {
  readonly git: Git;
  readonly workspace: Workspace;
}

/** One run of git for a tool. */
export interface GitCall {
  /** A folder of the repository; undefined for the only workspace folder. */
  readonly folder: string | undefined;
  /** The subcommand and its options, without paths. */
  readonly args: readonly string[];
  /** Workspace-relative and literal; default none. */
  readonly paths?: readonly string[];
  /** True to read only what is in `folder`, where no paths are given. */
  readonly inFolder?: boolean;
  /** Patterns of files to leave out, from the folder, see {@link Git.run}. */
  readonly except?: readonly string[];
  /** What git reads; default nothing. */
  readonly input?: string;
  /** True after the user's yes, see {@link Git.run}. */
  readonly changes?: boolean;
  readonly signal: AbortSignal;
}

/** The same for one call of a tool, see {@link Git.forOneCall}. */
export function forOneCall(deps: GitDeps): GitDeps {
  return { ...deps, git: deps.git.forOneCall() };
}

const MAX_MESSAGE = 4_000;

/** Runs git in a repository of a trusted workspace. */
export async function runGit(
  { git, workspace }: GitDeps,
  call: GitCall,
): Promise<Result<GitOutput, ToolError>> {
  const { signal, inFolder = false, changes = false, args, except = [], input = "" } = call;
  if (!workspace.trusted) return err(toolError("git-untrusted", {}));
  const folder = await workspace.resolve(call.folder ?? ".");
  if (!folder.ok) return err(fileError(folder.error));
  const listed = call.folder === undefined ? null : await workspace.list(call.folder, signal);
  if (listed && !listed.ok) return err(fileError(listed.error));
  const named = await resolveAll(workspace, call.paths ?? []);
  if (!named.ok) return named;
  const paths = named.value.length === 0 && inFolder ? [folder.value] : named.value;
  const output = await git.run(
    { folder: folder.value, args, paths, except, input, changes },
    signal,
  );
  if (!output.ok) return err(gitRefusal(output.error, folder.value.path));
  const { code, stdout, stderr } = output.value;
  if (code === 0) return ok(output.value);
  return err(
    toolError("git-failed", {
      code,
      detail: firstPart(stderr.trim() || stdout.trim(), MAX_MESSAGE),
    }),
  );
}

/** The hooks and settings by which a change in a folder's repository may run programs. */
export async function programsIn(
  { git, workspace }: GitDeps,
  folder: string | undefined,
  signal: AbortSignal,
): Promise<readonly string[]> {
  const resolved = workspace.trusted ? await workspace.resolve(folder ?? ".") : null;
  return resolved?.ok ? git.programs(resolved.value, signal) : [];
}

/** What a question says of a call, with its folder unless that is the only workspace folder. */
export function summaryIn(
  { workspace }: GitDeps,
  folder: string | undefined,
  summary: string,
  t: Localize,
): string {
  const isOnly = workspace.folders.length < 2 && /^[./]*$/.test(folder ?? "");
  return isOnly || folder === undefined
    ? summary
    : t("In {folder}: {summary}", { folder, summary });
}

/** What git wrote, with a note on the filters that did not run. */
export function shownOutput({ unfiltered = [] }: GitOutput, text: string): string {
  return unfiltered.length === 0 ? text : `${text}\n${NOTES.unfiltered(unfiltered)}`;
}

/** The error for a name that git could take for an option, else null. */
export function refuseOptionName(name: string | undefined, parameter: string): ToolError | null {
  return name === undefined || /^[^-\s]\S*$/.test(name)
    ? null
    : toolError("not-a-revision", { parameter });
}

type GitError = Extract<Awaited<ReturnType<Git["run"]>>, { ok: false }>["error"];

/** Why git was not run in a workspace folder, "." or "" for the only one. */
export function gitRefusal(error: GitError, folder: string): ToolError {
  switch (error.code) {
    case "not-a-repository":
      return toolError("not-a-repository", { folder: folder.replace(/^\.$/, "") });
    case "repository-not-open":
    case "repository-elsewhere":
    case "runs-program":
    case "settings-proposed":
    case "git-waits":
    case "git-silent":
      return toolError(error.code, error);
    case "path-outside-repository":
      return toolError("path-outside-folder", { path: error.path, folder });
    case "unreadable-repository":
      return toolError("git-failed", { code: 128, detail: error.detail });
    default:
      return toolError("not-run", { failure: error });
  }
}

async function resolveAll(
  workspace: Workspace,
  paths: readonly string[],
): Promise<Result<readonly FileRef[], ToolError>> {
  const files: FileRef[] = [];
  for (const path of paths) {
    const file = await workspace.resolve(path);
    if (!file.ok) return err(fileError(file.error));
    files.push(file.value);
  }
  return ok(files);
}
