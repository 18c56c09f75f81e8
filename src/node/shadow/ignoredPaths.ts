import type { ChildProcess } from "node:child_process";
import { homedir } from "node:os";
import * as path from "node:path";
import { withDeadline } from "../../base/deadline.ts";
import type { CommandPlace } from "../../ports/commands/process.ts";
import { gitAnswer } from "../processes/gitAnswer.ts";
import { gitReading } from "../processes/gitProgram.ts";
import { MOST_GIT_MS } from "../processes/gitWaits.ts";
import { spawnProgram } from "../processes/spawnProgram.ts";

/** Folders that no repository shows, where none says so. */
const CACHES = /^(?:node_modules|\.venv|venv|__pycache__|\.cache|\.gradle|target)$/;
/** What git writes for a path: the rule's file, line and pattern, and the path. */
const FIELDS = 4;

/** Tells which paths git would not show. Ask nothing after `end`. */
export interface IgnoredPaths {
  /**
   * For each path, relative to the folder; of a folder with a slash at its end. Null where git gave
   * no answer in time, since it waits for something.
   */
  areIgnored(paths: readonly string[]): Promise<readonly boolean[] | null>;
  end(): void;
}

/**
 * The ignore rules of the repository at `folder`, as a shadow has them. Without git, or where git
 * takes it for no repository, only well-known caches are ignored. `rulesFile` is the user's, as
 * {@link userRules} gives it: a repository may be a command's, and what is ignored would tell what is
 * in the file that it names.
 */
export function ignoredPaths(
  git: string | null,
  folder: string,
  place: CommandPlace,
  rulesFile: string,
): IgnoredPaths {
  if (git === null) return cachesOnly;
  const args = ["check-ignore", "--stdin", "-z", "--verbose", "--non-matching"];
  // It knows no literal paths.
  const config = [`core.excludesFile=${rulesFile}`];
  const program = gitReading({ git, args, cwd: folder, config, patterns: true });
  const child = spawnProgram(place.enter(program), {
    stdio: ["pipe", "pipe", "ignore"],
    env: program.env,
  });
  const answers = readFields(child);
  let isLate = false;
  return {
    async areIgnored(paths) {
      if (paths.length === 0) return [];
      // Git reads a path that begins with a colon as a pattern.
      child.stdin?.write(paths.map((each) => `./${each}\0`).join(""));
      const answered = isLate ? null : await inTime(answers(paths.length * FIELDS));
      if (answered === null) {
        isLate = true;
        // What runs in the shadow ends with it.
        child.kill("SIGKILL");
        return null;
      }
      const { fields } = answered;
      if (fields === null) return cachesOnly.areIgnored(paths);
      return paths.map((_, at) => {
        const pattern = fields[at * FIELDS + 2] ?? "";
        return pattern !== "" && !pattern.startsWith("!");
      });
    },
    end() {
      child.stdin?.end();
    },
  };
}

/**
 * The file with the user's own ignore rules for all repositories, "" for none. `folder` is any
 * absolute path. https://git-scm.com/docs/git-config#Documentation/git-config.txt-coreexcludesFile
 */
export async function userRules(git: string, folder: string): Promise<string> {
  const args = ["config", "-z", "--path", "--get", "core.excludesFile"];
  // Elsewhere: a repository's own settings would count.
  const cwd = path.parse(folder).root;
  const said = await gitAnswer(gitReading({ git, args, cwd }), MOST_GIT_MS);
  if (said?.endsWith("\0")) return said.slice(0, -1);
  const settings = process.env.XDG_CONFIG_HOME || path.join(homedir(), ".config");
  return path.join(settings, "git", "ignore");
}

/** Null where it takes too long. */
async function inTime<T>(answer: Promise<T>): Promise<{ readonly fields: T } | null> {
  const answered = await withDeadline(new AbortController().signal, MOST_GIT_MS, () => answer);
  return answered.ok ? { fields: answered.value } : null;
}

const cachesOnly: IgnoredPaths = {
  areIgnored: async (paths) => paths.map((each) => CACHES.test(path.basename(each))),
  end() {},
};

/** Reads as many fields as asked for, in order; null where the program is gone. */
function readFields(child: ChildProcess): (count: number) => Promise<string[] | null> {
  const read: string[] = [];
  let rest = "";
  let isOver = false;
  let wake: () => void = () => undefined;
  child.stdin?.on("error", () => undefined);
  child.stdout?.setEncoding("utf8").on("data", (text: string) => {
    const parts = (rest + text).split("\0");
    rest = parts.pop() ?? "";
    read.push(...parts);
    wake();
  });
  for (const event of ["close", "error"])
    child.once(event, () => {
      isOver = true;
      wake();
    });
  return async (count) => {
    while (read.length < count && !isOver)
      await new Promise<void>((resolve) => {
        wake = resolve;
      });
    return read.length < count ? null : read.splice(0, count);
  };
}
