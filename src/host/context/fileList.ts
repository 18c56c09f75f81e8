import * as vscode from "vscode";
import type { Disposable } from "../../base/disposable.ts";
import { mapInSlices } from "../../base/mapInSlices.ts";
import { type FuzzyPath, foldersOf, fuzzyPath } from "../../base/text/fuzzyPaths.ts";
import { visibleFiles } from "../workspace/visibleFiles.ts";
import { workspacePathOf } from "../workspace/workspacePath.ts";

/** The most files that are listed. */
const MAX_FILES = 100_000;

/** The files and folders of the workspace, without ignored ones: listed on first use, and again on use after some came or went. */
export class FileList implements Disposable {
  private known: readonly FuzzyPath[] | null = null;
  private reading: Promise<void> | null = null;
  private isStale = true;
  private watcher: vscode.Disposable | null = null;
  private readonly closing = new AbortController();

  /** What was listed last; null before the first list. */
  get paths(): readonly FuzzyPath[] | null {
    return this.known;
  }

  /** Lists again if files came or went since; settles when {@link paths} is as of now. Never rejects. */
  async refresh(): Promise<void> {
    this.watcher ??= this.watch();
    if (this.isStale) this.reading ??= this.read();
    await this.reading;
  }

  dispose(): void {
    this.closing.abort();
    this.watcher?.dispose();
  }

  private async read(): Promise<void> {
    this.isStale = false;
    try {
      const { signal } = this.closing;
      const { uris } = await visibleFiles(null, MAX_FILES, signal);
      const found = await mapInSlices(uris, workspacePathOf, signal);
      const files = found.filter((path) => path !== null);
      this.known = await mapInSlices([...files, ...foldersOf(files)], fuzzyPath, signal);
    } catch {
      // Listed again with the next use.
      this.isStale = true;
    } finally {
      this.reading = null;
    }
  }

  private watch(): vscode.Disposable {
    const stale = () => {
      this.isStale = true;
    };
    const watcher = vscode.workspace.createFileSystemWatcher("**/*", false, true, false);
    return vscode.Disposable.from(
      watcher,
      watcher.onDidCreate(stale),
      watcher.onDidDelete(stale),
      vscode.workspace.onDidChangeWorkspaceFolders(stale),
      vscode.workspace.onDidChangeConfiguration((event) => {
        if (event.affectsConfiguration("files.exclude") || event.affectsConfiguration("search.exclude")) stale();
      }),
    );
  }
}
