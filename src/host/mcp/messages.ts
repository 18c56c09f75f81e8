import type { Localize } from "../../base/localize.ts";

/** What the user confirms before a server of the workspace starts. */
export function agreementQuestion(t: Localize, name: string, folder: string, remote: boolean): string {
  return remote
    ? t("{folder}/.vscode/mcp.json wants to connect to the MCP server {name}.", { folder, name })
    : t("{folder}/.vscode/mcp.json wants to run the MCP server {name} on this machine.", { folder, name });
}

/** The details under {@link agreementQuestion}. */
export function agreementDetail(t: Localize, definition: string, remote: boolean): string {
  return remote
    ? t("Its definition:\n{definition}", { definition })
    : t("It runs with your full user permissions. Its definition:\n{definition}", { definition });
}
