import { realpath, stat } from "node:fs/promises";
import * as path from "node:path";
import { dependsOnProcess } from "../processes/followLinks.ts";
import { isLink } from "./confinePath.ts";
import { changeExecutable, isExecutable } from "./fileMode.ts";
import { openFolder } from "./openFolder.ts";
import { replaceFile } from "./replaceFile.ts";
import { errorCode } from "./systemError.ts";

/** Disk operations that VS Code's file API does not offer. */
export const nodeDisk = {
  /**
   * The path with symlinks resolved. Null for a missing file. Rejects for a dangling symlink, and
   * for one that leads each process elsewhere.
   */
  async realPath(named: string): Promise<string | null> {
    try {
      const real = await realpath(named);
      if (real !== named && (await dependsOnProcess(named)))
        throw new Error(`${named} leads each process elsewhere.`);
      return real;
    } catch (error) {
      const code = errorCode(error);
      if ((code === "ENOENT" || code === "ENOTDIR") && !(await isLink(named))) return null;
      throw error;
    }
  },
  /**
   * Creates a file and missing folders below `root`, a real path. Rejects if it exists, or if a
   * folder is replaced by a link meanwhile.
   */
  createFile(root: string, relative: string, content: Uint8Array): Promise<void> {
    return replaceFile(root, path.join(root, ...relative.split("/")), content, false);
  },
  /** Makes a file a program, or none, by its path below `root`, a real path. */
  async setExecutable(root: string, relative: string, executable: boolean): Promise<boolean> {
    if (process.platform === "win32") return false;
    const place = path.join(root, ...relative.split("/"));
    const folder = await openFolder(root, path.dirname(place), false);
    try {
      await folder.check();
      await changeExecutable(folder.entry(path.basename(place)), executable);
      return true;
    } finally {
      await folder.close();
    }
  },
  /** Whether it is a program, as git sees it. False for a missing file. */
  async isExecutable(named: string): Promise<boolean> {
    try {
      const found = await stat(named);
      return found.isFile() && isExecutable(found.mode);
    } catch {
      return false;
    }
  },
  /** Whether the file's mode lets nobody write. False for a missing file. */
  async isReadOnly(named: string): Promise<boolean> {
    try {
      return ((await stat(named)).mode & 0o222) === 0;
    } catch {
      return false;
    }
  },
};
