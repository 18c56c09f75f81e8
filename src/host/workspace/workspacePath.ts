import * as vscode from "vscode";
import { err, ok, type Result } from "../../base/result.ts";
import type { FileError, FileRef } from "../../ports/workspace.ts";
import { isVersionControlPath, judgedRef } from "../../tools/permissions/protectedPath.ts";
import { unlessMissing } from "./unlessMissing.ts";

/** The local file system's view of absolute paths. The browser has none. */
export interface LocalDisk {
  /**
   * Resolves all symbolic links in a path. Null if the file does not exist. Rejects for a dangling
   * link.
   */
  realPath(path: string): Promise<string | null>;
  /** Whether the file's mode lets nobody write. */
  isReadOnly(path: string): Promise<boolean>;
  /** Whether it is a program, as git sees it. */
  isExecutable?(path: string): Promise<boolean>;
  /**
   * Creates a file and missing folders below `root`, even if they change meanwhile. Rejects if one
   * becomes a link.
   */
  createFile?(root: string, relative: string, content: Uint8Array): Promise<void>;
  /**
   * Makes a file a program, or none, below `root`. False where there are no such modes; rejects for
   * a link.
   */
  setExecutable?(root: string, relative: string, executable: boolean): Promise<boolean>;
}

/** A file's real location: a path below its workspace folder, with links resolved. */
export interface RealPlace {
  readonly root: string;
  /** With `/` separators. */
  readonly relative: string;
}

/**
 * Proves that `uri` is inside a workspace folder after resolving symbolic links. It need not exist.
 * Without a disk, any symbolic link is refused.
 */
export async function confineUri(
  uri: vscode.Uri,
  disk: LocalDisk | null,
): Promise<Result<FileRef, FileError>> {
  const found = await findPlace(uri, disk);
  return found.ok ? ok(found.value.file) : found;
}

/**
 * {@link confineUri}, plus the real location on this machine's disk, or null for other file
 * systems.
 */
export async function findPlace(
  uri: vscode.Uri,
  disk: LocalDisk | null,
): Promise<Result<{ readonly file: FileRef; readonly place: RealPlace | null }, FileError>> {
  const folders = vscode.workspace.workspaceFolders ?? [];
  if (folders.length === 0) return err({ code: "no-workspace", path: "" });
  const folder = vscode.workspace.getWorkspaceFolder(uri);
  const shown = uri.scheme === "file" ? uri.fsPath : uri.path;
  if (!folder) return err({ code: "outside-workspace", path: shown });
  const relative = uri.path.slice(folder.uri.path.length).replace(/^\/+/, "");
  const path = folders.length > 1 ? [folder.name, relative].filter(Boolean).join("/") : relative;
  if (uri.scheme === "file" && disk) {
    const real = await realPlace(disk, folder.uri, uri, path);
    return real.ok
      ? ok({
          file: judgedRef(path, uri.toString(), [relative, real.value.relative]),
          place: real.value,
        })
      : real;
  }
  const refusal = await anyLinkError(folder.uri, relative, path);
  return refusal
    ? err(refusal)
    : ok({ file: judgedRef(path, uri.toString(), [relative]), place: null });
}

/**
 * The URI of a path from the model or the panel, absolute or workspace-relative. In a multi-root
 * workspace, a relative path starts with a folder's name.
 */
export function locateUri(path: string): Result<vscode.Uri, FileError> {
  const folders = vscode.workspace.workspaceFolders ?? [];
  const first = folders[0];
  if (!first) return err({ code: "no-workspace", path: "" });
  if (path.includes("\0")) return err({ code: "nul-in-path", path });
  const windows = /^\/[a-z]:/i.test(first.uri.path) || first.uri.fsPath.startsWith("\\\\");
  const text = windows ? path.replaceAll("\\", "/") : path;
  if (text.startsWith("/") || (windows && /^[a-z]:\//i.test(text))) {
    const absolute =
      first.uri.scheme === "file" ? vscode.Uri.file(text) : first.uri.with({ path: text });
    return ok(vscode.Uri.joinPath(absolute, "."));
  }
  if (folders.length === 1) return ok(inside(first.uri, text));
  const [name = "", ...rest] = text.replace(/^(\.\/)+/, "").split("/");
  const named = folders.find((folder) => folder.name === name);
  if (named) return ok(inside(named.uri, rest.join("/")));
  const names = folders.map((folder) => folder.name).join(", ");
  return err({ code: "unknown-folder", path, detail: names });
}

/** The workspace-relative path of a URI by its spelling alone. Null if it is in no folder. */
export function workspacePathOf(uri: vscode.Uri): string | null {
  const folder = vscode.workspace.getWorkspaceFolder(uri);
  if (!folder) return null;
  const relative = uri.path.slice(folder.uri.path.length).replace(/^\/+/, "");
  return (vscode.workspace.workspaceFolders ?? []).length > 1
    ? `${folder.name}/${relative}`
    : relative;
}

/** Joins the paths and resolves `..`. */
function inside(folder: vscode.Uri, relative: string): vscode.Uri {
  const joined = vscode.Uri.joinPath(folder, relative);
  return joined.path.length > 1 && joined.path.endsWith("/")
    ? joined.with({ path: joined.path.slice(0, -1) })
    : joined;
}

/**
 * The file's location with links resolved. A link that leads out of the workspace or into version
 * control is an error.
 */
async function realPlace(
  { realPath }: LocalDisk,
  folder: vscode.Uri,
  uri: vscode.Uri,
  path: string,
): Promise<Result<RealPlace, FileError>> {
  try {
    const root = await realPath(folder.fsPath);
    if (root === null) return err({ code: "not-found", path: folder.fsPath });
    let place = uri;
    let real = await realPath(place.fsPath);
    while (real === null) {
      place = vscode.Uri.joinPath(place, "..");
      real = await realPath(place.fsPath);
    }
    const [inRoot, inReal] = [vscode.Uri.file(root).path, vscode.Uri.file(real).path];
    const isInside = `${inReal}/`.startsWith(inRoot.endsWith("/") ? inRoot : `${inRoot}/`);
    if (!isInside) return err({ code: "leads-outside", path });
    const missing = uri.path.slice(place.path.length);
    const realRelative = (inReal.slice(inRoot.length) + missing).replace(/^\/+/, "");
    // The path as spelled decides whether the file may be changed.
    const hidden = isVersionControlPath(realRelative) && !isVersionControlPath(path);
    return hidden ? err({ code: "version-control", path }) : ok({ root, relative: realRelative });
  } catch {
    return err({ code: "broken-link", path });
  }
}

async function anyLinkError(
  folder: vscode.Uri,
  relative: string,
  path: string,
): Promise<FileError | null> {
  let place = folder;
  for (const segment of relative.split("/").filter(Boolean)) {
    place = vscode.Uri.joinPath(place, segment);
    const stat = await unlessMissing(vscode.workspace.fs.stat(place)).catch(() => undefined);
    if (stat === null) return null;
    if (stat === undefined) return { code: "unreadable", path };
    if ((stat.type & vscode.FileType.SymbolicLink) !== 0) return { code: "unchecked-link", path };
  }
  return null;
}
