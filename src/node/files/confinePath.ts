import { lstat, realpath } from "node:fs/promises";
import * as path from "node:path";
import { pathToFileURL } from "node:url";
import { err, ok, type Result } from "../../base/result.ts";
import type { FileError, FileRef } from "../../ports/workspace.ts";
import { judgedRef } from "../../tools/permissions/protectedPath.ts";
import { errorCode } from "./systemError.ts";

/** A path inside a root: as named, and as it really is. */
export interface ConfinedPath {
  /** Relative to the root, `/` between segments, "" for the root itself. */
  readonly relative: string;
  /** Absolute, with symlinks resolved as far as it exists. */
  readonly real: string;
  /** {@link real} relative to the resolved root, like {@link relative}. */
  readonly realRelative: string;
}

/** Proves that `name`, which need not exist, is inside `root`, as written and with symlinks resolved. `realRoot` is the resolved `root`. */
export async function confinePath(root: string, realRoot: string, name: string): Promise<Result<ConfinedPath, FileError>> {
  if (name.includes("\0")) return err({ code: "nul-in-path", path: name });
  const outside: FileError = { code: "outside-workspace", path: name };
  const absolute = path.resolve(root, name);
  const base = [root, realRoot].find((folder) => contains(folder, absolute));
  if (base === undefined) return err(outside);
  const relative = path.relative(base, absolute);

  let existing = path.join(realRoot, relative);
  const missing: string[] = [];
  for (;;) {
    try {
      const real = path.join(await realpath(existing), ...missing);
      if (!contains(realRoot, real)) return err({ code: "leads-outside", path: name });
      return ok({ relative: slashes(relative), real, realRelative: slashes(path.relative(realRoot, real)) });
    } catch (error) {
      const code = errorCode(error);
      if (code === "ENAMETOOLONG") return err({ code: "path-too-long", path: `${name.slice(0, 80)}…` });
      if (code === "ENOTDIR") return err({ code: "parent-is-file", path: name });
      if (code !== "ENOENT" && code !== "ELOOP") return err({ code: "unreadable", path: name, detail: code });
      if (code === "ELOOP" || (await isLink(existing))) return err({ code: "broken-link", path: name });
      missing.unshift(path.basename(existing));
      const parent = path.dirname(existing);
      if (parent === existing) return err(outside);
      existing = parent;
    }
  }
}

function slashes(relative: string): string {
  return relative.split(path.sep).join("/");
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

/** A confined path as a file of the workspace. */
export function refOf({ relative, real, realRelative }: ConfinedPath): FileRef {
  return judgedRef(relative, pathToFileURL(real).href, [relative, realRelative]);
}
