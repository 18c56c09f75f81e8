import * as z from "zod/mini";
import { type FileRef, readPath, type Workspace } from "../../ports/workspace.ts";
import { clipText } from "../../tools/results/clippedResults.ts";
import type { Turn } from "../../turns/turn.ts";
import { clippedRules } from "../messages.ts";
import { type FoundAgent, findAgentFiles } from "./agentFiles.ts";
import { type Rules, rootsOf } from "./foundFiles.ts";
import { findScopedRules, type ScopedRule } from "./scopedRules.ts";
import { listSkills } from "./skills.ts";

/** UTF-16 units of one file that the model sees. */
const MAX_LENGTH = 16_000;
/** Files to look for in one turn. */
const MAX_FILES = 200;

/**
 * Returns the rules for work on the files `paths`, from the workspace's root to the nearest folder.
 * Never rejects.
 */
type ReadRules = (paths: readonly string[], signal: AbortSignal) => Promise<readonly Rules[]>;

/** Below each folder of the workspace, and files of this name below touched folders. */
const GENERAL = [".github/copilot-instructions.md", "AGENTS.md", "CLAUDE.md"];
const NESTED = ["AGENTS.md", "CLAUDE.md"];
/** Files with which other programs take rules; Cline's may be a folder, which is read apart. */
const OTHERS = [".cursorrules", ".clinerules"];

/**
 * Reads each file of rules once, wherever assistants have theirs, and lists the skills and the
 * agents of the workspace as rules of their folders. A text that stands in several files is told
 * once. An untrusted workspace has no rules.
 */
export function createRulesReader(workspace: Workspace): ReadRules {
  const files = new Map<string, Promise<FileRef | null>>();
  const rules = new Map<string, Promise<Rules | null>>();
  let aids: Promise<Aids> | null = null;
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
    aids ??= readAids(workspace, signal);
    const { scoped, lists } = await aids;
    const fitting = scoped.flatMap(({ root, rule }) => {
      const below = touched.flatMap((file) =>
        file?.path.startsWith(root) ? [file.path.slice(root.length)] : [],
      );
      return rule.fits(below) ? [{ path: rule.path, text: beginning(rule.text) }] : [];
    });
    return withoutCopies([...found.flatMap((one) => one ?? []), ...fitting, ...lists]);
  };
}

/** What lies in folders: rules for some files, skills and agents. */
interface Aids {
  readonly scoped: readonly { readonly root: string; readonly rule: ScopedRule }[];
  readonly lists: readonly Rules[];
}

async function readAids(workspace: Workspace, signal: AbortSignal): Promise<Aids> {
  const roots = rootsOf(workspace);
  const [rules, skills, agents] = await Promise.all([
    Promise.all(
      roots.map(async (root) =>
        (await findScopedRules(workspace, root, signal)).map((rule) => ({ root, rule })),
      ),
    ),
    Promise.all(roots.map((root) => listSkills(workspace, root, signal))),
    findAgentFiles(workspace, signal),
  ]);
  return { scoped: rules.flat(), lists: [...skills.flat(), ...agentLists(agents)] };
}

/** The agents that `run_agent` can run, by folder. */
function agentLists(found: readonly FoundAgent[]): readonly Rules[] {
  const folders = new Map<string, string[]>();
  for (const { path, agent } of found) {
    if (agent === null) continue;
    const folder = path.replace(/[^/]*$/, "");
    const line = `- ${agent.name}: ${agent.description}`;
    folders.set(folder, [...(folders.get(folder) ?? ["Agents that run_agent can run:"]), line]);
  }
  return [...folders].map(([path, lines]) => ({ path, text: lines.join("\n") }));
}

/** Some files are a copy of another, or a link to it. */
function withoutCopies(rules: readonly Rules[]): readonly Rules[] {
  return rules.filter(({ text }, at) => rules.findIndex((other) => other.text === text) === at);
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
      .flatMap((_, index, all) =>
        NESTED.map((name) => `${all.slice(0, index + 1).join("/")}/${name}`),
      ),
  );
  const nearestLast = [...new Set(nested)].sort(
    (a, b) => a.split("/").length - b.split("/").length,
  );
  const general = roots.flatMap((root) => [...GENERAL, ...OTHERS].map((name) => root + name));
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
