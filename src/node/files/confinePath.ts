import { lstat, realpath } from "node:fs/promises";
import * as path from "node:path";
import { pathToFileURL } from "node:url";
import { err, ok, type Result } from "../../base/result.ts";
import type { FileError, FileRef } from "../../ports/workspace.ts";
import { judgedRef } from "../../tools/permissions/protectedPath.ts";
import { dependsOnProcess } from "../processes/followLinks.ts";
import { errorCode } from "./systemError.ts";

/** A path inside a root, as named and with links resolved. */
export interface ConfinedPath {
  /** Relative to the root, with `/` separators. "" is the root itself. */
  readonly relative: string;
  /** Absolute, with symlinks resolved as far as the path exists. */
  readonly real: string;
  /** {@link real} relative to the resolved root, in the same form as {@link relative}. */
  readonly realRelative: string;
}

/**
 * Proves that `name` is inside `root`, both as written and with symlinks resolved. `name` need not
 * exist. `realRoot` is the resolved `root`.
 */
export async function confinePath(
  root: string,
  realRoot: string,
  name: string,
): Promise<Result<ConfinedPath, FileError>> {
  if (name.includes("\0")) return err({ code: "nul-in-path", path: name });
  const outside: FileError = { code: "outside-workspace", path: name };
  const absolute = path.resolve(root, name);
  const base = [root, realRoot].find((folder) => holdsPath(folder, absolute));
  if (base === undefined) return err(outside);
  const relative = path.relative(base, absolute);

  let existing = path.join(realRoot, relative);
  const missing: string[] = [];
  for (;;) {
    try {
      const found = await realpath(existing);
      const real = path.join(found, ...missing);
      if (!holdsPath(realRoot, real) || (found !== existing && (await dependsOnProcess(existing))))
        return err({ code: "leads-outside", path: name });
      return ok({
        relative: slashes(relative),
        real,
        realRelative: slashes(path.relative(realRoot, real)),
      });
    } catch (error) {
      const code = errorCode(error);
      if (code === "ENAMETOOLONG")
        return err({ code: "path-too-long", path: `${name.slice(0, 80)}…` });
      if (code === "ENOTDIR") return err({ code: "parent-is-file", path: name });
      if (code !== "ENOENT" && code !== "ELOOP")
        return err({ code: "unreadable", path: name, detail: code });
      if (code === "ELOOP" || (await isLink(existing)))
        return err({ code: "broken-link", path: name });
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

function holdsPath(folder: string, file: string): boolean {
  const relative = path.relative(folder, file);
  return (
    relative === "" ||
    (relative !== ".." && !relative.startsWith(`..${path.sep}`) && !path.isAbsolute(relative))
  );
}

/** Whether an absolute path is a symbolic link. */
export async function isLink(file: string): Promise<boolean> {
  try {
    return (await lstat(file)).isSymbolicLink();
  } catch {
    return false;
  }
}

/** Converts a confined path to a workspace file. */
export function fileRefOf({ relative, real, realRelative }: ConfinedPath): FileRef {
  return judgedRef(relative, pathToFileURL(real).href, [relative, realRelative]);
}
