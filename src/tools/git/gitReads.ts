import * as z from "zod/mini";
import { ok, type Result } from "../../base/result.ts";
import { defineTool } from "../defineTool.ts";
import { toolError } from "../messages.ts";
import { NOTES } from "../notes.ts";
import { isSecretPath } from "../permissions/protectedPath.ts";
import { readCaution } from "../permissions/readCaution.ts";
import type { Tool, ToolError } from "../tool.ts";
import { namePattern, patternMeans, QUOTE_NAMES, readQuotedNames } from "./quotedName.ts";
import {
  folderSchema,
  forOneCall,
  type GitCall,
  type GitDeps,
  pathsSchema,
  refuseOptionName,
  runGit,
  shownOutput,
} from "./runGit.ts";
import { submoduleNotes } from "./submodules.ts";

const DEFAULT_COUNT = 20;

const statusSchema = z.object({ folder: folderSchema });
const diffSchema = z.object({
  staged: z
    .optional(z.boolean())
    .check(z.describe("true: staged changes. Default false: unstaged ones.")),
  revision: z
    .optional(z.string())
    .check(
      z.describe(
        "Compare with this commit or branch (HEAD, main), or a range (main...HEAD); abc123^! shows one commit.",
      ),
    ),
  paths: pathsSchema.check(z.describe("Only these files or folders.")),
  stat_only: z
    .optional(z.boolean())
    .check(z.describe("true: only the number of changed lines per file. Default false.")),
  folder: folderSchema,
});
const logSchema = z.object({
  revision: z
    .optional(z.string())
    .check(z.describe("A branch, a commit or a range such as main..HEAD. Default: HEAD.")),
  paths: pathsSchema.check(z.describe("Only commits that touch these files or folders.")),
  count: z
    .optional(z.int().check(z.minimum(1), z.maximum(200)))
    .check(z.describe(`Default ${DEFAULT_COUNT}.`)),
  full: z
    .optional(z.boolean())
    .check(
      z.describe("true: full messages and changed files. Default false: one line per commit."),
    ),
  folder: folderSchema,
});

/** True where a revision names, by its hash, a file's text or a folder, which have no path. */
async function namesText(
  deps: GitDeps,
  {
    folder,
    revision,
    signal,
  }: Pick<GitCall, "folder" | "signal"> & { revision?: string | undefined },
): Promise<boolean> {
  if (revision === undefined) return false;
  const call = { folder, signal };
  const named = await runGit(deps, { ...call, args: ["rev-parse", "--revs-only", revision] });
  // What names nothing is told by the comparison.
  if (!named.ok) return false;
  for (const line of named.value.stdout.split("\n")) {
    const hash = line.replace(/^\^/, "");
    if (hash === "") continue;
    const args = ["rev-parse", "--quiet", "--verify", `${hash}^{commit}`];
    if (!(await runGit(deps, { ...call, args })).ok) return true;
  }
  return false;
}

/** `git_status`: the branch and the changed files. */
export function createGitStatus(surroundings: GitDeps): Tool {
  return defineTool({
    name: "git_status",
    description:
      "Shows the branch and the changed files, as `XY path`: X staged, Y unstaged (M modified, A added, D deleted, R renamed, ?? untracked).",
    category: "git",
    effect: "read",
    schema: statusSchema,
    maxRetries: 1,
    async execute({ folder }, { signal }) {
      const deps = forOneCall(surroundings);
      const args = ["-c", "status.relativePaths=true", "status", "--short", "--branch"];
      const status = await runGit(deps, { folder, args, inFolder: true, signal });
      if (!status.ok) return status;
      const notes = await submoduleNotes(deps, folder, signal);
      const text = status.value.stdout.trimEnd();
      const isUnchanged = !text.includes("\n") && notes === "";
      const shown = isUnchanged ? `${text}\n${NOTES.nothingChanged}` : text;
      return { ok: true, output: shownOutput(status.value, withNotes(shown, notes)) };
    },
  });
}

