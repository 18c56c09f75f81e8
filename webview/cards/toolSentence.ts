import { visibleLine } from "../../src/base/text/visibleText.ts";
import { type Todo, todoProgress, todosSchema } from "../../src/turns/plan/todos.ts";
import {
  AGENT_TOOL_NAMES,
  type AgentToolName,
  TOOL_NAMES,
  type ToolName,
} from "../../src/turns/toolNames.ts";
import type { ToolCallState } from "../../src/turns/turn.ts";
import type { SearchHits } from "../../src/turns/turnEvent.ts";
import { t } from "../l10n.ts";
import { toolLabel } from "../messages.ts";
import { clipToLine, quoted, rangeText, toolSummary } from "./toolSummary.ts";

/** Characters of a sentence that are laid out; the row's width cuts longer ones. */
const MAX_TARGET = 200;

type Call = Pick<ToolCallState, "name" | "origin" | "input" | "status" | "hits" | "hasProposed"> &
  Partial<Pick<ToolCallState, "command">>;
type CallArguments = Readonly<Record<string, unknown>>;

/** A tool in words: the arguments that it names, and what it does, or did. */
interface Words {
  readonly target: (given: CallArguments) => string;
  readonly does: (target: string) => string;
  readonly did: (target: string) => string;
  /** What it did where that waits for review. */
  readonly proposed?: (target: string) => string;
  /** Set for tools that only look; consecutive ones fold into one row. */
  readonly looks?: true;
}

const path = ({ file_path, path: folder }: CallArguments) =>
  asText(file_path) || asText(folder) || t("the workspace");
const name = (given: CallArguments) => path(given).replace(/^.*[\\/](?=.)/, "");
const moved = ({ from, to }: CallArguments) => `${asText(from)} → ${asText(to)}`;
const nothing = () => "";
const read = (target: string) => t("Read {target}", { target });
const lookUp = (target: string) => t("Look up {target}", { target });
const lookedUp = (target: string) => t("Looked up {target}", { target });
const edit = (target: string) => t("Edit {target}", { target });

const TOOLS: Readonly<Record<ToolName, Words>> = {
  read_file: { looks: true, target: readPlace, does: read, did: read },
  read_multiple_files: {
    looks: true,
    target: ({ file_paths }) => list(file_paths),
    does: read,
    did: read,
  },
  file_outline: {
    looks: true,
    target: name,
    does: (target) => t("Outline {target}", { target }),
    did: (target) => t("Outlined {target}", { target }),
  },
  file_stat: { looks: true, target: path, does: lookUp, did: lookedUp },
  search_in_files: {
    looks: true,
    target: ({ pattern, include }) => quoted(asText(pattern), asText(include)),
    does: (target) => t("Search {target}", { target }),
    did: (target) => t("Searched {target}", { target }),
  },
  find_files: {
    looks: true,
    target: ({ glob }) => asText(glob),
    does: (target) => t("Find files {target}", { target }),
    did: (target) => t("Found files {target}", { target }),
  },
  find_symbol: {
    looks: true,
    target: (given) => asText(given.name),
    does: lookUp,
    did: lookedUp,
  },
  find_references: {
    looks: true,
    target: ({ symbol }) => asText(symbol),
    does: (target) => t("Find uses of {target}", { target }),
    did: (target) => t("Found uses of {target}", { target }),
  },
  get_file_tree: {
    looks: true,
    target: path,
    does: (target) => t("List {target}", { target }),
    did: (target) => t("Listed {target}", { target }),
  },
  list_directory: {
    looks: true,
    target: path,
    does: (target) => t("List {target}", { target }),
    did: (target) => t("Listed {target}", { target }),
  },
  get_diagnostics: {
    looks: true,
    target: name,
    does: (target) => t("Check problems in {target}", { target }),
    did: (target) => t("Checked problems in {target}", { target }),
  },
  get_editor_context: {
    looks: true,
    target: nothing,
    does: () => t("Look at the editor"),
    did: () => t("Looked at the editor"),
  },
  git_status: {
    looks: true,
    target: nothing,
    does: () => t("Read git status"),
    did: () => t("Read git status"),
  },
  git_diff: {
    looks: true,
    target: nothing,
    does: () => t("Read git changes"),
    did: () => t("Read git changes"),
  },
  git_log: {
    looks: true,
    target: nothing,
    does: () => t("Read git history"),
    did: () => t("Read git history"),
  },
  read_result: {
    looks: true,
    target: nothing,
    does: () => t("Read on in a long result"),
    did: () => t("Read on in a long result"),
  },
  open_file: {
    target: name,
    does: (target) => t("Open {path}", { path: target }),
    did: (target) => t("Opened {target}", { target }),
  },
  reveal: {
    target: name,
    does: (target) => t("Show {target}", { target }),
    did: (target) => t("Showed {target}", { target }),
  },
  edit_mode: {
    target: name,
    does: edit,
    did: (target) => t("Started editing {target}", { target }),
  },
  patch_source_file: {
    target: name,
    does: edit,
    did: (target) => t("Proposed edits to {target}", { target }),
  },
  create_file: {
    target: path,
    does: (target) => t("Create {target}", { target }),
    did: (target) => t("Created {target}", { target }),
  },
  create_directory: {
    target: path,
    does: (target) => t("Create {target}", { target }),
    did: (target) => t("Created {target}", { target }),
  },
  rename_file: {
    target: moved,
    does: (target) => t("Rename {target}", { target }),
    did: (target) => t("Renamed {target}", { target }),
    proposed: (target) => t("Proposed renaming {target}", { target }),
  },
  copy_file: {
    target: moved,
    does: (target) => t("Copy {target}", { target }),
    did: (target) => t("Copied {target}", { target }),
  },
  delete_file: {
    target: path,
    does: (target) => t("Delete {target}", { target }),
    did: (target) => t("Deleted {target}", { target }),
    proposed: (target) => t("Proposed deleting {target}", { target }),
  },
  run_command: {
    target: ({ command }) => asText(command),
    does: (target) => t("Run {target}", { target }),
    did: (target) => t("Ran {target}", { target }),
  },
  read_command_output: {
    target: nothing,
    does: () => t("Read a command's output"),
    did: () => t("Read a command's output"),
  },
  kill_command: {
    target: nothing,
    does: () => t("Stop a command"),
    did: () => t("Stopped a command"),
  },
  git_commit: {
    target: ({ message }) => quoted(asText(message).split("\n")[0] ?? "", ""),
    does: (target) => t("Commit {target}", { target }),
    did: (target) => t("Committed {target}", { target }),
  },
  git_branch: {
    target: (given) => `${asText(given.action)} ${asText(given.name)}`.trim(),
    does: (target) => t("Git branch: {target}", { target }),
    did: (target) => t("Git branch: {target}", { target }),
  },
  write_todos: {
    target: (given) => todosText(todosSchema.safeParse(given.todos).data ?? []),
    does: (target) => t("To-dos: {target}", { target }),
    did: (target) => t("To-dos: {target}", { target }),
  },
  run_agent: {
    target: ({ agent, task }) =>
      [asText(agent), asText(task)].filter((part) => part !== "").join(": "),
    does: (target) => t("Agent {target}", { target }),
    did: (target) => t("Agent {target}", { target }),
  },
  ask_user: {
    target: ({ question }) => asText(question),
    does: (target) => t("Ask: {target}", { target }),
    did: (target) => t("Asked: {target}", { target }),
  },
  fetch_url: { looks: true, target: ({ url }) => asText(url), does: read, did: read },
};

