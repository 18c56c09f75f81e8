import type { Workspace } from "../ports/workspace.ts";
import type { WorkspaceFiles } from "../ports/workspaceFiles.ts";
import { createCreateDirectory } from "./files/createDirectory.ts";
import { createCreateFile } from "./files/createFile.ts";
import { createDeleteFile } from "./files/deleteFile.ts";
import { createFileStat } from "./files/fileStat.ts";
import { createCopyFile, createRenameFile } from "./files/moveFile.ts";
import { createFindFiles } from "./search/findFiles.ts";
import { createGetFileTree } from "./search/getFileTree.ts";
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