/** `git_diff`: changes as a unified diff, without files that may hold keys unless named. */
export function createGitDiff(surroundings: GitDeps): Tool {
  return defineTool({
    name: "git_diff",
    description:
      "Shows changes of tracked files as a unified diff: unstaged, staged, or against a revision.",
    category: "git",
    effect: "read",
    schema: diffSchema,
    maxRetries: 1,
    question: ({ paths = [] }, t) => ({
      summary: t("Read {paths}, some of which may hold keys or passwords", {
        paths: paths.join(", "),
      }),
      look: async () => ({ caution: await readCaution(surroundings.workspace, paths) }),
    }),
    async execute({ staged = false, revision, paths = [], stat_only = false, folder }, { signal }) {
      const refused = refuseOptionName(revision, "revision");
      if (refused) return { ok: false, error: refused };
      const deps = forOneCall(surroundings);
      // HEAD:file compares texts that have no path.
      if (revision?.includes(":") || (await namesText(deps, { folder, revision, signal })))
        return { ok: false, error: toolError("not-a-revision", { parameter: "revision" }) };
      const args = ["diff", "--no-ext-diff", "--no-textconv", "--no-color", "--relative"];
      const what = [...(staged ? ["--cached"] : []), ...(revision === undefined ? [] : [revision])];
      const call = { folder, paths, inFolder: true, signal };
      const list = [...QUOTE_NAMES, ...args, "--name-only", "--no-renames", ...what];
      const listed = await runGit(deps, { ...call, args: list });
      if (!listed.ok) return listed;
      if (listed.value.truncated) return { ok: true, output: NOTES.diffClipped };
      const names = readQuotedNames(listed.value.stdout);
      const allowed = await allowedNames(deps, { ...call, args: list });
      if (!allowed.ok) return allowed;
      const secret = names.filter(
        ({ bytes, text }) => isSecretPath(text) && !allowed.value.has(bytes),
      );
      const left = names.filter((name) => secret.some((each) => patternMeans(each, name)));
      const text = [...args, ...(stat_only ? ["--stat=200"] : []), ...what];
      const except = secret.map(namePattern);
      const diff =
        names.length === 0 ? listed : await runGit(deps, { ...call, args: text, except });
      if (!diff.ok) return diff;
      const { stdout, truncated } = diff.value;
      const cut = truncated ? `\n${NOTES.diffClipped}` : "";
      const note = left.length === 0 ? "" : `\n${NOTES.secretDiff(left.map(({ shown }) => shown))}`;
      // A diff against the index or between revisions has nothing of the work tree.
      const ofWorkTree = !staged && !/\.\.|\^[!@]/.test(revision ?? "");
      const counts = (path: string) => paths.length === 0 || paths.some((at) => isAround(at, path));
      const notes = ofWorkTree ? await submoduleNotes(deps, folder, signal, counts) : "";
      const shown = (stdout.trimEnd() + cut || (notes === "" ? NOTES.noDifferences : "")) + note;
      return { ok: true, output: shownOutput(diff.value, withNotes(shown, notes)) };
    },
  });
}

function withNotes(text: string, notes: string): string {
  return [text, notes].filter((part) => part !== "").join("\n");
}

/** Whether one of two paths is the other or lies in it. */
function isAround(a: string, b: string): boolean {
  const [one, other] = [a, b].map((path) => `${path.replace(/^\.\/|^\.$|\/+$/g, "")}/`);
  return one === "/" || `${one}`.startsWith(`${other}`) || `${other}`.startsWith(`${one}`);
}

/**
 * The names, as bytes, of files that may hold keys and that the user allowed, since the call's
 * paths name exactly them.
 */
async function allowedNames(
  deps: GitDeps,
  call: GitCall & Required<Pick<GitCall, "paths">>,
): Promise<Result<ReadonlySet<string>, ToolError>> {
  const files = await Promise.all(call.paths.map((path) => deps.workspace.resolve(path)));
  const secret = files.flatMap((file) => (file.ok && file.value.secret ? [file.value.path] : []));
  if (secret.length === 0) return ok(new Set<string>());
  const listed = await runGit(deps, { ...call, paths: secret });
  if (!listed.ok) return listed;
  const names = readQuotedNames(listed.value.stdout).filter(({ text }) =>
    secret.some((path) => `/${path}`.endsWith(`/${text}`)),
  );
  return ok(new Set(names.map(({ bytes }) => bytes)));
}

/** `git_log`: commits, newest first. */
export function createGitLog(deps: GitDeps): Tool {
  return defineTool({
    name: "git_log",
    description: "Lists commits, newest first: hash, date, author, subject, branches and tags.",
    category: "git",
    effect: "read",
    schema: logSchema,
    maxRetries: 1,
    async execute(
      { revision, paths = [], count = DEFAULT_COUNT, full = false, folder },
      { signal },
    ) {
      const refused = refuseOptionName(revision, "revision");
      if (refused) return { ok: false, error: refused };
      const line = "%h %as %an: %s%d";
      const format = full
        ? ["--stat=120", `--format=${line}%n%n%w(0,2,2)%b`]
        : [`--format=${line}`];
      const args = [
        "log",
        "--no-ext-diff",
        "--no-textconv",
        "--no-color",
        "--no-show-signature",
        `--max-count=${count}`,
        ...format,
      ];
      if (revision !== undefined) args.push(revision);
      const log = await runGit(deps, {
        folder,
        args,
        paths,
        inFolder: folder !== undefined,
        signal,
      });
      return log.ok ? { ok: true, output: log.value.stdout.trimEnd() || NOTES.noCommits } : log;
    },
  });
}
