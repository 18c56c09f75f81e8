import { err, ok, type Result } from "../../base/result.ts";

/** The arguments of a guest's tools that name files. */
const PATHS = ["file_path", "path", "from", "to"] as const;
const ABSOLUTE = /^(?:[/\\]|[a-z]:[/\\])/i;

/** The folder in which a guest works, of a window with several. */
export interface GuestFolder {
  /** The absolute path of one below it. */
  at(relative: string): string;
  /** True where something right in it has this name. */
  has(name: string): Promise<boolean>;
}

/**
 * A call's arguments with paths as a window with the folders `names` takes them: absolute, or with
 * one of these names first. All others are below the guest's own folder. The error is a path that
 * can be both.
 */
export async function windowArguments(
  args: unknown,
  own: GuestFolder,
  names: readonly string[],
): Promise<Result<unknown, string>> {
  if (typeof args !== "object" || args === null) return ok(args);
  const placed: Record<string, unknown> = { ...args };
  for (const name of PATHS) {
    const path = placed[name];
    if (typeof path !== "string" || path === "" || ABSOLUTE.test(path)) continue;
    const [first = ""] = path.replace(/^(?:\.[/\\])+/, "").split(/[/\\]/);
    const named = names.filter((each) => each === first).length;
    if (named === 0) placed[name] = own.at(path);
    else if (named > 1 || (await own.has(first))) return err(path);
  }
  return ok(placed);
}
