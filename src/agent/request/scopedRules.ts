import { boundedIgnore } from "../../base/boundedIgnore.ts";
import { fieldList, fieldText, readFrontMatter } from "../../base/text/frontMatter.ts";
import { readPath, type Workspace } from "../../ports/workspace.ts";
import { matchingFiles } from "./foundFiles.ts";

/** A rule of Cursor or Cline. */
export interface ScopedRule {
  readonly path: string;
  readonly text: string;
  /** Whether it counts for work on these files, by their paths below its root. */
  fits(paths: readonly string[]): boolean;
}

/**
 * The rules in `.cursor/rules` and `.clinerules` below `root`. One counts always where it says so
 * or names no files; one of Cursor that names none and is not for always is left to the user.
 */
export async function findScopedRules(
  workspace: Workspace,
  root: string,
  signal: AbortSignal,
): Promise<readonly ScopedRule[]> {
  const [cursor, cline] = await Promise.all([
    matchingFiles(workspace, `${root}.cursor/rules`, /\.mdc$/i, signal),
    matchingFiles(workspace, `${root}.clinerules`, /\.(?:md|txt)$/i, signal),
  ]);
  const found = await Promise.all([
    ...cursor.map((path) => readRule(workspace, path, "globs", signal)),
    ...cline.map((path) => readRule(workspace, path, "paths", signal)),
  ]);
  return found.flatMap((rule) => rule ?? []);
}

async function readRule(
  workspace: Workspace,
  path: string,
  scope: "globs" | "paths",
  signal: AbortSignal,
): Promise<ScopedRule | null> {
  const read = await readPath(workspace, path, signal);
  if (!read.ok || read.value.text.trim() === "") return null;
  const matter = readFrontMatter(read.value.text);
  // Whom it is for cannot be read, so it is told as it is.
  if (matter === null) return { path, text: read.value.text, fits: () => true };
  const globs = fieldList(matter, scope) ?? [];
  const isAlways =
    fieldText(matter, "alwaysapply") === "true" || (scope === "paths" && globs.length === 0);
  const matcher = boundedIgnore(globs);
  const matches = (file: string) => globs.length > 0 && matcher.test(file).ignored;
  return { path, text: matter.body, fits: (paths) => isAlways || paths.some(matches) };
}
