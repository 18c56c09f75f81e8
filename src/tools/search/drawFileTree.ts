import { pluralize } from "../../base/text/pluralize.ts";
import { NOTES } from "../messages.ts";

interface Folder {
  readonly folders: Map<string, Folder>;
  readonly files: string[];
  /** Files in it at any depth. */
  count: number;
}

/** Draws `paths` under `root` as a tree, folders first, to `depth` levels, or fewer to fit into `budget` UTF-16 units. */
export function drawFileTree(paths: readonly string[], root: string, depth: number, budget: number): string {
  const tree = emptyFolder();
  const skip = root === "" ? 0 : root.split("/").length;
  for (const path of paths) add(tree, path.split("/").slice(skip));
  const head = `${root || "."}/ (${pluralize(tree.count, "file")})`;
  for (let levels = depth; ; levels--) {
    const lines = [head, ...drawn(tree, 1, levels)];
    const text = lines.join("\n");
    if (text.length <= budget) return levels === depth ? text : `${text}\n${NOTES.onlyLevels(levels)}`;
    if (levels <= 1) return cut(lines, budget);
  }
}

function emptyFolder(): Folder {
  return { folders: new Map(), files: [], count: 0 };
}

function add(tree: Folder, segments: readonly string[]): void {
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

function drawn(folder: Folder, level: number, depth: number): string[] {
  const indent = "  ".repeat(level);
  const folders = [...folder.folders].flatMap(([name, inner]) =>
    level >= depth ? [`${indent}${name}/ (${pluralize(inner.count, "file")})`] : [`${indent}${name}/`, ...drawn(inner, level + 1, depth)],
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
  return [...kept, NOTES.omitted(lines.length - kept.length, "Use find_files, or name a folder.")].join("\n");
}
