import { fileErrorMessage } from "../../ports/messages.ts";
import type { FileError } from "../../ports/workspace.ts";
import type { ToolError, ToolResult } from "../tool.ts";

const CATEGORIES: Readonly<Partial<Record<FileError["code"], ToolError["category"]>>> = {
  "not-found": "not-found",
  "unclear-path": "not-found",
  "parent-is-file": "not-found",
  "deletion-proposed": "not-found",
  "outside-workspace": "permission",
  "leads-outside": "permission",
  "unchecked-link": "permission",
  "is-workspace": "permission",
  "no-workspace": "permission",
  "read-only": "permission",
  "version-control": "permission",
  "permission-denied": "permission",
  protected: "permission",
  secret: "permission",
  "untrusted-secret": "permission",
  "moved-meanwhile": "permission",
  untrusted: "permission",
  "broken-link": "execution",
  "not-regular": "execution",
  unreadable: "execution",
  "not-changed": "execution",
  "not-created": "execution",
  cancelled: "execution",
};

type Recoveries = Readonly<Partial<Record<FileError["code"], string>>>;

/** What to do by default after an error with a file. */
const RECOVERIES: Recoveries = {
  "not-found": "Look for it with list_directory or search_in_files.",
  "unclear-path":
    "Use one of these paths. For a new file in a new folder, create the folder first.",
  "invalid-name": "Give the path alone, relative to the workspace.",
  "deletion-proposed": "Go on as if it were gone. You will be told of the decision.",
  "operation-proposed": "Go on with something else. You will be told of the decision.",
  "changes-proposed":
    "Go on with something else, and delete it after the decision, of which you will be told.",
  secret: "Read it with read_file, which asks the user, or go on without it.",
  "untrusted-secret": "Go on without it.",
  binary: "Go on without its content, or inspect it with a command if you can run commands.",
  "multiline-pattern": "Search for what stands on one line.",
  "too-large": "Extract what you need with a command if you can run commands.",
};

/**
 * The tool error for an error with a file. `recoveries` says what to do where this tool knows
 * better.
 */
export function fileError(error: FileError, recoveries: Recoveries = {}): ToolError {
  const { code } = error;
  const recovery = recoveries[code] ?? RECOVERIES[code] ?? null;
  return {
    category: CATEGORIES[code] ?? "validation",
    code,
    file: error,
    message: fileErrorMessage(error),
    recovery,
  };
}

/** The result of a tool that could not use a file. */
export function fileToolError(error: FileError, recoveries: Recoveries = {}): ToolResult {
  return { ok: false, error: fileError(error, recoveries) };
}
