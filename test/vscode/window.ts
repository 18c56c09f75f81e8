import * as vscode from "vscode";
import type { Logger } from "../../src/ports/logger.ts";

export const logger: Logger = {
  warn: (message) => console.log(message),
  error: (message) => console.log(message),
};

/** Remembers nothing. */
export const memento: vscode.Memento = {
  keys: () => [],
  get: () => undefined,
  update: async () => undefined,
};

/** The open folder. */
export function folder(): vscode.Uri {
  const [first] = vscode.workspace.workspaceFolders ?? [];
  if (!first) throw new Error("no folder is open");
  return first.uri;
}

export async function writeText(uri: vscode.Uri, text: string): Promise<void> {
  await vscode.workspace.fs.writeFile(uri, new TextEncoder().encode(text));
}

/** The text on the disk. */
export async function readText(uri: vscode.Uri): Promise<string> {
  return new TextDecoder().decode(await vscode.workspace.fs.readFile(uri));
}

export function isThere(uri: vscode.Uri): Promise<boolean> {
  return Promise.resolve(vscode.workspace.fs.stat(uri)).then(
    () => true,
    () => false,
  );
}

/** A lens, with the 0-based line it stands over and the arguments of its command. */
export interface Lens {
  readonly line: number;
  readonly title: string;
  readonly args: readonly string[];
}

/** The lenses on a document, as the editor asks for them. */
export async function lensesOn(uri: vscode.Uri): Promise<Lens[]> {
  const found = await vscode.commands.executeCommand<vscode.CodeLens[]>(
    "vscode.executeCodeLensProvider",
    uri,
    100,
  );
  return found.flatMap(({ range: { start }, command }) =>
    command
      ? [{ line: start.line, title: command.title, args: (command.arguments ?? []).map(String) }]
      : [],
  );
}
