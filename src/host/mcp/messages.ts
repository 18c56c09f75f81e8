import type { Localize } from "../../base/localize.ts";

/** Why an MCP server of the workspace does not run in this turn. */
export type NotStarted = "reviewing" | "declined" | "no-input" | "undecided";

/** What the model reads about a server that does not run. */
export function notStartedMessage(reason: NotStarted, name: string): string {
  switch (reason) {
    case "reviewing":
      return `The user is reviewing .vscode/mcp.json before starting the MCP server ${name}. Graft asks again with the next request.`;
    case "declined":
      return `The user declined to start the MCP server ${name} of .vscode/mcp.json. Graft asks again in a new window.`;
    case "no-input":
      return `The user did not enter the inputs of the MCP server ${name}. Graft asks again in a new window.`;
    case "undecided":
      return `The user has not decided yet whether the MCP server ${name} may start.`;
  }
}

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
