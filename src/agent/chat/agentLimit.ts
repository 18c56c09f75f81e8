import type { ToolLimit } from "../../tools/toolRouter.ts";
import type { AgentFile } from "../request/agentFiles.ts";

const READ = ["read_file", "read_multiple_files", "list_directory", "file_outline", "file_stat"];
const SEARCH = [
  ...["search_in_files", "find_files", "find_symbol", "find_references", "get_file_tree"],
  "list_directory",
];
const EDIT = [
  ...["edit_mode", "patch_source_file", "create_file", "create_directory", "rename_file"],
  ...["copy_file", "delete_file"],
];
const EXECUTE = [
  ...["run_command", "read_command_output", "kill_command", "git_status", "git_diff", "git_log"],
  ...["git_commit", "git_branch"],
];

/** Graft's tools by the names that agents of other programs know theirs by, in lower case. */
const KNOWN_AS: ReadonlyMap<string, readonly string[]> = new Map(
  Object.entries({
    ...{ read: READ, view: READ, codebase: READ },
    ...{ search: SEARCH, grep: SEARCH, glob: SEARCH, ls: SEARCH, usages: SEARCH },
    ...{ edit: EDIT, write: EDIT, multiedit: EDIT, editfiles: EDIT },
    ...{ execute: EXECUTE, bash: EXECUTE, shell: EXECUTE, terminal: EXECUTE, runcommands: EXECUTE },
    ...{ web: ["fetch_url"], webfetch: ["fetch_url"], fetch: ["fetch_url"] },
    ...{ todo: ["write_todos"], todos: ["write_todos"], todowrite: ["write_todos"] },
    ...{ agent: ["run_agent"], task: ["run_agent"], problems: ["get_diagnostics"] },
  }),
);

/** The tools that an agent's file allows; null where it allows all. What it cannot mean is not allowed. */
export function agentLimit({ name, tools }: AgentFile): ToolLimit | null {
  if (tools === null || tools.includes("*")) return null;
  const allowed = new Set([
    // A long result is of no use without it.
    "read_result",
    ...tools.flatMap((tool) => KNOWN_AS.get(tool.toLowerCase()) ?? [tool]),
  ]);
  return { mode: name, allows: (tool) => allowed.has(tool.name) };
}
