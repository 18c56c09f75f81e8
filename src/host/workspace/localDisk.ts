import * as vscode from "vscode";
import { isVersionControlPath } from "../../tools/permissions/protectedPath.ts";
import { type LocalDisk, outsideWorkspace } from "./workspacePath.ts";

/** What the file system tells of absolute paths. */
export interface DiskFacts {
  /** The path with every symbolic link resolved, or null when there is no such file. Rejects for a link that leads nowhere. */
  realPath(path: string): Promise<string | null>;
  /** True when the file's mode forbids everybody to write it. */
  isReadOnly(path: string): Promise<boolean>;
}

/** The disk of the machine; a link out of the workspace is an error, and one that leads to what belongs to version control. */
export function createLocalDisk({ realPath, isReadOnly }: DiskFacts): LocalDisk {
  return {
    isReadOnly,
    async linkError(folder, uri, path) {
      try {
        const root = await realPath(folder.fsPath);
        if (root === null) return { kind: "not-found", message: `The workspace folder ${folder.fsPath} does not exist any more.` };
        let place = uri;
        let real = await realPath(place.fsPath);
        while (real === null) {
          place = vscode.Uri.joinPath(place, "..");
          real = await realPath(place.fsPath);
        }
        const [inRoot, inReal] = [vscode.Uri.file(root).path, vscode.Uri.file(real).path];
        if (!contains(inRoot, inReal)) return outsideWorkspace(path, "leads out of the workspace through a symbolic link");
        // Whether it may be changed is decided by the path as it is spelled.
        const hidden = isVersionControlPath(inReal.slice(inRoot.length)) && !isVersionControlPath(path);
        return hidden ? outsideWorkspace(path, "leads to what belongs to version control through a symbolic link") : null;
      } catch {
        return { kind: "unreadable", message: `${path} goes through a symbolic link that leads nowhere or may not be followed.` };
      }
    },
  };
}

function contains(folder: string, file: string): boolean {
  return file === folder || file.startsWith(folder.endsWith("/") ? folder : `${folder}/`);
}
