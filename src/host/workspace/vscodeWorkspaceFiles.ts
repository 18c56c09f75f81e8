import * as vscode from "vscode";
import { err, ok, type Result } from "../../base/result.ts";
import { thrownText } from "../../base/text/sentence.ts";
import type { FileError, FileRef } from "../../ports/workspace.ts";
import {
  changeRefusal,
  type FileSearch,
  type FileStat,
  type FoundFiles,
  type WorkspaceFiles,
} from "../../ports/workspaceFiles.ts";
import { encodeNewText, encodeReplacement } from "./encodeText.ts";
import { type FolderFiles, listedFiles } from "./listedFiles.ts";
import { lookAt } from "./unlessMissing.ts";
import { visibleFiles } from "./visibleFiles.ts";
import type { VscodeWorkspace } from "./vscodeWorkspace.ts";
import { findPlace, type LocalDisk, workspacePathOf } from "./workspacePath.ts";

/** A path to write to, and whether it exists. */
interface WriteTarget {
  readonly file: FileRef;
  readonly exists: boolean;
}

/** The most files to list, before ignore rules. */
const MAX_FILES = 50_000;

/**
 * File operations in the window's workspace. They use `WorkspaceEdit`s, so that the user can undo
 * them and language extensions take part. Exceptions are new files on this machine's disk, and
 * creating or copying a folder, which `WorkspaceEdit` does not support.
 */
export function createVscodeWorkspaceFiles(
  workspace: VscodeWorkspace,
  disk: LocalDisk | null,
  folderFiles: FolderFiles | null = null,
): WorkspaceFiles {
  return {
    stat: (path) => statFile(workspace, disk, path),
    find: (query, signal) => findFiles(workspace, folderFiles, query, signal),
    createFile: (path, text, overwrite, asked = false) =>
      createFile(workspace, disk, path, text, overwrite, asked),
    createDirectory: (path, asked = false) => createDirectory(workspace, path, asked),
    delete: (path, recursive, asked = false) => deleteFile(workspace, path, recursive, asked),
    rename: (from, to, overwrite, asked = false) =>
      transfer(
        workspace,
        from,
        to,
        overwrite,
        asked,
        { code: "not-changed", path: from },
        (uri, place) => applied((edit) => edit.renameFile(uri, place, { overwrite })),
      ),
    setExecutable: (path, executable, asked = false) =>
      setExecutable(workspace, disk, path, executable, asked),
    copy: (from, to, overwrite, asked = false) =>
      transfer(
        workspace,
        from,
        to,
        overwrite,
        asked,
        { code: "not-created", path: to },
        async (uri, place, stat) => {
          if (isFolder(stat)) return vscode.workspace.fs.copy(uri, place, { overwrite });
          const contents = await vscode.workspace.fs.readFile(uri);
          return applied((edit) => edit.createFile(place, { contents, overwrite }));
        },
      ),
  };
}

async function statFile(
  workspace: VscodeWorkspace,
  disk: LocalDisk | null,
  path: string,
): Promise<Result<FileStat, FileError>> {
  const file = await workspace.resolve(path);
  if (!file.ok) return file;
  const found = await look(file.value);
  if (!found) return err({ code: "not-found", path });
  const uri = vscode.Uri.parse(file.value.uri, true);
  const locked = ((found.permissions ?? 0) & vscode.FilePermission.Readonly) !== 0;
  const readOnly =
    locked || (uri.scheme === "file" && (await disk?.isReadOnly(uri.fsPath)) === true);
  const kind = isFolder(found) ? "directory" : "file";
  const executable = uri.scheme === "file" && (await disk?.isExecutable?.(uri.fsPath)) === true;
  return ok({
    file: file.value,
    kind,
    symlink: isLinkStat(found),
    bytes: found.size,
    modifiedAt: found.mtime,
    readOnly,
    executable,
  });
}

async function findFiles(
  workspace: VscodeWorkspace,
  folderFiles: FolderFiles | null,
  { folder, glob, limit }: FileSearch,
  signal: AbortSignal,
): Promise<Result<FoundFiles, FileError>> {
  if (workspace.folders.length === 0) return err({ code: "no-workspace", path: "" });
  const within = folder === "" ? null : await workspace.resolve(folder);
  if (within && !within.ok) return within;
  const stat = within ? await look(within.value) : null;
  if (within && !stat) return err({ code: "not-found", path: folder });
  if (stat && !isFolder(stat)) return err({ code: "is-file", path: folder });
  const found =
    (folderFiles && (await listedFiles(glob, signal, folderFiles))) ??
    (await visibleFiles(glob, MAX_FILES, signal));
  if (signal.aborted) return err({ code: "cancelled", path: folder });
  const prefix = within && within.value.path !== "" ? `${within.value.path}/` : "";
  const inside = insideOf(workspace);
  const paths: string[] = [];
  for (const uri of found.uris) {
    const path = workspacePathOf(uri);
    if (path === null || !path.startsWith(prefix) || !(await inside(uri))) continue;
    if (paths.length >= limit) return ok({ paths, truncated: true });
    paths.push(path);
  }
  return ok({ paths, truncated: found.truncated });
}

