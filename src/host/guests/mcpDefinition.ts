import * as vscode from "vscode";
import type { ToolServer } from "../../ports/commands/chatAgent.ts";
import { onServedFolders, servedFolders } from "./servedFolders.ts";

/** How the machine runs a program of Node.js. */
export interface NodeProgram {
  readonly command: string;
  readonly env: Readonly<Record<string, string>>;
}

/** `graft mcp` beside this window, where it only proposes; null where nothing listens here. */
export function toolServer(
  extensionUri: vscode.Uri,
  { command, env }: NodeProgram,
): ToolServer | null {
  const [folder] = servedFolders();
  const program = vscode.Uri.joinPath(extensionUri, "dist", "cli.js").fsPath;
  if (folder === undefined) return null;
  return { command, args: [program, "mcp", "--beside", "--root", folder], env };
}

/** The id in package.json. */
const PROVIDER = "graft";

/**
 * Offers `graft mcp` to the agents inside VS Code that know MCP servers. It proposes in this window
 * and never writes; where nothing listens here, there is no such server.
 */
export function registerMcpDefinition(
  { extensionUri, extension }: vscode.ExtensionContext,
  node: NodeProgram,
): vscode.Disposable {
  const changed = new vscode.EventEmitter<void>();
  const { version }: { version: string } = extension.packageJSON;
  return vscode.Disposable.from(
    changed,
    onServedFolders(() => changed.fire()),
    vscode.lm.registerMcpServerDefinitionProvider(PROVIDER, {
      onDidChangeMcpServerDefinitions: changed.event,
      provideMcpServerDefinitions() {
        const server = toolServer(extensionUri, node);
        if (server === null) return [];
        const { command, args, env } = server;
        return [
          new vscode.McpStdioServerDefinition("Graft", command, [...args], { ...env }, version),
        ];
      },
    }),
  );
}
