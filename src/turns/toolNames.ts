import type { AgentCallKind } from "../ports/commands/chatAgent.ts";

/**
 * The names of Graft's own tools. Each is defined with `defineTool`, is offered to the model, and
 * has its words in the panel's `toolSentence`: the compiler or `toolSpecs.test.ts` finds what is
 * missing.
 */
export const TOOL_NAMES = [
  "read_file",
  "read_multiple_files",
  "list_directory",
  "search_in_files",
  "file_outline",
  "edit_mode",
  "patch_source_file",
  "get_file_tree",
  "find_files",
  "file_stat",
  "create_file",
  "create_directory",
  "rename_file",
  "copy_file",
  "delete_file",
  "find_symbol",
  "find_references",
  "get_diagnostics",
  "get_editor_context",
  "open_file",
  "reveal",
  "ask_user",
  "write_todos",
  "run_agent",
  "fetch_url",
  "run_command",
  "read_command_output",
  "kill_command",
  "git_status",
  "git_diff",
  "git_log",
  "git_commit",
  "git_branch",
  "read_result",
] as const;

/** A tool of Graft; those of MCP servers have other names. */
export type ToolName = (typeof TOOL_NAMES)[number];

/** The names of the calls of another maker's agent, by what the agent says that they do. */
export const AGENT_TOOL_NAMES = {
  read: "agent_read",
  edit: "agent_edit",
  delete: "agent_delete",
  move: "agent_move",
  search: "agent_search",
  execute: "agent_execute",
  think: "agent_think",
  fetch: "agent_fetch",
  other: "agent_other",
  plan: "agent_plan",
} as const satisfies Record<AgentCallKind | "plan", string>;

/** A call of such an agent. */
export type AgentToolName = (typeof AGENT_TOOL_NAMES)[keyof typeof AGENT_TOOL_NAMES];
