import type { FileError } from "../../ports/workspace.ts";
import type { ToolError, ToolResult } from "../tool.ts";

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

type Recoveries = Readonly<Partial<Record<FileError["kind"], string>>>;

/** What to do by default after an error with a file. */
const RECOVERIES: Recoveries = {
  "not-found": "Look for it with list_directory or search_in_files.",
  binary: "Go on without its content, or inspect it with a command if you can run commands.",
  "too-large": "Extract what you need with a command if you can run commands.",
};

/** The tool error for an error with a file. `recoveries` says what to do where this tool knows better. */
export function fileError({ kind, message }: FileError, recoveries: Recoveries = {}): ToolError {
  const recovery = recoveries[kind] ?? RECOVERIES[kind] ?? null;
  return { category: CATEGORIES[kind], code: kind, message, recovery };
}

/** The result of a tool that could not use a file. */
export function fileToolError(error: FileError, recoveries: Recoveries = {}): ToolResult {
  return { ok: false, error: fileError(error, recoveries) };
}
