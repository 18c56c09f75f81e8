import * as z from "zod/mini";
import { type FileRef, readPath, type Workspace } from "../../ports/workspace.ts";
import { clipText } from "../../tools/results/clippedResults.ts";
import type { Turn } from "../../turns/turn.ts";
import { clippedRules } from "../messages.ts";

/**
 * A file with a workspace's rules for coding assistants (https://agents.md): its path and its text,
 * or its beginning.
 */
export interface Rules {
  readonly path: string;
  readonly text: string;
}

/** UTF-16 units of one file that the model sees. */
const MAX_LENGTH = 16_000;
/** Files to look for in one turn. */
const MAX_FILES = 200;

/**
 * Returns the rules for work on the files `paths`, from the workspace's root to the nearest folder.
 * Never rejects.
 */
type ReadRules = (paths: readonly string[], signal: AbortSignal) => Promise<readonly Rules[]>;

/**
 * Reads `.github/copilot-instructions.md` and `AGENTS.md`, each once. An untrusted workspace has no
 * rules.
 */
export function createRulesReader(workspace: Workspace): ReadRules {
  const files = new Map<string, Promise<FileRef | null>>();
  const rules = new Map<string, Promise<Rules | null>>();
  const locate = async (path: string) => {
    const file = await workspace.resolve(path);
    return file.ok ? file.value : null;
  };
  const read = async (path: string, signal: AbortSignal) => {
    const snapshot = await readPath(workspace, path, signal);
    return snapshot.ok && snapshot.value.text.trim() !== ""
      ? { path, text: beginning(snapshot.value.text) }
      : null;
  };
  return async (paths, signal) => {
    const { folders, trusted } = workspace;
    if (!trusted || folders.length === 0) return [];
    const touched = await Promise.all(paths.map((path) => kept(files, path, () => locate(path))));
    const names = rulesFiles(
      folders,
      touched.flatMap((file) => (file ? [file.path] : [])),
    );
    const found = await Promise.all(
      names.map((name) => kept(rules, name, () => read(name, signal))),
    );
    return found.flatMap((one) => one ?? []);
  };
}

/** The files that turns touch: in requests, calls and edits. */
export function touchedPaths(turns: readonly Turn[]): readonly string[] {
  const paths = turns.flatMap((turn) => {
    if (turn.role === "user")
      return [turn.activeFile, turn.editFile, ...(turn.attachments ?? []).map(({ path }) => path)];
    const calls = [...turn.toolCalls.values()].flatMap(({ input }) => argumentPaths(input));
    return [...calls, ...[...turn.edits.values()].map(({ path }) => path)];
  });
  return [...new Set(paths.flatMap((path) => path ?? []))];
}

const argumentsSchema = z.object({
  file_path: z.catch(z.string(), ""),
  path: z.catch(z.string(), ""),
  file_paths: z.catch(z.array(z.string()), []),
});

function argumentPaths(input: unknown): readonly string[] {
  const { data } = argumentsSchema.safeParse(input);
  return data ? [data.file_path, data.path, ...data.file_paths].filter((path) => path !== "") : [];
}

function rulesFiles(folders: readonly string[], paths: readonly string[]): readonly string[] {
  const roots = folders.length > 1 ? folders.map((folder) => `${folder}/`) : [""];
  const nested = paths.flatMap((path) =>
    path
      .split("/")
      .slice(0, -1)
      .map((_, index, all) => `${all.slice(0, index + 1).join("/")}/AGENTS.md`),
  );
  const nearestLast = [...new Set(nested)].sort(
    (a, b) => a.split("/").length - b.split("/").length,
  );
  const general = roots.flatMap((root) => [
    `${root}.github/copilot-instructions.md`,
    `${root}AGENTS.md`,
  ]);
  return [...new Set([...general, ...nearestLast])].slice(0, MAX_FILES);
}

function beginning(text: string): string {
  const { text: start, end, length } = clipText(text, 0, MAX_LENGTH);
  return end === length ? text.trim() : clippedRules(start, length - end);
}

function kept<T>(known: Map<string, T>, key: string, make: () => T): T {
  const value = known.get(key) ?? make();
  known.set(key, value);
  return value;
}
