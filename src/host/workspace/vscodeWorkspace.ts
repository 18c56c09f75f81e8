import * as vscode from "vscode";
import { err, ok, type Result } from "../../base/result.ts";
import {
  type DirectoryEntry,
  directoriesFirst,
  type FileError,
  type FileRef,
  type FileSnapshot,
  MAX_FILE_BYTES,
  type SearchAnswer,
  secretRefusal,
  type TextSearch,
  type Workspace,
} from "../../ports/workspace.ts";
import { documentText, isDecodedLossily, openDocument } from "./documentText.ts";
import { confineUri, type LocalDisk, locateUri } from "./workspacePath.ts";
import { type FolderSearch, searchWorkspace } from "./workspaceSearch.ts";

/**
 * The window's workspace on any file system. An open document's text includes unsaved edits.
 * Reading never opens a document.
 */
export class VscodeWorkspace implements Workspace {
  private readonly disk: LocalDisk | null;
  private readonly folderSearch: FolderSearch | null;

  /** Without a disk (in the browser), paths through symbolic links are refused. */
  constructor(disk: LocalDisk | null, folderSearch: FolderSearch | null = null) {
    this.disk = disk;
    this.folderSearch = folderSearch;
  }

  get trusted(): boolean {
    return vscode.workspace.isTrusted;
  }

  get folders(): readonly string[] {
    return (vscode.workspace.workspaceFolders ?? []).map((folder) => folder.name);
  }

  async resolve(path: string): Promise<Result<FileRef, FileError>> {
    const located = locateUri(path);
    return located.ok ? confineUri(located.value, this.disk) : located;
  }

  /** Like {@link resolve}, for a URI from the editor. */
  resolveUri(uri: vscode.Uri): Promise<Result<FileRef, FileError>> {
    return confineUri(uri, this.disk);
  }

  async read(file: FileRef, signal: AbortSignal): Promise<Result<FileSnapshot, FileError>> {
    const secret = secretRefusal(file, this.trusted);
    if (secret) return err(secret);
    const uri = vscode.Uri.parse(file.uri, true);
    const now = await this.resolveUri(uri);
    // Files outside all folders were not resolved through them in the first place.
    if (!now.ok && now.error.code !== "outside-workspace" && now.error.code !== "no-workspace")
      return now;
    if (now.ok && now.value.secret && !file.secret)
      return err({ code: "moved-meanwhile", path: file.path });
    const open = openDocument(uri);
    if (open)
      return ok({
        file,
        exists: true,
        text: open.getText(),
        version: open.version,
        languageId: open.languageId,
      });
    try {
      const refused = statError(await vscode.workspace.fs.stat(uri), file.path);
      if (refused) return err(refused);
      const bytes = await vscode.workspace.fs.readFile(uri);
      if (signal.aborted) return err({ code: "cancelled", path: file.path });
      if (isBinary(bytes)) return err({ code: "binary", path: file.path });
      return ok({
        file,
        exists: true,
        text: await documentText(uri, bytes),
        version: 0,
        languageId: "",
      });
    } catch (error) {
      return err(fileSystemError(error, file.path));
    }
  }

  async writable(file: FileRef): Promise<FileError | null> {
    if (!this.trusted) return { code: "untrusted", path: file.path };
    const uri = vscode.Uri.parse(file.uri, true);
    const readOnly: FileError = { code: "read-only", path: file.path };
    if (vscode.workspace.fs.isWritableFileSystem(uri.scheme) === false) return readOnly;
    // Saving an edited notebook would overwrite the change, or fail.
    if (isEditedNotebook(uri)) return { code: "unsaved-notebook", path: file.path };
    try {
      const stat = await vscode.workspace.fs.stat(uri);
      const refused = statError(stat, file.path);
      if (refused) return refused;
      if (((stat.permissions ?? 0) & vscode.FilePermission.Readonly) !== 0) return readOnly;
      if (uri.scheme === "file" && (await this.disk?.isReadOnly(uri.fsPath))) return readOnly;
      const bytes = await vscode.workspace.fs.readFile(uri);
      if (isBinary(bytes)) return { code: "binary", path: file.path };
      return (await isDecodedLossily(uri, bytes)) ? { code: "undecoded", path: file.path } : null;
    } catch (error) {
      const failed = fileSystemError(error, file.path);
      return failed.code === "not-found" ? null : failed;
    }
  }

  async list(
    path: string,
    signal: AbortSignal,
  ): Promise<Result<readonly DirectoryEntry[], FileError>> {
    const root = /^(\.?\/?)$/.test(path);
    if (root && this.folders.length > 1)
      return ok(this.folders.map((name) => ({ name, kind: "directory" })));
    const file = await this.resolve(root ? "." : path);
    if (!file.ok) return file;
    const shown = file.value.path || ".";
    try {
      const uri = vscode.Uri.parse(file.value.uri, true);
      const stat = await vscode.workspace.fs.stat(uri);
      if ((stat.type & vscode.FileType.Directory) === 0)
        return err({ code: "is-file", path: shown });
      const entries = await vscode.workspace.fs.readDirectory(uri);
      if (signal.aborted) return err({ code: "cancelled", path: shown });
      return ok(
        entries.map(([name, type]) => ({ name, kind: entryKind(type) })).sort(directoriesFirst),
      );
    } catch (error) {
      return err(fileSystemError(error, shown));
    }
  }

  search(query: TextSearch, signal: AbortSignal): Promise<Result<SearchAnswer, FileError>> {
    return searchWorkspace(query, signal, this.folderSearch, async (uri) => {
      const file = await this.resolveUri(uri);
      return file.ok && !file.value.secret ? file.value.path : null;
    });
  }
}

/** Why this cannot be read as a text file, or null if it can. */
function statError({ type, size }: vscode.FileStat, path: string): FileError | null {
  if ((type & vscode.FileType.Directory) !== 0) return { code: "is-directory", path };
  // Reading a pipe would block until something writes to it.
  if ((type & vscode.FileType.File) === 0) return { code: "not-regular", path };
  return size > MAX_FILE_BYTES ? { code: "too-large", path, bytes: size } : null;
}

/** Whether a notebook editor has unsaved changes to the file. */
function isEditedNotebook(uri: vscode.Uri): boolean {
  return vscode.workspace.notebookDocuments.some(
    (notebook) => notebook.isDirty && notebook.uri.toString() === uri.toString(),
  );
}

/** Whether the first 8 KB contain a NUL and there is no UTF-16 byte order mark. */
function isBinary(bytes: Uint8Array): boolean {
  const utf16 =
    (bytes[0] === 0xff && bytes[1] === 0xfe) || (bytes[0] === 0xfe && bytes[1] === 0xff);
  return !utf16 && bytes.subarray(0, 8192).includes(0);
}

function entryKind(type: vscode.FileType): DirectoryEntry["kind"] {
  if ((type & vscode.FileType.SymbolicLink) !== 0) return "symlink";
  return (type & vscode.FileType.Directory) !== 0 ? "directory" : "file";
}

const READ_ERRORS: Readonly<Record<string, FileError["code"]>> = {
  FileNotFound: "not-found",
  FileNotADirectory: "not-found",
  FileIsADirectory: "is-directory",
  NoPermissions: "permission-denied",
};

function fileSystemError(error: unknown, path: string): FileError {
  const detail = error instanceof vscode.FileSystemError ? error.code : "";
  return { code: READ_ERRORS[detail] ?? "unreadable", path, detail };
}
