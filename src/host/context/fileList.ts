import * as vscode from "vscode";
import type { Disposable } from "../../base/disposable.ts";
import { mapInSlices } from "../../base/mapInSlices.ts";
import { type FuzzyPath, foldersOf, fuzzyPath } from "../../base/text/fuzzyPaths.ts";
import { visibleFiles } from "../workspace/visibleFiles.ts";
import { workspacePathOf } from "../workspace/workspacePath.ts";

const MAX_FILES = 100_000;

/**
 * The files and folders of the workspace, except ignored ones. Listed on first use, and again after
 * files were added or removed.
 */
export class FileList implements Disposable {
  private known: readonly FuzzyPath[] | null = null;
  private reading: Promise<void> | null = null;
  private isStale = true;
  private watcher: vscode.Disposable | null = null;
  private readonly closing = new AbortController();

  /** The latest list, or null before the first one. */
  get paths(): readonly FuzzyPath[] | null {
    return this.known;
  }

  /**
   * Lists again if files were added or removed. Settles when {@link paths} is current. Never
   * rejects.
   */
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
      // Lists again on the next use.
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
        if (
          event.affectsConfiguration("files.exclude") ||
          event.affectsConfiguration("search.exclude")
        )
          stale();
      }),
    );
  }
}
