import type { Program } from "../../ports/commands/process.ts";
import { childEnvironment, ownVariables } from "./childEnvironment.ts";

/**
 * Settings for every run. Git finds a repository only by its `.git`, never as a committed bare
 * repository, and stays out of submodules, which have settings of their own.
 */
const ALWAYS = [
  "safe.bareRepository=explicit",
  "core.fsmonitor=false",
  "submodule.recurse=false",
  "core.quotePath=false",
  "color.ui=false",
];
/** Settings for a read-only run. */
const READING = [
  ...[
    "core.hooksPath=/dev/null",
    "log.showSignature=false",
    "log.diffMerges=off",
    "diff.submodule=short",
  ],
  "status.submoduleSummary=false",
  // Some versions ask this address for missing objects, whatever protocols are allowed.
  "fetch.bundleURI=",
];
/** Variables for a read-only run. No protocol is allowed, so git cannot fetch missing objects. */
const READING_ENVIRONMENT = {
  GIT_ALLOW_PROTOCOL: "",
  GIT_NO_LAZY_FETCH: "1",
  GIT_OPTIONAL_LOCKS: "0",
};
/**
 * Settings for a run that changes something, also for its hooks, which may fetch. No address of a
 * repository is a command line.
 */
const CHANGING = ["protocol.ext.allow=never"];

/** How git runs. */
export interface GitRun {
  /** The absolute path of git. */
  readonly git: string;
  readonly args: readonly string[];
  /** An absolute path. */
  readonly cwd: string;
  /** Further settings, as `key=value`. */
  readonly config?: readonly string[];
  /** Where git finds the programs that it starts by their names; by default the user's PATH. */
  readonly PATH?: string | undefined;
  /** Paths are patterns then, which each need git's magic to be literal. */
  readonly patterns?: boolean;
}

/** A program with all of its environment. */
export interface GitProgram extends Program {
  readonly env: Readonly<Record<string, string | undefined>>;
}

/**
 * Git, reading only. It starts no program that a repository names: no hook, filter, pager or
 * monitor, and nothing that fetches what the repository lacks.
 */
export function gitReading(run: GitRun): GitProgram {
  const { git, args, cwd, config = [], PATH, patterns = false } = run;
  return {
    ...gitWith(git, [...ALWAYS, ...READING, ...config], args, cwd),
    env: {
      ...gitEnvironment([], PATH),
      ...READING_ENVIRONMENT,
      ...(patterns && { GIT_LITERAL_PATHSPECS: "0" }),
    },
  };
}

/** Git, changing something, with the repository's hooks, which get the `wanted` secrets. */
export function gitChanging(
  { git, args, cwd, PATH }: Pick<GitRun, "git" | "args" | "cwd" | "PATH">,
  wanted: readonly string[],
): GitProgram {
  return {
    ...gitWith(git, [...ALWAYS, ...CHANGING], args, cwd),
    env: gitEnvironment(wanted, PATH),
  };
}

function gitWith(
  git: string,
  config: readonly string[],
  args: readonly string[],
  cwd: string,
): Program {
  const settings = config.flatMap((setting) => ["-c", setting]);
  return { file: git, args: ["--no-pager", "--no-optional-locks", ...settings, ...args], cwd };
}

/**
 * Keeps only the identity among git's own variables. Others would redirect it or name programs.
 * Prompts fail immediately.
 */
function gitEnvironment(
  wanted: readonly string[],
  PATH: string | undefined,
): Record<string, string | undefined> {
  const kept = Object.entries(ownVariables(childEnvironment(wanted).variables)).filter(
    ([name]) => !/^GIT_/i.test(name) || /^GIT_(AUTHOR|COMMITTER)_(NAME|EMAIL|DATE)$/.test(name),
  );
  return {
    ...Object.fromEntries(kept),
    ...(PATH !== undefined && { PATH }),
    LC_ALL: "C",
    GIT_PAGER: "cat",
    GIT_EDITOR: "true",
    GIT_ASKPASS: "true",
    SSH_ASKPASS: "true",
    GIT_TERMINAL_PROMPT: "0",
    GIT_LITERAL_PATHSPECS: "1",
  };
}
