import { visibleLine, visibleText } from "../../src/base/text/visibleText.ts";
import type { ToolCallState } from "../../src/turns/turn.ts";
import { t } from "../l10n.ts";
import { quoted, rangeText, toolSummary } from "./toolSummary.ts";

type Call = Pick<ToolCallState, "name" | "input" | "status" | "output">;
type Arguments = Readonly<Record<string, unknown>>;

/** A tool in words: the arguments that it names, and what it does, or did. */
interface Words {
  readonly target: (given: Arguments) => string;
  readonly does: (target: string) => string;
  readonly did: (target: string) => string;
  /** Set for tools that only look; consecutive ones fold into one row. */
  readonly looks?: true;
  /** Set where the output has one line for each hit, as `path:line<TAB>text`. */
  readonly hits?: true;
}

const path = ({ file_path, path: folder }: Arguments) => asText(file_path) || asText(folder) || t("the workspace");
const name = (given: Arguments) => path(given).replace(/^.*[\\/](?=.)/, "");
const moved = ({ from, to }: Arguments) => `${asText(from)} → ${asText(to)}`;
const nothing = () => "";
const read = (target: string) => t("Read {target}", { target });
const lookUp = (target: string) => t("Look up {target}", { target });
const lookedUp = (target: string) => t("Looked up {target}", { target });
const propose = (target: string) => t("Edit {target}", { target });
const proposed = (target: string) => t("Edited {target}", { target });

const tools = new Map<string, Words>([
  ["read_file", { looks: true, target: readPlace, does: read, did: read }],
  ["read_multiple_files", { looks: true, target: ({ file_paths }) => list(file_paths), does: read, did: read }],
  [
    "file_outline",
    { looks: true, target: name, does: (target) => t("Outline {target}", { target }), did: (target) => t("Outlined {target}", { target }) },
  ],
  ["file_stat", { looks: true, target: path, does: lookUp, did: lookedUp }],
  [
    "search_in_files",
    {
      looks: true,
      hits: true,
      target: ({ pattern, include }) => quoted(asText(pattern), asText(include)),
      does: (target) => t("Search {target}", { target }),
      did: (target) => t("Searched {target}", { target }),
    },
  ],
  [
    "find_files",
    {
      looks: true,
      target: ({ glob }) => asText(glob),
      does: (target) => t("Find files {target}", { target }),
      did: (target) => t("Found files {target}", { target }),
    },
  ],
  ["find_symbol", { looks: true, hits: true, target: (given) => asText(given.name), does: lookUp, did: lookedUp }],
  [
    "find_references",
    {
      looks: true,
      hits: true,
      target: ({ symbol }) => asText(symbol),
      does: (target) => t("Find uses of {target}", { target }),
      did: (target) => t("Found uses of {target}", { target }),
    },
  ],
  [
    "get_file_tree",
    { looks: true, target: path, does: (target) => t("List {target}", { target }), did: (target) => t("Listed {target}", { target }) },
  ],
  [
    "list_directory",
    { looks: true, target: path, does: (target) => t("List {target}", { target }), did: (target) => t("Listed {target}", { target }) },
  ],
  [
    "get_diagnostics",
    {
      looks: true,
      target: name,
      does: (target) => t("Check problems in {target}", { target }),
      did: (target) => t("Checked problems in {target}", { target }),
    },
  ],
  ["get_editor_context", { looks: true, target: nothing, does: () => t("Look at the editor"), did: () => t("Looked at the editor") }],
  ["git_status", { looks: true, target: nothing, does: () => t("Read git status"), did: () => t("Read git status") }],
  ["git_diff", { looks: true, target: nothing, does: () => t("Read git changes"), did: () => t("Read git changes") }],
  ["git_log", { looks: true, target: nothing, does: () => t("Read git history"), did: () => t("Read git history") }],
  ["read_result", { looks: true, target: nothing, does: () => t("Read on in a long result"), did: () => t("Read on in a long result") }],
  ["open_file", { target: name, does: (target) => t("Open {path}", { path: target }), did: (target) => t("Opened {target}", { target }) }],
  ["reveal", { target: name, does: (target) => t("Show {target}", { target }), did: (target) => t("Showed {target}", { target }) }],
  ["edit_mode", { target: name, does: propose, did: proposed }],
  ["patch_source_file", { target: name, does: propose, did: proposed }],
  ["create_file", { target: path, does: (target) => t("Create {target}", { target }), did: (target) => t("Created {target}", { target }) }],
  [
    "create_directory",
    { target: path, does: (target) => t("Create {target}", { target }), did: (target) => t("Created {target}", { target }) },
  ],
  [
    "rename_file",
    { target: moved, does: (target) => t("Rename {target}", { target }), did: (target) => t("Renamed {target}", { target }) },
  ],
  ["copy_file", { target: moved, does: (target) => t("Copy {target}", { target }), did: (target) => t("Copied {target}", { target }) }],
  ["delete_file", { target: path, does: (target) => t("Delete {target}", { target }), did: (target) => t("Deleted {target}", { target }) }],
  [
    "run_command",
    {
      target: ({ command }) => asText(command),
      does: (target) => t("Run {target}", { target }),
      did: (target) => t("Ran {target}", { target }),
    },
  ],
  ["read_command_output", { target: nothing, does: () => t("Read a command's output"), did: () => t("Read a command's output") }],
  ["kill_command", { target: nothing, does: () => t("Stop a command"), did: () => t("Stopped a command") }],
  [
    "git_commit",
    {
      target: ({ message }) => quoted(asText(message).split("\n")[0] ?? "", ""),
      does: (target) => t("Commit {target}", { target }),
      did: (target) => t("Committed {target}", { target }),
    },
  ],
  [
    "ask_user",
    {
      target: ({ question }) => asText(question),
      does: (target) => t("Ask: {target}", { target }),
      did: (target) => t("Asked: {target}", { target }),
    },
  ],
]);

/** A tool call on one line, such as `Read util.ts 240–470` or `Searched “toDotPath” · 4 hits`; another's tool by its name and arguments. */
export function toolSentence(call: Call): string {
  const words = tools.get(call.name);
  if (!words) return `${visibleLine(call.name)} ${toolSummary(call.input)}`.trimEnd();
  const isStreaming = call.input === undefined && call.status === "pending";
  const target = isStreaming ? "…" : clip(words.target(argumentsOf(call.input)));
  if (call.status !== "success") return words.does(target);
  return words.hits ? `${words.did(target)} · ${hitsText(call.output ?? "")}` : words.did(target);
}

/** True for a tool of Graft that only looks. */
export function onlyLooks(tool: string): boolean {
  return tools.get(tool)?.looks ?? false;
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

function hitsText(output: string): string {
  const lines = output.split("\n");
  const count = lines.filter((line) => /^[^\t]+:\d+\t/.test(line)).length;
  if (count === 0) return t("no hits");
  if (count < lines.length) return t("{count}+ hits", { count });
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

/** Longer sentences are cut by the row's width; this bounds what is laid out. By code points: none is cut in half. */
function clip(text: string): string {
  const characters = [...visibleText(text.slice(0, 400)).replace(/\s+/g, " ").trim()];
  return characters.length > 200 ? `${characters.slice(0, 199).join("")}…` : characters.join("");
}
