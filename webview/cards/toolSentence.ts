import { visibleLine } from "../../src/base/text/visibleText.ts";
import { TOOL_NAMES, type ToolName } from "../../src/turns/toolNames.ts";
import type { ToolCallState } from "../../src/turns/turn.ts";
import type { SearchHits } from "../../src/turns/turnEvent.ts";
import { t } from "../l10n.ts";
import { clipToLine, quoted, rangeText, toolSummary } from "./toolSummary.ts";

/** Characters of a sentence that are laid out; the row's width cuts longer ones. */
const MAX_TARGET = 200;

type Call = Pick<ToolCallState, "name" | "input" | "status" | "hits">;
type Arguments = Readonly<Record<string, unknown>>;

/** A tool in words: the arguments that it names, and what it does, or did. */
interface Words {
  readonly target: (given: Arguments) => string;
  readonly does: (target: string) => string;
  readonly did: (target: string) => string;
  /** Set for tools that only look; consecutive ones fold into one row. */
  readonly looks?: true;
}

const path = ({ file_path, path: folder }: Arguments) =>
  asText(file_path) || asText(folder) || t("the workspace");
const name = (given: Arguments) => path(given).replace(/^.*[\\/](?=.)/, "");
const moved = ({ from, to }: Arguments) => `${asText(from)} → ${asText(to)}`;
const nothing = () => "";
const read = (target: string) => t("Read {target}", { target });
const lookUp = (target: string) => t("Look up {target}", { target });
const lookedUp = (target: string) => t("Looked up {target}", { target });
const propose = (target: string) => t("Edit {target}", { target });
const proposed = (target: string) => t("Edited {target}", { target });

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
  edit_mode: { target: name, does: propose, did: proposed },
  patch_source_file: { target: name, does: propose, did: proposed },
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
  ask_user: {
    target: ({ question }) => asText(question),
    does: (target) => t("Ask: {target}", { target }),
    did: (target) => t("Asked: {target}", { target }),
  },
};

/**
 * A tool call on one line, such as `Read util.ts 240–470` or `Searched “toDotPath” · 4 hits`;
 * another's tool by its name and arguments.
 */
export function toolSentence(call: Call): string {
  const words = toolWords(call.name);
  if (!words) return `${visibleLine(call.name)} ${toolSummary(call.input)}`.trimEnd();
  const isStreaming = call.input === undefined && call.status === "pending";
  const target = isStreaming ? "…" : clipToLine(words.target(argumentsOf(call.input)), MAX_TARGET);
  if (call.status !== "success") return words.does(target);
  const done = words.did(target);
  return call.hits ? `${done} · ${hitsText(call.hits)}` : done;
}

/** True for a tool of Graft that only looks. */
export function onlyLooks(tool: string): boolean {
  return toolWords(tool)?.looks ?? false;
}

/** Null for a tool that is not Graft's. */
function toolWords(name: string): Words | null {
  const own = TOOL_NAMES.find((each) => each === name);
  return own ? TOOLS[own] : null;
}

/** `Explored 8 places`. */
export function exploredText(places: number): string {
  return t("Explored {count} places", { count: places });
}

function readPlace(given: Arguments): string {
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

function argumentsOf(input: unknown): Arguments {
  return typeof input === "object" && input !== null && !Array.isArray(input) ? { ...input } : {};
}

function asText(value: unknown): string {
  return typeof value === "string" || typeof value === "number" ? String(value) : "";
}
