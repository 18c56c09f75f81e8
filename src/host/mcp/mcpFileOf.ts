import * as vscode from "vscode";

/** Where a workspace folder defines its MCP servers. */
export function mcpFileOf(folder: vscode.WorkspaceFolder): vscode.Uri {
  return vscode.Uri.joinPath(folder.uri, ".vscode", "mcp.json");
}
