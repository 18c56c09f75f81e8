import * as vscode from "vscode";
import type { LanguageServices } from "../../ports/languageServices.ts";
import type { WorkspaceFiles } from "../../ports/workspaceFiles.ts";
import { createSyntax } from "../../syntax/createSyntax.ts";
import type { Syntax } from "../../syntax/syntax.ts";
import type { Host } from "../host.ts";
import { RecentFiles } from "./vscodeEditorState.ts";
import { createVscodeLanguageServices } from "./vscodeLanguageServices.ts";
import { VscodeWorkspace } from "./vscodeWorkspace.ts";
import { createVscodeWorkspaceFiles } from "./vscodeWorkspaceFiles.ts";

/** The user's files, and what is known of the code in them. */
export interface WindowFiles {
  readonly workspace: VscodeWorkspace;
  /** The files as they are, without what is proposed. */
  readonly files: WorkspaceFiles;
  readonly syntax: Syntax;
  readonly services: LanguageServices;
  readonly recent: RecentFiles;
}

/** Opens the window's workspace. Grammars load on first use. */
export function openWindowFiles({ adapters, context, logger, stack }: Host): WindowFiles {
  const workspace = new VscodeWorkspace(adapters.disk, adapters.folderSearch);
  const grammars = vscode.Uri.joinPath(context.extensionUri, "dist", "grammars");
  const grammarSource = {
    read: async (path: string) => vscode.workspace.fs.readFile(vscode.Uri.joinPath(grammars, path)),
  };
  return {
    workspace,
    files: createVscodeWorkspaceFiles(workspace, adapters.disk, adapters.folderFiles),
    syntax: createSyntax(grammarSource, logger),
    services: createVscodeLanguageServices(workspace),
    recent: stack.add(new RecentFiles()),
  };
}
