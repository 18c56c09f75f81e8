import * as vscode from "vscode";

/** How long a new file is remembered, in milliseconds. */
const REMEMBERED_MS = 5_000;
/** More new files than this are a checkout or a build, and none of them is examined. */
const MAX_FILES = 50;

/** Files that were just created in the workspace. */
export class CreatedFiles {
  private files: { readonly uri: vscode.Uri; readonly at: number }[] = [];

  add(uri: vscode.Uri): void {
    this.files = [...this.files.filter(({ at }) => Date.now() - at < REMEMBERED_MS), { uri, at: Date.now() }];
  }

  /** The only one with this text, apart from line ends; null for none or several, and for an empty text. */
  async only(text: string): Promise<vscode.Uri | null> {
    const files = this.files.filter(({ at }) => Date.now() - at < REMEMBERED_MS);
    if (text === "" || files.length > MAX_FILES) return null;
    const plain = text.replaceAll("\r", "");
    const matching = await Promise.all(files.map(async ({ uri }) => ((await textOf(uri)) === plain ? [uri] : [])));
    const [found, another] = matching.flat();
    return found && !another ? found : null;
  }
}

async function textOf(uri: vscode.Uri): Promise<string | null> {
  try {
    const bytes = await vscode.workspace.fs.readFile(uri);
    return (await vscode.workspace.decode(bytes, { uri })).replace(/^\uFEFF/, "").replaceAll("\r", "");
  } catch {
    return null;
  }
}
