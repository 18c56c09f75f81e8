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
