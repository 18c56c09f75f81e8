import * as vscode from "vscode";
import type { McpInput } from "../../tools/mcp/mcpConfig.ts";

/** Where the value of an input is kept: for this file only, so that no other workspace's file gets it by naming it. */
export function inputSecret(file: vscode.Uri, id: string): string {
  return `graft.mcp.input ${file.toString()} ${id}`;
}

/** Asks the user for the value of an input; undefined when he gives none. */
export async function askMcpInput(server: string, input: McpInput): Promise<string | undefined> {
  const { id, description, options = [] } = input;
  const common = { title: `The MCP server ${server} asks: ${description ?? id}`, ignoreFocusOut: true };
  if (input.type === "pickString") return vscode.window.showQuickPick(options, common);
  return vscode.window.showInputBox({
    ...common,
    prompt: "Kept in the secret storage of the editor, for this workspace's mcp.json only.",
    password: input.password ?? false,
    ...(input.default !== undefined && { value: input.default }),
  });
}
