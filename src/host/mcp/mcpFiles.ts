import * as vscode from "vscode";
import type { McpProblem } from "../../ports/mcp.ts";
import { type McpConfig, parseMcpFile } from "../../tools/mcp/mcpConfig.ts";
import { mcpFileOf } from "./turnTools.ts";

const MAX_BYTES = 1_000_000;

/** A workspace folder's `.vscode/mcp.json`. */
export interface McpFile {
  readonly uri: vscode.Uri;
  readonly folder: vscode.WorkspaceFolder;
  readonly config: McpConfig;
}

/** Reads the workspace's files. Reports invalid ones, which then define no server. */
export async function readMcpFiles(tell: (problem: McpProblem) => void): Promise<readonly McpFile[]> {
  const files: McpFile[] = [];
  for (const folder of vscode.workspace.workspaceFolders ?? []) {
    const uri = mcpFileOf(folder);
    const text = await readText(uri);
    const parsed = text === null ? null : parseMcpFile(text, `${folder.name}/.vscode/mcp.json`);
    if (parsed?.ok) files.push({ uri, folder, config: parsed.value });
    else if (parsed) tell(parsed.error);
  }
  return files;
}

async function readText(uri: vscode.Uri): Promise<string | null> {
  try {
    const bytes = await vscode.workspace.fs.readFile(uri);
    return bytes.length > MAX_BYTES ? null : new TextDecoder().decode(bytes);
  } catch {
    return null;
  }
}
