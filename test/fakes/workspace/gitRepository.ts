import { execFile } from "node:child_process";
import { promisify } from "node:util";

const exec = promisify(execFile);

/** Runs git in a repository; returns what it wrote, without blanks around it. */
export type Git = (...args: string[]) => Promise<string>;

/**
 * Makes the folder `root` a repository with the branch main, an author and one commit of `paths`.
 */
export async function gitRepository(root: string, ...paths: readonly string[]): Promise<Git> {
  const git: Git = async (...args) => (await exec("git", args, { cwd: root })).stdout.trim();
  await git("init", "-q", "-b", "main");
  const settings = {
    "user.name": "Test",
    "user.email": "test@example.com",
    "commit.gpgsign": "false",
  };
  for (const [key, value] of Object.entries(settings)) await git("config", key, value);
  if (paths.length === 0) return git;
  await git("add", ...paths);
  await git("commit", "-q", "-m", "First");
  return git;
}
