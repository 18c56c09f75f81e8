import { lstat, realpath, stat } from "node:fs/promises";
import { errorCode } from "./errorCode.ts";

/** What the editor's file API cannot tell about files on this machine's disk. */
export interface NodeDisk {
  /** The absolute path with every symbolic link resolved, or null when there is no such file. Rejects for a link that leads nowhere. */
  realPath(path: string): Promise<string | null>;
  /** True when the file's mode forbids everybody to write it; false for a missing file. */
  isReadOnly(path: string): Promise<boolean>;
}

/** The disk of the machine that the extension host runs on. */
export function createNodeDisk(): NodeDisk {
  return {
    async realPath(path) {
      try {
        return await realpath(path);
      } catch (error) {
        const code = errorCode(error);
        if ((code === "ENOENT" || code === "ENOTDIR") && !(await isLink(path))) return null;
        throw error;
      }
    },
    async isReadOnly(path) {
      try {
        return ((await stat(path)).mode & 0o222) === 0;
      } catch {
        return false;
      }
    },
  };
}

async function isLink(path: string): Promise<boolean> {
  try {
    return (await lstat(path)).isSymbolicLink();
  } catch {
    return false;
  }
}
