import * as z from "zod/mini";
import { pluralize } from "../../base/text/sentence.ts";
import type { WorkspaceFiles } from "../../ports/workspaceFiles.ts";
import { defineTool } from "../defineTool.ts";
import { fileToolError } from "../files/fileToolError.ts";
import { NOTES } from "../notes.ts";
import type { Tool } from "../tool.ts";

const MAX_FILES = 20_000;
const DEFAULT_DEPTH = 3;
/** The longest tree, in UTF-16 units. */
const BUDGET = 24_000;

const schema = z.object({
  path: z.optional(z.string()).check(z.describe("The folder to start at. Default: the workspace.")),
  depth: z
    .optional(z.int().check(z.minimum(1), z.maximum(20)))
    .check(z.describe(`Levels to show; deeper folders are counted. Default ${DEFAULT_DEPTH}.`)),
});

/** `get_file_tree`: folders and files as an indented tree. */
export function createGetFileTree(files: WorkspaceFiles): Tool {
  return defineTool({
    name: "get_file_tree",
    description:
      "Shows the folders and files under a folder as a tree, without ignored files. A good start in an unfamiliar workspace.",
    category: "file",
    effect: "read",
    maxRetries: 2,
    schema,
    async execute({ path = "", depth = DEFAULT_DEPTH }, { signal }) {
      const there = /^[./]*$/.test(path) && !path.includes("..") ? null : await files.stat(path);
      if (there && !there.ok) return fileToolError(there.error);
      const folder = there?.value.file.path ?? "";
      const found = await files.find({ folder, glob: null, limit: MAX_FILES }, signal);
      if (!found.ok) return fileToolError(found.error);
      const { paths, truncated } = found.value;
      if (paths.length === 0) return { ok: true, output: NOTES.noFiles };
      const more = truncated
        ? [NOTES.onlyFirst(paths.length, "files were counted", "Name a folder.")]
        : [];
      return { ok: true, output: [drawFileTree(paths, folder, depth, BUDGET), ...more].join("\n") };
    },
  });
}

interface Folder {
  readonly folders: Map<string, Folder>;
  readonly files: string[];
  /** Files in it at any depth. */
  count: number;
}

/**
 * Draws `paths` under `root` as a tree, folders first, to `depth` levels, or fewer to fit into
 * `budget` UTF-16 units.
 */
function drawFileTree(
  paths: readonly string[],
  root: string,
  depth: number,
  budget: number,
): string {
  const tree = emptyFolder();
  const skip = root === "" ? 0 : root.split("/").length;
  for (const path of paths) addPath(tree, path.split("/").slice(skip));
  const head = `${root || "."}/ (${pluralize(tree.count, "file")})`;
  for (let levels = depth; ; levels--) {
    const lines = [head, ...drawnFolder(tree, 1, levels)];
    const text = lines.join("\n");
    if (text.length <= budget)
      return levels === depth ? text : `${text}\n${NOTES.onlyLevels(levels)}`;
    if (levels <= 1) return cut(lines, budget);
  }
}

function emptyFolder(): Folder {
  return { folders: new Map(), files: [], count: 0 };
}

function addPath(tree: Folder, segments: readonly string[]): void {
  let folder = tree;
  folder.count += 1;
  for (const name of segments.slice(0, -1)) {
    const next = folder.folders.get(name) ?? emptyFolder();
    folder.folders.set(name, next);
    next.count += 1;
    folder = next;
  }
  folder.files.push(segments.at(-1) ?? "");
}

function drawnFolder(folder: Folder, level: number, depth: number): string[] {
  const indent = "  ".repeat(level);
  const folders = [...folder.folders].flatMap(([name, inner]) =>
    level >= depth
      ? [`${indent}${name}/ (${pluralize(inner.count, "file")})`]
      : [`${indent}${name}/`, ...drawnFolder(inner, level + 1, depth)],
  );
  return [...folders, ...folder.files.map((name) => indent + name)];
}

function cut(lines: readonly string[], budget: number): string {
  const kept: string[] = [];
  let size = 0;
  for (const line of lines) {
    size += line.length + 1;
    if (size > budget) break;
    kept.push(line);
  }
  return [
    ...kept,
    NOTES.omitted(lines.length - kept.length, "Use find_files, or name a folder."),
  ].join("\n");
}
