import { spawnSync } from "node:child_process";
import fs from "node:fs";
import os from "node:os";
import path from "node:path";
import { root } from "../../harness/root.mjs";
import { type BenchFolder, runCheck, writeFiles } from "./inventedGround.ts";
import type { CommitFile } from "./plantedFault.ts";

/** A commit of this repository that changes code and its unit tests. */
export interface HistoryCommit {
  readonly id: string;
  readonly files: readonly CommitFile[];
}

const TEST = /^test\/unit\/.*\.test\.ts$/;
/** The most tests of a commit that are its check. */
const MOST_TESTS = 4;

function git(...args: readonly string[]): string {
  const { stdout } = spawnSync("git", [...args], {
    cwd: root,
    encoding: "utf8",
    maxBuffer: 1_000_000_000,
  });
  return stdout;
}

/** Why there are no commits to measure with, or null. */
export function noHistory(): string | null {
  const shallow = git("rev-parse", "--is-shallow-repository").trim();
  return shallow === "false" ? null : "this is no full clone";
}

/** The commits with code and tests, newest first, each read when it is asked for. */
export function* historyCommits(): Generator<HistoryCommit> {
  for (const id of git("rev-list", "--no-merges", "HEAD").split("\n").filter(Boolean)) {
    const names = git("diff-tree", "-r", "--no-renames", "--name-only", "--no-commit-id", id)
      .split("\n")
      .filter((name) => /^(?:src|test)\/.*\.ts$/.test(name));
    const tests = names.filter((name) => TEST.test(name)).length;
    if (tests === 0 || tests > MOST_TESTS || !names.some((name) => name.startsWith("src/")))
      continue;
    const files = names.map((name) => {
      return {
        path: name,
        before: git("show", `${id}^:${name}`),
        after: git("show", `${id}:${name}`),
      };
    });
    yield { id, files };
  }
}

/** The tree before a commit, in which the unit tests that the commit changes are the check. */
export function historyGround({ id, files }: HistoryCommit): BenchFolder {
  const folder = fs.mkdtempSync(path.join(os.tmpdir(), "graft-history-"));
  const archive = path.join(folder, "tree.tar");
  git("archive", "-o", archive, `${id}^`);
  spawnSync("tar", ["-xf", archive, "-C", folder]);
  fs.rmSync(archive);
  fs.symlinkSync(path.join(root, "node_modules"), path.join(folder, "node_modules"));
  const tests = files.map((file) => file.path).filter((name) => TEST.test(name));
  return {
    async check(changed) {
      writeFiles(folder, changed);
      const present = tests.filter((name) => fs.existsSync(path.join(folder, name)));
      if (present.length === 0) return { passed: true, output: "" };
      const mocha = path.join("node_modules", "mocha", "bin", "mocha.js");
      return runCheck(process.execPath, [mocha, "--exit", ...present], folder);
    },
    read: async (at) => fs.promises.readFile(path.join(folder, at), "utf8").catch(() => null),
    remove: () => fs.rmSync(folder, { recursive: true }),
  };
}
