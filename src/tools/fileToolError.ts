import type { FileError } from "../ports/workspace.ts";
import type { ToolError, ToolResult } from "./tool.ts";

const CATEGORIES: Readonly<Record<FileError["kind"], ToolError["category"]>> = {
  "not-found": "not-found",
  "outside-workspace": "permission",
  "no-workspace": "permission",
  "is-directory": "validation",
  binary: "validation",
  "too-large": "validation",
  "read-only": "permission",
  untrusted: "permission",
  exists: "validation",
  "not-empty": "validation",
  "invalid-pattern": "validation",
  unreadable: "execution",
};

/** The result of a tool that could not use a file. */
export function fileToolError(error: FileError): ToolResult {
  const recovery = error.kind === "not-found" ? "See what there is with list_directory or search_in_files." : null;
  return { ok: false, error: { category: CATEGORIES[error.kind], message: error.message, recovery } };
}

/** {@link fileToolError}, with what to do instead where something is there already. */
export function existsRecovery(error: FileError, recovery: string): ToolResult {
  const failed = fileToolError(error);
  return failed.ok || error.kind !== "exists" ? failed : { ok: false, error: { ...failed.error, recovery } };
}
