import type { FileError } from "../ports/workspace.ts";
import type { ToolError, ToolResult } from "./tool.ts";

const CATEGORIES: Readonly<Record<FileError["kind"], ToolError["category"]>> = {
  "not-found": "not-found",
  "outside-workspace": "permission",
  "no-workspace": "permission",
  "is-directory": "validation",
  "is-file": "validation",
  "invalid-path": "validation",
  unsaved: "validation",
  binary: "validation",
  "too-large": "validation",
  "read-only": "permission",
  untrusted: "permission",
  exists: "validation",
  "not-empty": "validation",
  "invalid-pattern": "validation",
  unreadable: "execution",
};

const RECOVERIES: Readonly<Partial<Record<FileError["kind"], string>>> = {
  "not-found": "See what there is with list_directory or search_in_files.",
  binary: "Go on without its content, or look at it with a command, where there is a tool for commands.",
  "too-large": "Take what you need from it with a command, where there is a tool for commands.",
};

/** The result of a tool that could not use a file. */
export function fileToolError(error: FileError): ToolResult {
  return { ok: false, error: { category: CATEGORIES[error.kind], message: error.message, recovery: RECOVERIES[error.kind] ?? null } };
}

/** {@link fileToolError}, with what to do instead where something is there already. */
export function existsRecovery(error: FileError, recovery: string): ToolResult {
  const failed = fileToolError(error);
  return failed.ok || error.kind !== "exists" ? failed : { ok: false, error: { ...failed.error, recovery } };
}
