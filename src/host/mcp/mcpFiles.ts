import * as vscode from "vscode";
import { type McpConfig, parseMcpFile } from "../../tools/mcp/mcpConfig.ts";
import { t } from "../localize.ts";
import { mcpFileOf } from "./turnTools.ts";

const MAX_BYTES = 1_000_000;

/** A workspace folder's `.vscode/mcp.json`. */
export interface McpFile {
  readonly uri: vscode.Uri;
  readonly folder: vscode.WorkspaceFolder;
  readonly config: McpConfig;
}

/** Reads the workspace's files. An invalid file is reported, and its last valid version counts. */
export function createMcpFiles(tell: (problem: string) => void): () => Promise<readonly McpFile[]> {
  const good = new Map<string, McpConfig>();
  return async () => {
    const files: McpFile[] = [];
    for (const folder of vscode.workspace.workspaceFolders ?? []) {
      const uri = mcpFileOf(folder);
      const key = uri.toString();
      const text = await readText(uri);
      const parsed = text === null ? null : parseMcpFile(text, `${folder.name}/.vscode/mcp.json`);
      if (parsed === null) good.delete(key);
      else if (parsed.ok) good.set(key, parsed.value);
      else tell(t("{problem} Until this is fixed, its last valid servers are used.", { problem: parsed.error }));
      const config = good.get(key);
      if (config) files.push({ uri, folder, config });
    }
    return files;
  };
}

async function readText(uri: vscode.Uri): Promise<string | null> {
  try {
    const bytes = await vscode.workspace.fs.readFile(uri);
    return bytes.length > MAX_BYTES ? null : new TextDecoder().decode(bytes);
  } catch {
    return null;
  }
}
