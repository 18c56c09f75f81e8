import { existsSync, type Stats } from "node:fs";
import { readdir, readlink, realpath, stat } from "node:fs/promises";
import * as path from "node:path";
import { err, ok, type Result } from "../../base/result.ts";
import { firstPart } from "../../base/text/clip.ts";
import type { GitOutput, GitRefusal } from "../../ports/commands/git.ts";
import type { ProcessFailure } from "../../ports/commands/process.ts";
import { gitWaitsFor, treeWaitsFor } from "./gitWaits.ts";
import { readPlainText } from "./readPlain.ts";

/** The folders in which git may start. Absolute paths. */
export interface GitPlaces {
  readonly folders: readonly string[];
  /**
   * Roots of the repositories that the user has open. Null if nothing tracks them, and then
   * repositories above the workspace are allowed.
   */
  readonly opened: readonly string[] | null;
}

/** A repository in which git may run. */
export interface PlacedRepository {
  /** The folder in which git starts. */
  readonly start: string;
  /** Whether that is the root of its work tree. */
  readonly isTop: boolean;
  readonly top: string;
  /** The folder of its hooks and settings, shared by its work trees. */
  readonly common: string;
  /** Its settings, in the order in which git reads them. */
  readonly settings: readonly GitSetting[];
  /** The workspace folders, as spelled and with links resolved. */
  readonly spellings: readonly { readonly spelled: string; readonly real: string }[];
}

/** A git setting. */
export interface GitSetting {
  /** Whether the repository itself defines it. */
  readonly own: boolean;
  readonly key: string;
  readonly value: string;
}

/** Runs git in a folder such that it cannot start other programs. */
type AskGit = (
  args: readonly string[],
  cwd: string,
) => Promise<Result<GitOutput, ProcessFailure | GitRefusal>>;

/** Maximum number of folders of a repository's data to search for links. */
const MOST_FOLDERS = 40_000;

/**
 * Finds the repository of `folder`. Proves that it belongs to a workspace folder or is open. Also
 * proves that its work tree, refs and objects are its own.
 */
export async function placeRepository(
  folder: string,
  { folders, opened }: GitPlaces,
  git: string,
  ask: AskGit,
): Promise<Result<PlacedRepository, ProcessFailure | GitRefusal>> {
  const real = await realOf(folder);
  const workspace = await Promise.all(folders.map(realOf));
  const known = await Promise.all((opened ?? []).map(realOf));
  const inside = workspace.some((root) => contains(root, real));
  const start = [
    ...workspace,
    ...known.filter(
      (root) =>
        isSamePath(root, real) || (inside && workspace.some((each) => contains(each, root))),
    ),
  ]
    .filter((root) => contains(root, real))
    .sort((a, b) => b.length - a.length)[0];
  if (start === undefined) return err({ code: "repository-not-open", top: real });
  for (let place = real; place !== start; place = path.dirname(place))
    if (existsSync(path.join(place, ".git")))
      return err({ code: "repository-not-open", top: place });

  const around = repositoryAround(start);
  const waiting =
    (await gitWaitsFor(around, { git, inside: (each) => each })) ?? (await treeWaitsFor(around));
  if (waiting !== null) return err({ code: "git-waits", path: waiting });
  const [found, listed] = await Promise.all([
    ask(["rev-parse", "--show-toplevel", "--absolute-git-dir", "--git-common-dir"], start),
    settingsIn(start, ask),
  ]);
  if (!found.ok) return found;
  if (found.value.code !== 0) return err(refusalOf(found.value));
  const lines = found.value.stdout.replace(/\n$/, "").split("\n");
  const [top = "", dir = "", shared = ""] = await Promise.all(
    lines.map((line) => realOf(path.resolve(start, line))),
  );
  if (!isSamePath(top, start)) {
    if (!contains(top, start) || !workspace.includes(start))
      return err({ code: "repository-elsewhere", leads: top });
    if (opened !== null && !known.some((each) => isSamePath(each, top)))
      return err({ code: "repository-not-open", top });
  }
  if (!listed.ok) return listed;
  const settings = listed.value;
  const isOwn = await belongsTo(top, dir, shared, settings);
  const leads = isOwn ? await outwardLink(top, dir, shared) : dir;
  if (leads !== null) return err({ code: "repository-elsewhere", leads });
  const spellings = folders.flatMap((spelled, index) => ({
    spelled,
    real: workspace[index] ?? spelled,
  }));
  return ok({ start, isTop: isSamePath(top, start), top, common: shared, settings, spellings });
}

