import type { Workspace } from "../ports/workspace.ts";
import type { WorkspaceFiles } from "../ports/workspaceFiles.ts";
import { changeFiles } from "./files/changeFiles.ts";
import { createFileStat } from "./files/fileStat.ts";
import { createFindFiles } from "./search/findFiles.ts";
import { createGetFileTree } from "./search/getFileTree.ts";
import type { Tool } from "./tool.ts";

/** The tools that find, create, move and delete files. */
export function fileTools(workspace: Workspace, files: WorkspaceFiles): readonly Tool[] {
  return [createGetFileTree(files), createFindFiles(files), createFileStat(files), ...changeFiles(workspace, files)];
}
