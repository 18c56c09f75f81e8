import { execFile } from "node:child_process";
import { rmSync } from "node:fs";
import { appendFile, cp, lstat, readdir, readFile } from "node:fs/promises";
import * as path from "node:path";
import { promisify } from "node:util";
import { tempFolder } from "./tempFolder.ts";

const SETTINGS = [
  "[user]",
  "\tname = Test",
  "\temail = test@example.com",
  "[commit]",
  "\tgpgsign = false",
  // What is committed here is gone before it needs any.
  "[maintenance]",
  "\tauto = false\n",
].join("\n");
const exec = promisify(execFile);

/** Runs git in a repository; returns what it wrote, without blanks around it. */
export type Git = (...args: string[]) => Promise<string>;

/** The `.git` of repositories that git has made, by what is in them. */
const made = new Map<string, string>();

/**
 * Makes the folder `root` a repository with the branch main, an author and one commit of `paths`.
 * Of repositories with the same files git makes only the first, and the others are copies of it.
 */
export async function gitRepository(root: string, ...paths: readonly string[]): Promise<Git> {
  const git: Git = async (...args) => (await exec("git", args, { cwd: root })).stdout.trim();
  const own = path.join(root, ".git");
  const content = await contentOf(root, paths);
  const known = content === null ? undefined : made.get(content);
  if (known !== undefined) {
    await cp(known, own, { recursive: true, preserveTimestamps: true });
    // The files here are others to it.
    if (paths.length > 0) await git("update-index", "-q", "--refresh");
    return git;
  }
  await git("init", "-q", "-b", "main");
  await appendFile(path.join(own, "config"), SETTINGS);
  if (paths.length > 0) {
    await git("add", ...paths);
    await git("commit", "-q", "-m", "First");
  }
  if (content !== null) {
    const { root: kept } = await tempFolder();
    process.once("exit", () => rmSync(kept, { recursive: true, force: true }));
    await cp(own, kept, { recursive: true, preserveTimestamps: true });
    made.set(content, kept);
  }
  return git;
}

/**
 * The files of a folder, and the paths; null where there is a repository or a link among them, or a
 * name that is no UTF-8.
 */
async function contentOf(root: string, paths: readonly string[]): Promise<string | null> {
  const files: (readonly [name: string, mode: number, text: string])[] = [];
  for (const name of (await readdir(root, { recursive: true })).sort()) {
    if (name.includes("\uFFFD")) return null;
    const [file, stat] = [path.join(root, name), await lstat(path.join(root, name))];
    if (path.basename(name) === ".git" || !(stat.isFile() || stat.isDirectory())) return null;
    files.push([name, stat.mode, stat.isFile() ? await readFile(file, "base64") : ""]);
  }
  return JSON.stringify([paths, files]);
}
