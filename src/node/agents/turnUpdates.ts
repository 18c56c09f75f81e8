import * as path from "node:path";
import type { SessionUpdate, ToolCallContent, ToolKind } from "@agentclientprotocol/sdk";
import type { Localize } from "../../base/localize.ts";
import { visibleLine } from "../../base/text/visibleText.ts";
import { editFacts } from "../../edits/block.ts";
import type { GuestEdit } from "../../ports/guest.ts";
import { reasonText, warningsText } from "../../turns/blockMessages.ts";
import type { EditBlock, EditStatus } from "../../turns/editBlock.ts";
import { noticeMessage } from "../../turns/messages.ts";
import type { Todo } from "../../turns/plan/todos.ts";
import { TOOL_NAMES, type ToolName } from "../../turns/toolNames.ts";
import type { FileView, TurnEvent } from "../../turns/turnEvent.ts";

/** The most of a result that a client gets, in UTF-16 units. */
const MOST_OUTPUT = 60_000;
const MOST_TITLE = 200;

const KINDS: Readonly<Record<ToolName, ToolKind>> = {
  read_file: "read",
  read_multiple_files: "read",
  list_directory: "search",
  search_in_files: "search",
  file_outline: "read",
  edit_mode: "edit",
  patch_source_file: "edit",
  get_file_tree: "search",
  find_files: "search",
  file_stat: "read",
  create_file: "edit",
  create_directory: "edit",
  rename_file: "move",
  copy_file: "edit",
  delete_file: "delete",
  find_symbol: "search",
  find_references: "search",
  get_diagnostics: "read",
  get_editor_context: "read",
  open_file: "read",
  reveal: "read",
  ask_user: "other",
  write_todos: "think",
  run_agent: "other",
  fetch_url: "fetch",
  run_command: "execute",
  read_command_output: "read",
  kill_command: "execute",
  git_status: "read",
  git_diff: "read",
  git_log: "read",
  git_commit: "execute",
  git_branch: "execute",
  read_result: "read",
};

/** The arguments of Graft's tools that name files. */
const PATHS = ["file_path", "path", "from", "to"];

/** Edits that are neither in a file nor proposed. */
const LEFT_OUT: ReadonlySet<EditStatus> = new Set(["refused", "held", "incomplete"]);

/** What a client of the Agent Client Protocol calls a tool of Graft; those of servers are `other`. */
export function kindOf(tool: string): ToolKind {
  const known = TOOL_NAMES.find((name) => name === tool);
  return known ? KINDS[known] : "other";
}

/** What the protocol has for an event of a turn in the folder `cwd`; nothing for most. */
export function turnUpdates(event: TurnEvent, cwd: string, t: Localize): readonly SessionUpdate[] {
  switch (event.type) {
    case "text-delta":
      return [{ sessionUpdate: "agent_message_chunk", content: textOf(event.text) }];
    case "reasoning-delta":
      return [{ sessionUpdate: "agent_thought_chunk", content: textOf(event.text) }];
    case "notice":
      return [
        { sessionUpdate: "agent_thought_chunk", content: textOf(`${noticeMessage(event, t)}\n`) },
      ];
    case "tool-call": {
      const { callId: toolCallId, name, input } = event;
      const named = namedPaths(input);
      return [
        {
          ...{ sessionUpdate: "tool_call", toolCallId, kind: kindOf(name), status: "pending" },
          title: clipped([name, ...named, commandOf(input)].join(" ").trim()),
          locations: named.flatMap((name) => placeOf(cwd, name)).map((at) => ({ path: at })),
          rawInput: input,
        },
      ];
    }
    case "tool-start":
      return [
        {
          ...{ sessionUpdate: "tool_call_update", toolCallId: event.callId },
          status: "in_progress",
        },
      ];
    case "tool-result": {
      const { callId: toolCallId, status, output, views } = event;
      return [
        {
          ...{ sessionUpdate: "tool_call_update", toolCallId },
          status: status === "success" ? "completed" : "failed",
          content: [textContent(output.slice(0, MOST_OUTPUT))],
          ...(views && { locations: views.flatMap((view) => viewed(cwd, view)) }),
        },
      ];
    }
    case "todos":
      return event.again ? [] : [planUpdate(event.items)];
    case "edit-update":
      return LEFT_OUT.has(event.edit.status) ? [leftOut(event.edit, cwd, t)] : [];
    default:
      return [];
  }
}

function planUpdate(todos: readonly Todo[]): SessionUpdate {
  const entries = todos.map(({ text, status }) => ({
    content: text,
    priority: "medium" as const,
    status: status === "done" ? ("completed" as const) : status,
  }));
  return { sessionUpdate: "plan", entries };
}

/** A text as the content of a call. */
export function textContent(text: string): ToolCallContent {
  return { type: "content", content: textOf(text) };
}

/** The absolute path of a workspace path; none for one that leads out of `cwd`. */
export function placeOf(cwd: string, name: string): readonly string[] {
  const place = path.resolve(cwd, name);
  const inside = path.relative(cwd, place);
  return inside === "" || (!inside.startsWith("..") && !path.isAbsolute(inside)) ? [place] : [];
}

/** An edit that had no effect, as a call that failed. */
function leftOut(edit: EditBlock, cwd: string, t: Localize): SessionUpdate {
  const { blockId, path: name, target } = edit;
  const why = reasonText(edit, t) ?? warningsText(edit.warnings, t) ?? edit.status;
  return {
    ...{ sessionUpdate: "tool_call", toolCallId: `edit-${blockId}`, kind: "edit" },
    ...{ status: "failed", title: clipped(`${name} (${target})`) },
    locations: placeOf(cwd, name).map((at) => ({ path: at })),
    content: [textContent(why)],
    _meta: editsMeta([editFacts(edit)]),
  };
}

/** What programs read of edits beside the words. */
export function editsMeta(edits: readonly GuestEdit[]): Record<string, unknown> {
  return { "graft/edits": edits };
}

function viewed(cwd: string, { path: name, first }: FileView) {
  return placeOf(cwd, name).map((at) => ({ path: at, line: first }));
}

function textOf(text: string) {
  return { type: "text" as const, text };
}

function namedPaths(input: unknown): readonly string[] {
  if (typeof input !== "object" || input === null) return [];
  const given = new Map(Object.entries(input));
  const many: unknown = given.get("file_paths");
  const all: unknown[] = [
    ...PATHS.map((name) => given.get(name)),
    ...(Array.isArray(many) ? many : []),
  ];
  return all.filter((value) => typeof value === "string" && value !== "").map(String);
}

function commandOf(input: unknown): string {
  return typeof input === "object" && input !== null && "command" in input
    ? String(input.command)
    : "";
}

function clipped(text: string): string {
  const [first = ""] = text.split("\n", 1);
  const line = visibleLine(first);
  return line.length > MOST_TITLE ? `${line.slice(0, MOST_TITLE)}…` : line;
}
