import * as vscode from "vscode";
import type { SmallFile } from "../ports/eventLog.ts";

/** A small file on the editor's file system, which cannot make a file only where there is none: of two that make it, who writes last has it. */
export function createVscodeSmallFile(folder: vscode.Uri, name: string): SmallFile {
  const uri = vscode.Uri.joinPath(folder, name);
  const read = async (): Promise<string | null> => {
    try {
      return new TextDecoder().decode(await vscode.workspace.fs.readFile(uri));
    } catch (error) {
      if (isMissing(error)) return null;
      throw error;
    }
  };
  const write = (text: string) => vscode.workspace.fs.writeFile(uri, new TextEncoder().encode(text));
  return {
    read,
    async create(text) {
      if ((await read()) !== null) return false;
      await write(text);
      return true;
    },
    write: async (text) => write(text),
    async remove() {
      try {
        await vscode.workspace.fs.delete(uri);
      } catch (error) {
        if (!isMissing(error)) throw error;
      }
    },
  };
}

function isMissing(error: unknown): boolean {
  return error instanceof vscode.FileSystemError && error.code === "FileNotFound";
}
