import * as vscode from "vscode";
import { err, ok, type Result } from "../../base/result.ts";
import type { FileError, FileRef } from "../../ports/workspace.ts";
import { isVersionControlPath } from "../../tools/permissions/protectedPath.ts";
import { unlessMissing } from "./unlessMissing.ts";

/** What the file system of this machine tells of absolute paths; there is none in the browser. */
export interface LocalDisk {
  /** The path with every symbolic link resolved, or null when there is no such file. Rejects for a link that leads nowhere. */
  realPath(path: string): Promise<string | null>;
  /** True when the file's mode forbids everybody to write it. */
  isReadOnly(path: string): Promise<boolean>;
}

/** Proves that `uri`, which need not exist, is inside a workspace folder after symbolic links. Without a disk any symbolic link is refused. */
export async function confineUri(uri: vscode.Uri, disk: LocalDisk | null): Promise<Result<FileRef, FileError>> {
  const folders = vscode.workspace.workspaceFolders ?? [];
  if (folders.length === 0) return err({ code: "no-workspace", path: "" });
  const folder = vscode.workspace.getWorkspaceFolder(uri);
  const shown = uri.scheme === "file" ? uri.fsPath : uri.path;
  if (!folder) return err({ code: "outside-workspace", path: shown });
  const relative = uri.path.slice(folder.uri.path.length).replace(/^\/+/, "");
  const path = folders.length > 1 ? [folder.name, relative].filter(Boolean).join("/") : relative;
  const refusal =
    uri.scheme === "file" && disk ? await linkError(disk, folder.uri, uri, path) : await anyLinkError(folder.uri, relative, path);
  return refusal ? err(refusal) : ok({ path, uri: uri.toString() });
}

/** The URI of a path from the model or the panel: absolute, or relative to the workspace. With several folders it begins with a folder's name. */
export function locateUri(path: string): Result<vscode.Uri, FileError> {
  const folders = vscode.workspace.workspaceFolders ?? [];
  const first = folders[0];
  if (!first) return err({ code: "no-workspace", path: "" });
  if (path.includes("\0")) return err({ code: "nul-in-path", path });
  const windows = /^\/[a-z]:/i.test(first.uri.path) || first.uri.fsPath.startsWith("\\\\");
  const text = windows ? path.replaceAll("\\", "/") : path;
  if (text.startsWith("/") || (windows && /^[a-z]:\//i.test(text))) {
    const absolute = first.uri.scheme === "file" ? vscode.Uri.file(text) : first.uri.with({ path: text });
    return ok(vscode.Uri.joinPath(absolute, "."));
  }
  if (folders.length === 1) return ok(inside(first.uri, text));
  const [name = "", ...rest] = text.replace(/^(\.\/)+/, "").split("/");
  const named = folders.find((folder) => folder.name === name);
  if (named) return ok(inside(named.uri, rest.join("/")));
  const names = folders.map((folder) => folder.name).join(", ");
  return err({ code: "unknown-folder", path, detail: names });
}

/** The workspace-relative path of a URI by its spelling alone, or null when it is in no folder. */
export function workspacePathOf(uri: vscode.Uri): string | null {
  const folder = vscode.workspace.getWorkspaceFolder(uri);
  if (!folder) return null;
  const relative = uri.path.slice(folder.uri.path.length).replace(/^\/+/, "");
  return (vscode.workspace.workspaceFolders ?? []).length > 1 ? `${folder.name}/${relative}` : relative;
}

/** Joins and resolves `..`. */
function inside(folder: vscode.Uri, relative: string): vscode.Uri {
  const joined = vscode.Uri.joinPath(folder, relative);
  return joined.path.length > 1 && joined.path.endsWith("/") ? joined.with({ path: joined.path.slice(0, -1) }) : joined;
}

/** A link out of the workspace is an error, and one that leads to what belongs to version control. */
async function linkError({ realPath }: LocalDisk, folder: vscode.Uri, uri: vscode.Uri, path: string): Promise<FileError | null> {
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
    const isInside = `${inReal}/`.startsWith(inRoot.endsWith("/") ? inRoot : `${inRoot}/`);
    if (!isInside) return { code: "leads-outside", path };
    // Whether it may be changed is decided by the path as it is spelled.
    const hidden = isVersionControlPath(inReal.slice(inRoot.length)) && !isVersionControlPath(path);
    return hidden ? { code: "version-control", path } : null;
  } catch {
    return { code: "broken-link", path };
  }
}

async function anyLinkError(folder: vscode.Uri, relative: string, path: string): Promise<FileError | null> {
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