async function createFile(
  workspace: VscodeWorkspace,
  disk: LocalDisk | null,
  path: string,
  text: string,
  overwrite: boolean,
  asked: boolean,
): Promise<Result<FileRef, FileError>> {
  const found = await writeTarget(workspace, path, overwrite, asked);
  if (!found.ok) return found;
  const { file, exists } = found.value;
  const locked = exists ? await workspace.writable(file) : null;
  if (locked) return err(locked);
  const uri = vscode.Uri.parse(file.uri, true);
  const contents = exists
    ? await encodeReplacement(uri, text, await vscode.workspace.fs.readFile(uri))
    : await encodeNewText(uri, text);
  if (!contents) return err({ code: "unencodable", path });
  const refusal = { code: "not-created" as const, path };
  // The editor writes by path. On this machine's disk, Graft instead writes a new file into the
  // exact folder that it resolved.
  const safe = exists || !disk?.createFile ? null : await findPlace(uri, disk);
  if (safe && !safe.ok) return safe;
  const place = safe?.value.place ?? null;
  if (!place)
    return attemptChange(workspace, [file], refusal, () =>
      applied((edit) => edit.createFile(uri, { contents, overwrite })),
    );
  const late = safe ? changeRefusal(safe.value.file, asked) : null;
  if (late) return err(late);
  return attemptChange(workspace, [file], refusal, async () =>
    disk?.createFile?.(place.root, place.relative, contents),
  );
}

async function createDirectory(
  workspace: VscodeWorkspace,
  path: string,
  asked: boolean,
): Promise<Result<FileRef, FileError>> {
  const file = await resolveChangeable(workspace, path, asked);
  if (!file.ok) return file;
  const there = await look(file.value);
  if (there && !isFolder(there)) return err({ code: "is-file", path });
  if (there) return err({ code: "exists", path });
  const uri = vscode.Uri.parse(file.value.uri, true);
  return attemptChange(workspace, [file.value], { code: "not-created", path }, () =>
    vscode.workspace.fs.createDirectory(uri),
  );
}

async function deleteFile(
  workspace: VscodeWorkspace,
  path: string,
  recursive: boolean,
  asked: boolean,
): Promise<Result<FileRef, FileError>> {
  const found = await source(workspace, path, asked);
  if (!found.ok) return found;
  const { file, stat } = found.value;
  const uri = vscode.Uri.parse(file.uri, true);
  if (
    isFolder(stat) &&
    !isLinkStat(stat) &&
    !recursive &&
    (await vscode.workspace.fs.readDirectory(uri)).length > 0
  ) {
    return err({ code: "not-empty", path });
  }
  const unsaved = unsavedIn(file);
  if (unsaved) return err(unsaved);
  return attemptChange(workspace, [file], { code: "not-changed", path }, () =>
    applied((edit) => edit.deleteFile(uri, { recursive: isFolder(stat) })),
  );
}

/** The editor's files have no modes, so only a file on this machine's disk can change. */
async function setExecutable(
  workspace: VscodeWorkspace,
  disk: LocalDisk | null,
  path: string,
  executable: boolean,
  asked: boolean,
): Promise<Result<FileRef, FileError>> {
  const file = await resolveChangeable(workspace, path, asked);
  if (!file.ok) return file;
  const found = await findPlace(vscode.Uri.parse(file.value.uri, true), disk);
  if (!found.ok) return found;
  const { place } = found.value;
  if (!place || !disk?.setExecutable) return err({ code: "no-modes", path });
  try {
    const isDone = await disk.setExecutable(place.root, place.relative, executable);
    return isDone ? file : err({ code: "no-modes", path });
  } catch (error) {
    return err({ code: "not-changed", path, detail: thrownText(error) });
  }
}

async function writeTarget(
  workspace: VscodeWorkspace,
  path: string,
  overwrite: boolean,
  asked: boolean,
): Promise<Result<WriteTarget, FileError>> {
  const file = await resolveChangeable(workspace, path, asked);
  if (!file.ok) return file;
  const there = await look(file.value);
  if (!there) return ok({ file: file.value, exists: false });
  if (isFolder(there)) return err({ code: "is-directory", path });
  if (!overwrite) return err({ code: "exists", path });
  const unsaved = unsavedIn(file.value);
  return unsaved ? err(unsaved) : ok({ file: file.value, exists: true });
}

