import * as vscode from "vscode";
import { err, ok, type Result } from "../../base/result.ts";
import { missing, notFile, notFolder, notPermitted, notReadable, notRegular, readingCancelled, tooLarge } from "../../ports/fileErrors.ts";
import {
  type DirectoryEntry,
  type FileError,
  type FileRef,
  type FileSnapshot,
  MAX_FILE_BYTES,
  type TextMatch,
  type TextSearch,
  type Workspace,
} from "../../ports/workspace.ts";
import { documentText, isDecodedLossily, openDocument } from "./documentText.ts";
import { confineUri, type LocalDisk, locateUri } from "./workspacePath.ts";
import { type FolderSearch, searchWorkspace } from "./workspaceSearch.ts";

/** The workspace of this window, on whatever file system its folders are. An open document's text counts, unsaved edits included; reading opens none. */
export class VscodeWorkspace implements Workspace {
  private readonly disk: LocalDisk | null;
  private readonly folderSearch: FolderSearch | null;

  /** Without a disk (in the browser) paths through symbolic links are refused. */
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
    const uri = vscode.Uri.parse(file.uri, true);
    const open = openDocument(uri);
    if (open) return ok({ file, exists: true, text: open.getText(), version: open.version, languageId: open.languageId });
    try {
      const stat = await vscode.workspace.fs.stat(uri);
      if ((stat.type & vscode.FileType.Directory) !== 0) return err(notFile(file.path));
      // Reading a pipe would block until somebody writes to it.
      if ((stat.type & vscode.FileType.File) === 0) return err(notRegular(file.path));
      if (stat.size > MAX_FILE_BYTES) return err(tooLarge(file.path, stat.size));
      const bytes = await vscode.workspace.fs.readFile(uri);
      if (signal.aborted) return err(readingCancelled(file.path));
      if (isBinary(bytes)) return err(binary(file.path));
      return ok({ file, exists: true, text: await documentText(uri, bytes), version: 0, languageId: "" });
    } catch (error) {
      return err(readError(error, file.path));
    }
  }

  async writable(file: FileRef): Promise<FileError | null> {
    if (!this.trusted) {
      return {
        kind: "untrusted",
        message: `This workspace is not trusted, so ${file.path} cannot be changed. Run Workspaces: Manage Workspace Trust to trust it.`,
      };
    }
    const uri = vscode.Uri.parse(file.uri, true);
    const readOnly: FileError = { kind: "read-only", message: `${file.path} is read-only. Make it writable first.` };
    if (vscode.workspace.fs.isWritableFileSystem(uri.scheme) === false) return readOnly;
    try {
      const stat = await vscode.workspace.fs.stat(uri);
      if ((stat.type & vscode.FileType.Directory) !== 0) return notFile(file.path);
      if ((stat.type & vscode.FileType.File) === 0) return notRegular(file.path);
      if (((stat.permissions ?? 0) & vscode.FilePermission.Readonly) !== 0) return readOnly;
      if (uri.scheme === "file" && (await this.disk?.isReadOnly(uri.fsPath))) return readOnly;
      if (stat.size > MAX_FILE_BYTES) return tooLarge(file.path, stat.size);
      const bytes = await vscode.workspace.fs.readFile(uri);
      if (isBinary(bytes)) return binary(file.path);
      return (await isDecodedLossily(uri, bytes)) ? undecoded(file.path) : null;
    } catch (error) {
      const failed = readError(error, file.path);
      return failed.kind === "not-found" ? null : failed;
    }
  }

  async list(path: string, signal: AbortSignal): Promise<Result<readonly DirectoryEntry[], FileError>> {
    const root = /^(\.?\/?)$/.test(path);
    if (root && this.folders.length > 1) return ok(this.folders.map((name) => ({ name, kind: "directory" })));
    const file = await this.resolve(root ? "." : path);
    if (!file.ok) return file;
    const shown = file.value.path || ".";
    try {
      const uri = vscode.Uri.parse(file.value.uri, true);
      const stat = await vscode.workspace.fs.stat(uri);
      if ((stat.type & vscode.FileType.Directory) === 0) {
        return err(notFolder(shown));
      }
      const entries = await vscode.workspace.fs.readDirectory(uri);
      if (signal.aborted) return err({ kind: "unreadable", message: `Listing ${shown} was cancelled.` });
      return ok(entries.map(([name, type]) => ({ name, kind: kindOf(type) })).sort(directoriesFirst));
    } catch (error) {
      return err(readError(error, shown));
    }
  }

  search(
    query: TextSearch,
    signal: AbortSignal,
  ): Promise<Result<{ readonly matches: readonly TextMatch[]; readonly truncated: boolean }, FileError>> {
    return searchWorkspace(query, signal, this.folderSearch, async (uri) => {
      const file = await this.resolveUri(uri);
      return file.ok ? file.value.path : null;
    });
  }
}

/** True when the first 8 KB hold a NUL and no UTF-16 byte order mark. */
function isBinary(bytes: Uint8Array): boolean {
  const utf16 = (bytes[0] === 0xff && bytes[1] === 0xfe) || (bytes[0] === 0xfe && bytes[1] === 0xff);
  return !utf16 && bytes.subarray(0, 8192).includes(0);
}

function kindOf(type: vscode.FileType): DirectoryEntry["kind"] {
  if ((type & vscode.FileType.SymbolicLink) !== 0) return "symlink";
  return (type & vscode.FileType.Directory) !== 0 ? "directory" : "file";
}

function directoriesFirst(a: DirectoryEntry, b: DirectoryEntry): number {
  const rank = (entry: DirectoryEntry) => (entry.kind === "directory" ? 0 : 1);
  return rank(a) - rank(b) || (a.name < b.name ? -1 : 1);
}

function binary(path: string): FileError {
  return { kind: "binary", message: `${path} is not a text file, so it cannot be read or edited as text.` };
}

function undecoded(path: string): FileError {
  return {
    kind: "binary",
    message: `${path} is not UTF-8 text, and saving it as such would damage it. Choose its encoding with Change File Encoding (Reopen with Encoding), then try again.`,
  };
}

function readError(error: unknown, path: string): FileError {
  const code = error instanceof vscode.FileSystemError ? error.code : "";
  if (code === "FileNotFound" || code === "FileNotADirectory") return missing(path);
  if (code === "FileIsADirectory") return notFile(path);
  if (code === "NoPermissions") return notPermitted(path);
  const text = error instanceof Error ? error.message : String(error);
  if (/binary/i.test(text)) return binary(path);
  return notReadable(path, code);
}
