import type { Workspace } from "../ports/workspace.ts";
import type { WorkspaceFiles } from "../ports/workspaceFiles.ts";
import { changeFiles } from "./files/changeFiles.ts";
import { createFileStat } from "./files/fileStat.ts";
import type { OperationProposals } from "./files/proposeOperation.ts";
import type { ViewedFiles } from "./files/viewedFiles.ts";
import { createFindFiles } from "./search/findFiles.ts";
import { createGetFileTree } from "./search/getFileTree.ts";
import type { Tool } from "./tool.ts";

/**
 * The tools that find, create, move and delete files. Deleting and renaming a file are proposed to
 * `proposals`, where there is one. `seen` are the files as the chat sees them; `shown` hears what
 * the model wrote.
 */
export function fileTools(
  workspace: Workspace,
  files: WorkspaceFiles,
  proposals: OperationProposals | null = null,
  seen = files,
  shown: Pick<ViewedFiles, "isAlsoAt" | "wroteAll"> | null = null,
): readonly Tool[] {
  return [
    createGetFileTree(seen),
    createFindFiles(seen),
    createFileStat(seen),
    ...changeFiles(workspace, files, proposals, shown),
  ];
}