async function source(
  workspace: VscodeWorkspace,
  path: string,
  asked: boolean,
): Promise<Result<{ readonly file: FileRef; readonly stat: vscode.FileStat }, FileError>> {
  const file = await resolveChangeable(workspace, path, asked);
  if (!file.ok) return file;
  if (isRoot(file.value)) return err({ code: "is-workspace", path });
  const stat = await look(file.value);
  return stat ? ok({ file: file.value, stat }) : err({ code: "not-found", path });
}

/** Moves or copies `from` with `act`. `refusal` is the error if that fails. */
async function transfer(
  workspace: VscodeWorkspace,
  from: string,
  to: string,
  overwrite: boolean,
  asked: boolean,
  refusal: FileError,
  act: (uri: vscode.Uri, place: vscode.Uri, stat: vscode.FileStat) => Promise<unknown>,
): Promise<Result<FileRef, FileError>> {
  const found = await source(workspace, from, asked);
  if (!found.ok) return found;
  const place = await writeTarget(workspace, to, overwrite, asked);
  if (!place.ok) return place;
  const { file, stat } = found.value;
  const { file: goal } = place.value;
  if (isBelow(file, goal.uri))
    return err({ code: "into-itself", path: file.path, detail: goal.path });
  return attemptChange(workspace, [goal, file], refusal, () =>
    act(vscode.Uri.parse(file.uri, true), vscode.Uri.parse(goal.uri, true), stat),
  );
}

async function resolveChangeable(
  workspace: VscodeWorkspace,
  path: string,
  asked: boolean,
): Promise<Result<FileRef, FileError>> {
  if (!workspace.trusted) return err({ code: "untrusted", path });
  const file = await workspace.resolve(path);
  const refusal = file.ok ? changeRefusal(file.value, asked) : null;
  return refusal ? err(refusal) : file;
}

/**
 * Runs `work` and returns the first file. Fails if any file's path leads elsewhere afterwards.
 */
async function attemptChange(
  workspace: VscodeWorkspace,
  files: readonly [FileRef, ...FileRef[]],
  refusal: FileError,
  work: () => Thenable<unknown>,
): Promise<Result<FileRef, FileError>> {
  try {
    if ((await work()) === false) return err(refusal);
  } catch (error) {
    return err({
      ...refusal,
      detail: thrownText(error),
      ...(errorCodeOf(error) === "GRAFT_MOVED" && { code: "moved-meanwhile" }),
    });
  }
  for (const { path, protected: wasProtected } of files) {
    const now = await workspace.resolve(path);
    if (!now.ok || (now.value.protected && !wasProtected))
      return err({ code: "moved-meanwhile", path });
  }
  return ok(files[0]);
}

function look(file: FileRef): Promise<vscode.FileStat | null> {
  return lookAt(vscode.Uri.parse(file.uri, true));
}

/**
 * Whether a file is inside the workspace after resolving symbolic links. Checks each folder once,
 * because a search finds thousands of files.
 */
function insideOf(workspace: VscodeWorkspace): (uri: vscode.Uri) => Promise<boolean> {
  const byFolder = new Map<string, Promise<boolean>>();
  return (uri) => {
    const folder = vscode.Uri.joinPath(uri, "..");
    const known =
      byFolder.get(folder.path) ?? workspace.resolveUri(folder).then(({ ok: inside }) => inside);
    byFolder.set(folder.path, known);
    return known;
  };
}

function isLinkStat({ type }: vscode.FileStat): boolean {
  return (type & vscode.FileType.SymbolicLink) !== 0;
}

function isFolder({ type }: vscode.FileStat): boolean {
  return (type & vscode.FileType.Directory) !== 0;
}

function isRoot({ uri }: FileRef): boolean {
  return (vscode.workspace.workspaceFolders ?? []).some((folder) => folder.uri.toString() === uri);
}

/** Also true for the folder itself. */
function isBelow(folder: FileRef, uri: string): boolean {
  return `${uri}/`.startsWith(`${folder.uri}/`);
}

/** The error for a change that would lose unsaved edits, or null. */
function unsavedIn(file: FileRef): FileError | null {
  const unsaved = [...vscode.workspace.textDocuments, ...vscode.workspace.notebookDocuments].some(
    ({ isDirty, uri }) => isDirty && isBelow(file, uri.toString()),
  );
  return unsaved ? { code: "unsaved", path: file.path } : null;
}

async function applied(change: (edit: vscode.WorkspaceEdit) => void): Promise<boolean> {
  const edit = new vscode.WorkspaceEdit();
  change(edit);
  return vscode.workspace.applyEdit(edit);
}

function errorCodeOf(error: unknown): unknown {
  return error instanceof Error && "code" in error ? error.code : "";
}
