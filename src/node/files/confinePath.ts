import { lstat, realpath } from "node:fs/promises";
import * as path from "node:path";
import { err, ok, type Result } from "../../base/result.ts";
import type { FileError } from "../../ports/workspace.ts";
import { errorCode } from "./systemError.ts";

/** A path inside a root: as named, and as it really is. */
export interface ConfinedPath {
  /** Relative to the root, `/` between segments, "" for the root itself. */
  readonly relative: string;
  /** Absolute, with symlinks resolved as far as it exists. */
  readonly real: string;
}

/**
 * Proves that `name`, relative to `root` or absolute, is inside `root`, both as written and with symlinks resolved. `realRoot` is `root`
 * with symlinks resolved. The file need not exist, but a dangling symlink is refused.
 */
export async function confinePath(root: string, realRoot: string, name: string): Promise<Result<ConfinedPath, FileError>> {
  if (name.includes("\0")) return err({ kind: "invalid-path", message: "A path cannot contain a NUL character. Remove it." });
  const outside: FileError = {
    kind: "outside-workspace",
    message: `${name} is outside the workspace ${root}. Name a file inside it, relative to it.`,
  };
  const absolute = path.resolve(root, name);
  const base = [root, realRoot].find((folder) => contains(folder, absolute));
  if (base === undefined) return err(outside);
  const relative = path.relative(base, absolute);

  let existing = path.join(realRoot, relative);
  const missing: string[] = [];
  for (;;) {
    try {
      const real = path.join(await realpath(existing), ...missing);
      if (!contains(realRoot, real)) {
        return err({
          kind: "outside-workspace",
          message: `${name} leads outside the workspace through a symbolic link. Use a file inside it.`,
        });
      }
      return ok({ relative: relative.split(path.sep).join("/"), real });
    } catch (error) {
      const code = errorCode(error);
      if (code === "ELOOP")
        return err({ kind: "unreadable", message: `${name} goes through a symbolic link that leads in a circle. Fix or delete the link.` });
      if (code === "ENAMETOOLONG")
        return err({
          kind: "invalid-path",
          message: `The path is too long for this file system: ${name.slice(0, 80)}… Choose a shorter one.`,
        });
      if (code === "ENOTDIR")
        return err({ kind: "not-found", message: `${name} does not exist: a part of its path is a file, not a folder.` });
      if (code !== "ENOENT") return err({ kind: "unreadable", message: `${name} cannot be reached (${code}).` });
      if (await isLink(existing)) {
        return err({ kind: "unreadable", message: `${name} goes through a symbolic link that leads nowhere. Fix or delete the link.` });
      }
      missing.unshift(path.basename(existing));
      const parent = path.dirname(existing);
      if (parent === existing) return err(outside);
      existing = parent;
    }
  }
}

function contains(folder: string, file: string): boolean {
  const relative = path.relative(folder, file);
  return relative === "" || (relative !== ".." && !relative.startsWith(`..${path.sep}`) && !path.isAbsolute(relative));
}

/** Whether there is a symbolic link at an absolute path. */
export async function isLink(file: string): Promise<boolean> {
  try {
    return (await lstat(file)).isSymbolicLink();
  } catch {
    return false;
  }
}
