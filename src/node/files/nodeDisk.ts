import { realpath, stat } from "node:fs/promises";
import { isLink } from "./confinePath.ts";
import { errorCode } from "./systemError.ts";

/** What VS Code's file API cannot tell about files on this machine's disk. */
export const nodeDisk = {
  /** The path with symlinks resolved; null for a missing file. Rejects for a dangling symlink. */
  async realPath(path: string): Promise<string | null> {
    try {
      return await realpath(path);
    } catch (error) {
      const code = errorCode(error);
      if ((code === "ENOENT" || code === "ENOTDIR") && !(await isLink(path))) return null;
      throw error;
    }
  },
  /** True when the file's mode denies everybody writing; false for a missing file. */
  async isReadOnly(path: string): Promise<boolean> {
    try {
      return ((await stat(path)).mode & 0o222) === 0;
    } catch {
      return false;
    }
  },
};
