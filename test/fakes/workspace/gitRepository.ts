import { execFile } from "node:child_process";
import { appendFile } from "node:fs/promises";
import * as path from "node:path";
import { promisify } from "node:util";

const SETTINGS = [
  "[user]",
  "\tname = Test",
  "\temail = test@example.com",
  "[commit]",
  "\tgpgsign = false\n",
].join("\n");
const exec = promisify(execFile);

/** Runs git in a repository; returns what it wrote, without blanks around it. */
export type Git = (...args: string[]) => Promise<string>;

/**
 * Makes the folder `root` a repository with the branch main, an author and one commit of `paths`.
 */
export async function gitRepository(root: string, ...paths: readonly string[]): Promise<Git> {
  const git: Git = async (...args) => (await exec("git", args, { cwd: root })).stdout.trim();
  await git("init", "-q", "-b", "main");
  await appendFile(path.join(root, ".git/config"), SETTINGS);
  if (paths.length === 0) return git;
  await git("add", ...paths);
  await git("commit", "-q", "-m", "First");
  return git;
}
