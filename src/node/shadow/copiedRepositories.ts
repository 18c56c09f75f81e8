import { realpath } from "node:fs/promises";
import * as path from "node:path";
import type { ShadowProblem } from "../../ports/commands/shadow.ts";
import { gitAnswer } from "../processes/gitAnswer.ts";
import { gitReading } from "../processes/gitProgram.ts";
import { contains } from "../processes/gitRepository.ts";
import { gitWaitsFor, MOST_GIT_MS } from "../processes/gitWaits.ts";
import { readPlainText } from "../processes/readPlain.ts";
import type { CopyLayout } from "./copyLayout.ts";
import type { Mark } from "./copyManifest.ts";

/** Files by which git finds a repository's data and files. */
const LEADING = /^(?:\.git|HEAD|config|config\.worktree|commondir|gitdir|alternates)$/;

/** Tells which paths of a folder are a repository's own data, by what is in the folder. */
export function repositoryData(
  folder: string,
  marks: ReadonlyMap<string, Mark>,
): (relative: string) => boolean {
  const isData =
    folder.split(path.sep).includes(".git") || (marks.has("HEAD") && marks.has("objects"));
  return (relative) => isData || relative.split(path.sep).includes(".git");
}

/** True where a change of this path of a repository may change where git looks and writes. */
export function isLeading(relative: string): boolean {
  return LEADING.test(path.basename(relative));
}

/**
 * The text of a file in which git names a folder by an absolute path, with the copy's path. Null
 * for one that names a folder elsewhere, undefined for other files.
 */
export async function pointerText(
  source: string,
  layout: CopyLayout,
): Promise<string | null | undefined> {
  const name = path.basename(source);
  const isTree = path.basename(path.dirname(path.dirname(source))) === "worktrees";
  if (name !== ".git" && !(name === "gitdir" && isTree)) return undefined;
  const text = (await readPlainText(source)) ?? "";
  const [, key = "", named = ""] = /^(gitdir: |)(.*)$/m.exec(text) ?? [];
  if (!path.isAbsolute(named)) return undefined;
  const real = await realpath(named).catch(() => named);
  const copy = layout.copyOf(real);
  return copy === null ? null : `${key}${copy.replaceAll(path.sep, "/")}\n`;
}

/**
 * Asks git itself where each repository in the copies has its data and files. The problem names the
 * first one that is not in a copy whole. `tops` are the copies of folders with a `.git`.
 */
export async function repositoryOutside(
  git: string | null,
  tops: readonly string[],
  layout: CopyLayout,
): Promise<ShadowProblem | null> {
  if (git === null) return null;
  const copies = await Promise.all(layout.folders.map(({ copy }) => realpath(copy)));
  for (const top of tops) {
    const source = layout.sourceOf(top) ?? top;
    const inside = (place: string) => layout.copyOf(place) ?? place;
    const waiting = await gitWaitsFor(source, { git, inside });
    if (waiting !== null) return { code: "git-waits", detail: "", path: waiting };
    const places = await placesOf(git, top);
    if (places === null) return { code: "git-silent", detail: "", path: source };
    for (const place of places) {
      const real = await realpath(path.resolve(top, place)).catch(() => null);
      if (real !== null && !copies.some((copy) => contains(copy, real)))
        return outsideProblem(source, real);
    }
  }
  return null;
}

export function outsideProblem(repository: string, leads: string): ShadowProblem {
  return { code: "repository-outside", detail: leads, path: repository };
}

/** Where git has a repository's data, and its files if it gets that far; null where it waits. */
async function placesOf(git: string, top: string): Promise<readonly string[] | null> {
  const asked = ["--absolute-git-dir", "--git-common-dir", "--git-path", "objects"];
  const args = ["rev-parse", ...asked, "--show-toplevel"];
  const said = await gitAnswer(gitReading({ git, args, cwd: top }), MOST_GIT_MS);
  return said?.split("\n").filter((line) => line !== "") ?? null;
}
