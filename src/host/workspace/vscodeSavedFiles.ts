import * as vscode from "vscode";
import type { Disposable } from "../../base/disposable.ts";
import { ok, type Result } from "../../base/result.ts";
import { untilAborted } from "../../base/untilAborted.ts";
import type { SavedFiles } from "../../ports/savedFiles.ts";
import type { FileError, FileRef } from "../../ports/workspace.ts";
import { openDocument } from "./documentText.ts";
import { workspacePathOf } from "./workspacePath.ts";

/** The setting graft.edits.save: when Graft saves accepted changes. */
type SaveSetting = "beforeCommands" | "onAccept" | "never";

/** Saves only documents into which changes were accepted. */
export class VscodeSavedFiles implements SavedFiles, Disposable {
  readonly pending: () => readonly string[];
  private readonly setting: () => SaveSetting;
  private readonly resolve: (uri: vscode.Uri) => Promise<Result<FileRef, FileError>>;
  /** Files with accepted changes, by URI, as resolved at the time. */
  private readonly files = new Map<string, FileRef>();
  /** URIs of documents with accepted changes that no save is writing yet. */
  private readonly accepted = new Set<string>();
  /** URIs of documents whose accepted changes a save is writing. */
  private readonly saving = new Set<string>();
  private readonly listening: Disposable;

  /**
   * `resolve` resolves a file again, so that Graft never saves through a folder that was replaced
   * by a link.
   */
  constructor(
    setting: () => SaveSetting,
    pending: () => readonly string[],
    resolve: VscodeSavedFiles["resolve"] = async (uri) =>
      ok({ path: uri.path, uri: uri.toString() }),
  ) {
    this.setting = setting;
    this.pending = pending;
    this.resolve = resolve;
    const moving = new Set<string>();
    this.listening = vscode.Disposable.from(
      vscode.workspace.onWillSaveTextDocument(({ document }) =>
        this.begins(document.uri.toString()),
      ),
      vscode.workspace.onDidSaveTextDocument(({ uri }) => this.saving.delete(uri.toString())),
      vscode.workspace.onWillRenameFiles(({ files }) => {
        // VS Code moves unsaved changes along with the file, even during a save.
        for (const { oldUri, newUri } of files)
          if (this.hasAccepted(oldUri.toString())) moving.add(newUri.toString());
      }),
      vscode.workspace.onDidRenameFiles(({ files }) => {
        for (const { newUri } of files)
          if (moving.delete(newUri.toString())) this.accepted.add(newUri.toString());
      }),
      vscode.workspace.onDidChangeTextDocument(({ document, contentChanges }) => {
        const key = document.uri.toString();
        // Undo or revert fires an event without content changes. During an edit's own event,
        // `isDirty` can still be false, for example in a renamed file. The end of a save fires such
        // an event too, even if more was accepted meanwhile.
        if (contentChanges.length === 0 && !document.isDirty && !this.saving.has(key))
          this.accepted.delete(key);
      }),
    );
  }

  /** Call after accepting a change into the file's document, or undoing one there. */
  acceptedInto(file: FileRef): void {
    const { uri } = file;
    this.accepted.add(uri);
    this.files.set(uri, file);
    if (this.setting() === "onAccept") void this.save(uri);
  }

  unsaved(): readonly string[] {
    const isSavedFirst = (key: string) => this.setting() !== "never" && this.hasAccepted(key);
    const left = vscode.workspace.textDocuments.filter(
      ({ isDirty, uri }) => isDirty && !isSavedFirst(uri.toString()),
    );
    return pathsOf([...left, ...editedNotebooks()].map(({ uri }) => uri));
  }

  /** Saves files by their workspace paths. False if VS Code could not save all of them. */
  async saveFiles(paths: readonly string[]): Promise<boolean> {
    const wanted = vscode.workspace.textDocuments.filter(({ uri }) =>
      paths.includes(workspacePathOf(uri) ?? ""),
    );
    const saved = await Promise.all(
      wanted.map((document) => document.save().then(undefined, () => false)),
    );
    return saved.every((each) => each);
  }

  async saveAccepted(signal: AbortSignal): ReturnType<SavedFiles["saveAccepted"]> {
    const saveAll = async () => {
      const wanted =
        this.setting() === "never" ? [] : [...new Set([...this.accepted, ...this.saving])];
      return (
        await Promise.all(wanted.map(async (uri) => ((await this.save(uri)) ? [] : [uri])))
      ).flat();
    };
    // Save again for changes that arrived meanwhile, such as a renamed file.
    const done = await untilAborted(
      saveAll().then((left) => (left.length === 0 && this.accepted.size > 0 ? saveAll() : left)),
      signal,
    );
    const failed = done.ok ? done.value : [];
    const isUnsaved = ({ isDirty, uri }: vscode.TextDocument) =>
      isDirty || this.accepted.has(uri.toString());
    const unsaved = vscode.workspace.textDocuments.filter(
      (document) => isUnsaved(document) && !failed.includes(document.uri.toString()),
    );
    return {
      failed: pathsOf(failed.map((uri) => vscode.Uri.parse(uri, true))),
      unsaved: pathsOf([...unsaved, ...editedNotebooks()].map(({ uri }) => uri)),
    };
  }

  dispose(): void {
    this.listening.dispose();
  }

  /** False if VS Code could not save. Does nothing for a saved document. */
  private async save(key: string): Promise<boolean> {
    const document = openDocument(key);
    if (document && !(await this.leadsThere(document.uri))) return false;
    this.begins(key);
    // Save without checking `isDirty`, which may be out of date.
    const version = document?.version;
    const once = async () =>
      document === null || (await document.save().then(undefined, () => false));
    let saved = await once();
    // VS Code may report success although the same text is still dirty. Seen with just-renamed
    // files on a busy machine.
    if (saved && document?.isDirty && document.version === version) saved = await once();
    if (!saved) this.accepted.add(key);
    this.saving.delete(key);
    return saved;
  }

  /** False if the path now leads outside the workspace, or to a file that has become protected. */
  private async leadsThere(uri: vscode.Uri): Promise<boolean> {
    const file = this.files.get(uri.toString());
    const now = await this.resolve(uri);
    return now.ok && (!now.value.protected || file === undefined || file.protected === true);
  }

  /** Whether a document has accepted changes that may not be on disk yet. */
  private hasAccepted(key: string): boolean {
    return this.accepted.has(key) || this.saving.has(key);
  }

  private begins(key: string): void {
    if (this.accepted.delete(key)) this.saving.add(key);
  }
}

function editedNotebooks(): readonly vscode.NotebookDocument[] {
  return vscode.workspace.notebookDocuments.filter(({ isDirty }) => isDirty);
}

function pathsOf(uris: readonly vscode.Uri[]): readonly string[] {
  return uris.flatMap((uri) => workspacePathOf(uri) ?? []).sort();
}
