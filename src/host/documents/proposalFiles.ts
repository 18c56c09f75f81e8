import * as vscode from "vscode";

/**
 * The scheme of proposal documents, and how the schemes of further previews in the same window
 * begin.
 */
export const PROPOSAL_SCHEME = "graft-proposal";

const BYTE_ORDER_MARK = "\uFEFF";

interface ProposalFile {
  /**
   * As the editor wrote it; a text is encodedText when the editor asks for it, since a growing one is
   * put far more often than it is read.
   */
  readonly content: string | Uint8Array;
  readonly mtime: number;
  /** The time that the editor knows. */
  readonly knownMtime: number;
  readonly writable: boolean;
  readonly read: () => void;
}

function encodedText({ content }: ProposalFile, uri: vscode.Uri): Uint8Array {
  if (typeof content !== "string") return content;
  return new TextEncoder().encode(isReadAsUtf8(uri) ? content : `${BYTE_ORDER_MARK}${content}`);
}

/**
 * With a byte order mark the editor reads and writes UTF-8 whatever the settings say, but then
 * names the encoding so: it is put where needed only.
 */
function isReadAsUtf8(uri: vscode.Uri): boolean {
  const files = vscode.workspace.getConfiguration("files", uri);
  const byLanguage = ["encoding", "autoGuessEncoding"].some(
    (key) => (files.inspect(key)?.languageIds ?? []).length > 0,
  );
  return !byLanguage && files.get("encoding") === "utf8" && files.get("autoGuessEncoding") !== true;
}

/** Proposals as files in memory, which the editor can open, change and save. */
export class ProposalFiles implements vscode.FileSystemProvider, vscode.Disposable {
  private readonly files = new Map<string, ProposalFile>();
  private readonly changes = new vscode.EventEmitter<vscode.FileChangeEvent[]>();
  private clock = 0;
  readonly onDidChangeFile = this.changes.event;

  /**
   * Writes a text, which is made if it is not there, and says whether it may be typed in. The
   * editor hears of it by {@link announce}; `read` is called each time it reads the text.
   */
  put(uri: vscode.Uri, text: string, writable: boolean, read: () => void): void {
    const { mtime, knownMtime } = this.files.get(uri.toString()) ?? {
      mtime: this.tick(),
      knownMtime: 0,
    };
    this.files.set(uri.toString(), { content: text, mtime, knownMtime, writable, read });
  }

  /** Makes the editor read a file again, unless it has unsaved changes. */
  announce(uri: vscode.Uri): void {
    const file = this.files.get(uri.toString());
    if (!file) return;
    this.files.set(uri.toString(), { ...file, mtime: this.tick() });
    this.changes.fire([{ type: vscode.FileChangeType.Changed, uri }]);
  }

  /**
   * Takes {@link announce} back: the editor has unsaved changes, and saving them must not meet a
   * newer file.
   */
  withdraw(uri: vscode.Uri): void {
    const file = this.files.get(uri.toString());
    if (file && file.knownMtime > 0)
      this.files.set(uri.toString(), { ...file, mtime: file.knownMtime });
  }

  /** Removes a file, if it is there. */
  remove(uri: vscode.Uri): void {
    if (this.files.delete(uri.toString()))
      this.changes.fire([{ type: vscode.FileChangeType.Deleted, uri }]);
  }

  watch(): vscode.Disposable {
    return new vscode.Disposable(() => undefined);
  }

  stat(uri: vscode.Uri): vscode.FileStat {
    const file = this.existing(uri);
    const stat = {
      type: vscode.FileType.File,
      ctime: 0,
      mtime: file.mtime,
      size: encodedText(file, uri).length,
    };
    return file.writable ? stat : { ...stat, permissions: vscode.FilePermission.Readonly };
  }

  readFile(uri: vscode.Uri): Uint8Array {
    const file = this.existing(uri);
    this.files.set(uri.toString(), { ...file, knownMtime: file.mtime });
    file.read();
    return encodedText(file, uri);
  }

  writeFile(uri: vscode.Uri, content: Uint8Array): void {
    if (!this.existing(uri).writable) throw vscode.FileSystemError.NoPermissions(uri);
    const mtime = this.tick();
    this.files.set(uri.toString(), {
      content,
      mtime,
      knownMtime: mtime,
      writable: true,
      read: () => undefined,
    });
  }

  readDirectory(): [string, vscode.FileType][] {
    return [];
  }

  createDirectory(uri: vscode.Uri): void {
    throw vscode.FileSystemError.NoPermissions(uri);
  }

  delete(uri: vscode.Uri): void {
    throw vscode.FileSystemError.NoPermissions(uri);
  }

  rename(uri: vscode.Uri): void {
    throw vscode.FileSystemError.NoPermissions(uri);
  }

  dispose(): void {
    this.changes.dispose();
    this.files.clear();
  }

  private existing(uri: vscode.Uri): ProposalFile {
    const file = this.files.get(uri.toString());
    if (!file) throw vscode.FileSystemError.FileNotFound(uri);
    return file;
  }

  /** Strictly growing, since the editor reloads only what looks newer. */
  private tick(): number {
    this.clock = Math.max(this.clock + 1, Date.now());
    return this.clock;
  }
}