/** The settings that git finds in a folder, in the order in which it reads them. */
export async function settingsIn(
  folder: string,
  ask: AskGit,
): Promise<Result<readonly GitSetting[], ProcessFailure | GitRefusal>> {
  const listed = await ask(["config", "--list", "-z", "--show-scope"], folder);
  if (!listed.ok) return listed;
  if (listed.value.code !== 0) return err(refusalOf(listed.value));
  // What is not read may name a program.
  return listed.value.truncated
    ? err({ code: "unreadable-repository", detail: "Its settings are too long." })
    : ok(parseGitSettings(listed.value.stdout));
}

/** The nearest folder with a `.git`; the folder itself where none has. */
export function repositoryAround(folder: string): string {
  for (let place = folder; ; place = path.dirname(place)) {
    if (existsSync(path.join(place, ".git"))) return place;
    if (path.dirname(place) === place) return folder;
  }
}

/** Whether a folder with these names in it is what git takes for a repository's data. */
export function isRepositoryData(names: readonly string[]): boolean {
  return ["HEAD", "objects", "refs"].every((each) => names.includes(each));
}

/** Whether `folder` is `inner` or contains it. Both are absolute. */
export function contains(folder: string, inner: string, paths: path.PlatformPath = path): boolean {
  const relative = paths.relative(folder, inner);
  return (
    relative === "" ||
    (relative !== ".." && !relative.startsWith(`..${paths.sep}`) && !paths.isAbsolute(relative))
  );
}

function isSamePath(a: string, b: string): boolean {
  return path.relative(a, b) === "";
}

/**
 * Git has no exit code for a missing repository, so read its message, which is always in English.
 */
function refusalOf({ stderr }: GitOutput): GitRefusal {
  if (/not a git repository/i.test(stderr)) return { code: "not-a-repository" };
  if (/must be run in a work tree|cannot use bare repository/i.test(stderr))
    return { code: "not-a-repository" };
  return { code: "unreadable-repository", detail: gitComplaint(stderr) };
}

/** The most of an error message that is kept, in UTF-16 units. */
const MAX_COMPLAINT = 4_000;

/** Git's errors without its warnings, which quote files named by settings. */
export function gitComplaint(stderr: string): string {
  const said = stderr.split("\n").filter((line) => /^(?:fatal|error|usage): /.test(line));
  return firstPart(said.join("\n"), MAX_COMPLAINT);
}

/**
 * Whether the repository in `dir` belongs to the work tree `top`. It is either its `.git` folder,
 * or one that names this work tree.
 */
async function belongsTo(
  top: string,
  dir: string,
  shared: string,
  settings: readonly GitSetting[],
): Promise<boolean> {
  const entry = path.join(top, ".git");
  if (isSamePath(dir, entry)) return isSamePath(shared, dir);
  if ((await realOf(entry)) !== entry) return false;
  // A submodule, whose settings lead here.
  if (isSamePath(shared, dir))
    return settings.some(({ own, key }) => own && key === "core.worktree");
  // A linked work tree.
  const named = (await readPlainText(path.join(dir, "gitdir"))) ?? "";
  return (
    isSamePath(path.dirname(dir), path.join(shared, "worktrees")) &&
    isSamePath(await realOf(path.resolve(dir, named.replace(/[\r\n]+$/, ""))), entry)
  );
}

/**
 * A link or alternates entry that makes the repository read foreign refs or objects, or write files
 * elsewhere. Null if there is none.
 */