/** How far a list of to-dos is, and what is at work. */
export function todosText(todos: readonly Todo[]): string {
  const { done, all, current } = todoProgress(todos);
  const count = t("{done} of {all}", { done, all });
  return current === null ? count : `${count} · ${visibleLine(current.text)}`;
}

/**
 * A tool call on one line, such as `Read util.ts 240–470` or `Searched “toDotPath” · 4 hits`;
 * another's tool by its name and arguments.
 */
export function toolSentence(call: Call): string {
  const words = toolWords(call.name);
  if (!words) return foreignSentence(call);
  const isStreaming = call.input === undefined && call.status === "pending";
  const target = isStreaming ? "…" : clipToLine(words.target(argumentsOf(call.input)), MAX_TARGET);
  if (call.status !== "success") return words.does(target);
  if (call.command?.code === "running") return t("Running {target}", { target });
  const done = (call.hasProposed && words.proposed ? words.proposed : words.did)(target);
  return call.hits ? `${done} · ${hitsText(call.hits)}` : done;
}

function foreignSentence(call: Call): string {
  const { input, status } = call;
  const target = toolLabel(call);
  const given = toolSummary(input);
  const words =
    status === "success" ? t("Called {target}", { target }) : t("Call {target}", { target });
  return given === "" ? words : `${words} · ${given}`;
}

/** True for a tool of Graft that only looks. */
export function onlyLooks(tool: string): boolean {
  return toolWords(tool)?.looks ?? false;
}

/** An agent words its own calls. */
const asItSays: Words = {
  target: ({ name: title, command }) => asText(title) || asText(command),
  does: (target) => target,
  did: (target) => target,
};
const looking: Words = { ...asItSays, looks: true };

const AGENT_CALLS: Readonly<Record<AgentToolName, Words>> = {
  agent_read: looking,
  agent_search: looking,
  agent_think: looking,
  agent_edit: { ...asItSays, target: (given) => asItSays.target(given) || t("Other changes") },
  agent_delete: asItSays,
  agent_move: asItSays,
  agent_execute: asItSays,
  agent_fetch: asItSays,
  agent_other: asItSays,
  agent_plan: {
    target: ({ done, all, now }) =>
      [t("Plan: {done} of {all} done", { done: asText(done), all: asText(all) }), asText(now)]
        .filter((part) => part !== "")
        .join(" · "),
    does: (target) => target,
    did: (target) => target,
  },
};

/** Null for a tool that is neither Graft's nor an agent's. */
function toolWords(name: string): Words | null {
  const own = TOOL_NAMES.find((each) => each === name);
  const agents = Object.values(AGENT_TOOL_NAMES).find((each) => each === name);
  return own ? TOOLS[own] : agents ? AGENT_CALLS[agents] : null;
}

/** `Explored 8 places`. */
export function exploredText(places: number): string {
  return t("Explored {count} places", { count: places });
}

function readPlace(given: CallArguments): string {
  const { start_line, end_line, ast_path } = given;
  const range = rangeText(asText(start_line), asText(end_line));
  return [name(given), range, asText(ast_path)].filter((part) => part !== "").join(" ");
}

function hitsText({ shown: count, more }: SearchHits): string {
  if (count === 0) return t("no hits");
  if (more) return t("{count}+ hits", { count });
  return count === 1 ? t("1 hit") : t("{count} hits", { count });
}

function list(value: unknown): string {
  return Array.isArray(value) ? value.map((each) => name({ path: each })).join(", ") : "";
}

function argumentsOf(input: unknown): CallArguments {
  return typeof input === "object" && input !== null && !Array.isArray(input) ? { ...input } : {};
}

function asText(value: unknown): string {
  return typeof value === "string" || typeof value === "number" ? String(value) : "";
}
