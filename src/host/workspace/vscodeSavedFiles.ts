import * as vscode from "vscode";
import type { Disposable } from "../../base/disposable.ts";
import { ok, type Result } from "../../base/result.ts";
import { untilAborted } from "../../base/untilAborted.ts";
import type { SavedFiles } from "../../ports/savedFiles.ts";
import type { FileError, FileRef } from "../../ports/workspace.ts";
import { openDocument } from "./documentText.ts";
import { workspacePathOf } from "./workspacePath.ts";

/** The setting graft.edits.save: when accepted changes are saved. */
type SaveSetting = "beforeCommands" | "onAccept" | "never";

/** Saves the documents that accepted changes went into, and no others. */
export class VscodeSavedFiles implements SavedFiles, Disposable {
  readonly pending: () => readonly string[];
  private readonly setting: () => SaveSetting;
  private readonly resolve: (uri: vscode.Uri) => Promise<Result<FileRef, FileError>>;
  /** The files that changes were accepted into, by URI, as they were then. */
  private readonly files = new Map<string, FileRef>();
  /** URIs of documents with accepted changes that no save has begun to write. */
  private readonly accepted = new Set<string>();
  /** URIs of documents whose accepted changes a save is writing. */
  private readonly saving = new Set<string>();
  private readonly listening: Disposable;

  /** `resolve` says what a file is now, so that nothing is saved through a folder that became a link. */
  constructor(
    setting: () => SaveSetting,
    pending: () => readonly string[],
    resolve: VscodeSavedFiles["resolve"] = async (uri) => ok({ path: uri.path, uri: uri.toString() }),
  ) {
    this.setting = setting;
    this.pending = pending;
    this.resolve = resolve;
    const moving = new Set<string>();
    this.listening = vscode.Disposable.from(
      vscode.workspace.onWillSaveTextDocument(({ document }) => this.begins(document.uri.toString())),
      vscode.workspace.onDidSaveTextDocument(({ uri }) => this.saving.delete(uri.toString())),
      vscode.workspace.onWillRenameFiles(({ files }) => {
        // VS Code takes along what it had not saved yet, also where a save has begun.
        for (const { oldUri, newUri } of files) if (this.hasAccepted(oldUri.toString())) moving.add(newUri.toString());
      }),
      vscode.workspace.onDidRenameFiles(({ files }) => {
        for (const { newUri } of files) if (moving.delete(newUri.toString())) this.accepted.add(newUri.toString());
      }),
      vscode.workspace.onDidChangeTextDocument(({ document, contentChanges }) => {
        const key = document.uri.toString();
        // Undone or reverted: an event of its own. A changed text is called unsaved only behind its event, as in a renamed file.
        // A save ends like that, too, also where more was accepted while it ran.
        if (contentChanges.length === 0 && !document.isDirty && !this.saving.has(key)) this.accepted.delete(key);
      }),
    );
  }

  /** A change has just been accepted into the file's document. */
  acceptedInto(file: FileRef): void {
    const { uri } = file;
    this.accepted.add(uri);
    this.files.set(uri, file);
    if (this.setting() === "onAccept") void this.save(uri);
  }

  unsaved(): readonly string[] {
    const isSavedFirst = (key: string) => this.setting() !== "never" && this.hasAccepted(key);
    const left = vscode.workspace.textDocuments.filter(({ isDirty, uri }) => isDirty && !isSavedFirst(uri.toString()));
    return pathsOf(left.map(({ uri }) => uri));
  }

  /** Saves files by their workspace paths; false when VS Code could not save all of them. */
  async saveFiles(paths: readonly string[]): Promise<boolean> {
    const wanted = vscode.workspace.textDocuments.filter(({ uri }) => paths.includes(workspacePathOf(uri) ?? ""));
    const saved = await Promise.all(wanted.map((document) => document.save().then(undefined, () => false)));
    return saved.every((each) => each);
  }

  async saveAccepted(signal: AbortSignal): ReturnType<SavedFiles["saveAccepted"]> {
    const saveAll = async () => {
      const wanted = this.setting() === "never" ? [] : [...new Set([...this.accepted, ...this.saving])];
      return (await Promise.all(wanted.map(async (uri) => ((await this.save(uri)) ? [] : [uri])))).flat();
    };
    // Again for what came while it saved, such as a renamed file.
    const done = await untilAborted(
      saveAll().then((left) => (left.length === 0 && this.accepted.size > 0 ? saveAll() : left)),
      signal,
    );
    const failed = done.ok ? done.value : [];
    const isUnsaved = ({ isDirty, uri }: vscode.TextDocument) => isDirty || this.accepted.has(uri.toString());
    const unsaved = vscode.workspace.textDocuments.filter((document) => isUnsaved(document) && !failed.includes(document.uri.toString()));
    return { failed: pathsOf(failed.map((uri) => vscode.Uri.parse(uri, true))), unsaved: pathsOf(unsaved.map(({ uri }) => uri)) };
  }

  dispose(): void {
    this.listening.dispose();
  }

  /** False when VS Code could not save. Saving what is already saved does nothing. */
  private async save(key: string): Promise<boolean> {
    const document = openDocument(key);
    if (document && !(await this.leadsThere(document.uri))) return false;
    this.begins(key);
    // What the editor says of a document's unsaved changes may be late, so it is not asked.
    const version = document?.version;
    const once = async () => document === null || (await document.save().then(undefined, () => false));
    let saved = await once();
    // Seen in files that were just renamed, on a busy machine: VS Code says that it has saved, and the same text is still unsaved.
    if (saved && document?.isDirty && document.version === version) saved = await once();
    if (!saved) this.accepted.add(key);
    this.saving.delete(key);
    return saved;
  }

  /** False where the file's path leads outside the workspace by now, or to a protected file that it was not. */
  private async leadsThere(uri: vscode.Uri): Promise<boolean> {
    const file = this.files.get(uri.toString());
    const now = await this.resolve(uri);
    return now.ok && (!now.value.protected || file === undefined || file.protected === true);
  }

  /** True for a document with accepted changes that may not be on the disk yet. */
  private hasAccepted(key: string): boolean {
    return this.accepted.has(key) || this.saving.has(key);
  }

  private begins(key: string): void {
    if (this.accepted.delete(key)) this.saving.add(key);
  }
}

function pathsOf(uris: readonly vscode.Uri[]): readonly string[] {
  return uris.flatMap((uri) => workspacePathOf(uri) ?? []).sort();
}
