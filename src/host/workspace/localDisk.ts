import * as vscode from "vscode";
import { isVersionControlPath } from "../../tools/permissions/protectedPath.ts";
import type { LocalDisk } from "./workspacePath.ts";

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
        if (root === null) return { code: "not-found", path: folder.fsPath };
        let place = uri;
        let real = await realPath(place.fsPath);
        while (real === null) {
          place = vscode.Uri.joinPath(place, "..");
          real = await realPath(place.fsPath);
        }
        const [inRoot, inReal] = [vscode.Uri.file(root).path, vscode.Uri.file(real).path];
        if (!contains(inRoot, inReal)) return { code: "leads-outside", path };
        // Whether it may be changed is decided by the path as it is spelled.
        const hidden = isVersionControlPath(inReal.slice(inRoot.length)) && !isVersionControlPath(path);
        return hidden ? { code: "version-control", path } : null;
      } catch {
        return { code: "broken-link", path };
      }
    },
  };
}

function contains(folder: string, file: string): boolean {
  return file === folder || file.startsWith(folder.endsWith("/") ? folder : `${folder}/`);
}