async function outwardLink(top: string, dir: string, shared: string): Promise<string | null> {
  const folders = [...new Set([dir, shared])];
  for (const place of folders) {
    const link = await linkBelow(place, folders, isContent);
    if (link !== null) return link;
  }
  const stores = [path.join(shared, "objects")];
  for (const objects of stores) {
    const link = await linkBelow(objects, [top, ...folders]);
    if (link !== null) return link;
    const list = path.join(objects, "info", "alternates");
    const borrowed = await readPlainText(list);
    // Git reads more than this: what is not understood may lead anywhere.
    if (borrowed === null ? existsSync(list) : /^"|\0/m.test(borrowed)) return list;
    for (const line of (borrowed ?? "").split("\n")) {
      if (line === "" || line.startsWith("#")) continue;
      const store = await realOf(path.resolve(objects, line));
      if (![top, ...folders].some((folder) => contains(folder, store))) return store;
      if (!stores.includes(store)) stores.push(store);
    }
  }
  return null;
}

/**
 * What git keeps in a repository folder: commits, and how far a commit, a rebase and the like are.
 * It quotes these, and writes to them. https://git-scm.com/docs/gitrepository-layout
 */
const CONTENT = new RegExp(
  [
    String.raw`^(?:objects|(?:[A-Z_]+|packed-refs|refs|index|sharedindex\.[^/]*|logs|reftable|worktrees`,
    String.raw`|commondir|gitdir|shallow|rebase-[^/]*|sequencer|rr-cache|gc\.(?:log|pid)|info)(?:/.*)?)$`,
  ].join(""),
);
/** Rules, which it neither quotes nor writes. They, hooks and settings may be links. */
const RULES = /^info\/(?:exclude|attributes)$/;

/** Whether a path in a repository folder, relative to it, must not lead elsewhere. */
function isContent(relative: string): boolean {
  const own = relative.replace(/^worktrees\/[^/]+(?:\/|$)/, "");
  return own === "" || (CONTENT.test(own) && !RULES.test(own));
}

/**
 * A link in or below a folder that leads out of `folders`, among the paths that count. Too many
 * folders count as a link.
 */
async function linkBelow(
  folder: string,
  folders: readonly string[],
  counts: (relative: string) => boolean = () => true,
): Promise<string | null> {
  const open = [""];
  for (const above of open) {
    if (open.length > MOST_FOLDERS) return path.join(folder, above);
    const entries = await readdir(path.join(folder, above), { withFileTypes: true }).catch(
      () => [],
    );
    for (const entry of entries) {
      const relative = above === "" ? entry.name : `${above}/${entry.name}`;
      if (entry.isFile() || !counts(relative)) continue;
      const place = path.join(folder, relative);
      if (entry.isDirectory()) open.push(relative);
      else if (entry.isSymbolicLink()) {
        const target = await targetOf(place);
        if (!folders.some((each) => contains(each, target))) return place;
      }
    }
  }
  return null;
}

/** The most links that follow each other, as in Linux. */
const MOST_LINKS = 40;

/** The absolute path to which a link leads, also where nothing is there that git could still make. */
async function targetOf(link: string, left = MOST_LINKS): Promise<string> {
  const there = await realpath(link).catch(() => null);
  const said = there === null && left > 0 ? await readlink(link).catch(() => null) : null;
  if (said === null) return there ?? link;
  // Not normalized: after a link, `..` is above its target.
  const named = path.isAbsolute(said) ? said : `${path.dirname(link)}${path.sep}${said}`;
  const above = await realpath(path.dirname(named)).catch(() => null);
  return above === null ? link : targetOf(path.join(above, path.basename(named)), left - 1);
}

/** Parses settings in the form scope, NUL, key, newline, value, NUL. */
function parseGitSettings(text: string): readonly GitSetting[] {
  const parts = text.split("\0");
  const settings: GitSetting[] = [];
  for (let at = 0; at + 1 < parts.length; at += 2) {
    const [scope = "", line = ""] = [parts[at], parts[at + 1]];
    const end = line.indexOf("\n");
    const [key, value] = end < 0 ? [line, "true"] : [line.slice(0, end), line.slice(end + 1)];
    // Those of this run, which switch things off, say nothing of the repository.
    if (scope === "command") continue;
    settings.push({
      own: scope !== "system" && scope !== "global",
      key,
      value,
    });
  }
  return settings;
}

/** The absolute path with links resolved, or unresolved if it does not exist. */
async function realOf(file: string): Promise<string> {
  return realpath(file).catch(() => path.resolve(file));
}

/** Hooks that a commit or a branch switch runs. */
const HOOKS = [
  ...[
    "pre-commit",
    "prepare-commit-msg",
    "commit-msg",
    "post-commit",
    "post-checkout",
    "post-index-change",
    "reference-transaction",
  ],
  ...["pre-auto-gc", "post-rewrite", "fsmonitor-watchman"],
];
/** What Git for Windows adds to the name of a hook: `STRIP_EXTENSION` in its hook.c. */
const ENDINGS = process.platform === "win32" ? ["", ".exe"] : [""];
/** Settings through which git starts programs on a commit or a branch switch. */
const PROGRAM_SETTING = new RegExp(
  [
    String.raw`^(?:filter\..*\.(?:clean|smudge|process)|gpg\.(?:.*\.)?(?:program|defaultkeycommand)`,
    String.raw`merge\..*\.driver|diff\.(?:external|.*\.(?:command|textconv))|trailer\..*\.(?:command|cmd)`,
    String.raw`core\.(?:sshcommand|gitproxy|alternaterefscommand)|credential\.(?:.*\.)?helper`,
    String.raw`remote\..*\.(?:vcs|uploadpack)|submodule\..*\.update|`,
    // Of Git LFS, which the user's own filter starts.
    String.raw`lfs\.(?:customtransfer\..*\.path|extension\..*\.(?:clean|smudge))|`,
    // Hooks by settings, of git 2.54, and what cleaning up after a commit asks.
    String.raw`hook\..*\.command|gc\.recentobjectshook)$`,
  ].join("|"),
  // Git LFS reads the middle of a name without case, too.
  "is",
);
/** An address of another protocol than git's own, for which it starts a helper. */
const HELPER = /^[\w+.-]+::/;

function namesProgram({ key, value }: GitSetting): boolean {
  const used = /^remote\..*\.(?:push)?url$/s.test(key) ? value : "";
  const replaced = /^url\.(.*)\.(?:push)?insteadof$/s.exec(key)?.[1] ?? "";
  return PROGRAM_SETTING.test(key) || HELPER.test(used) || HELPER.test(replaced);
}

/** Git finds a path in its settings from the top of the work tree, and knows `~` and `%(prefix)`. */
async function hooksFolder(
  top: string,
  common: string,
  settings: readonly GitSetting[],
  ask: AskGit,
): Promise<string> {
  const value = settings.findLast(({ key }) => key === "core.hookspath")?.value;
  if (value === undefined) return path.join(common, "hooks");
  if (!/^[~%:]/.test(value)) return path.resolve(top, value);
  const read = ["config", "--type=path", "--default", value, "--get", "graft.none"];
  const meant = await ask(read, top);
  return path.resolve(top, meant.ok ? meant.value.stdout.replace(/\n$/, "") : value);
}

/** The hooks that may run, and the repository's own settings that name programs. */
export async function programsOf(
  { top, common, settings }: PlacedRepository,
  ask: AskGit,
): Promise<readonly string[]> {
  const folder = await hooksFolder(top, common, settings, ask);
  const hooks: string[] = [];
  for (const hook of HOOKS) {
    const files = ENDINGS.map((ending) => path.join(folder, hook + ending));
    const found = await Promise.all(files.map((file) => stat(file).catch(() => null)));
    const runs = (each: Stats) => process.platform === "win32" || (each.mode & 0o111) !== 0;
    if (found.some((each) => each?.isFile() && runs(each))) hooks.push(hook);
  }
  return [
    ...hooks,
    ...new Set(
      settings.flatMap((setting) => (setting.own && namesProgram(setting) ? [setting.key] : [])),
    ),
  ];
}
