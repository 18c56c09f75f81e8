import type { Workspace } from "../ports/workspace.ts";
import type { WorkspaceFiles } from "../ports/workspaceFiles.ts";
import { createCreateDirectory } from "./createDirectory.ts";
import { createCreateFile } from "./createFile.ts";
import { createDeleteFile } from "./deleteFile.ts";
import { createFileStat } from "./fileStat.ts";
import { createFindFiles } from "./findFiles.ts";
import { createGetFileTree } from "./getFileTree.ts";
import { createCopyFile, createRenameFile } from "./moveFile.ts";
import type { Tool } from "./tool.ts";

/** The tools that find, create, move and delete files. */
export function fileTools(workspace: Workspace, files: WorkspaceFiles): readonly Tool[] {
  return [
    createGetFileTree(files),
    createFindFiles(files),
    createFileStat(files),
    createCreateFile(workspace, files),
    createCreateDirectory(workspace, files),
    createRenameFile(workspace, files),
    createCopyFile(workspace, files),
    createDeleteFile(workspace, files),
  ];
}
