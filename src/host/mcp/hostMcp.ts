import * as vscode from "vscode";
import { thrownText } from "../../base/text/sentence.ts";
import type { McpMachine, McpProblem, McpServer } from "../../ports/mcp.ts";
import { McpServers } from "../../tools/mcp/mcpServers.ts";
import { mcpProblemMessage } from "../../tools/mcp/messages.ts";
import { t } from "../localize.ts";
import { findServers, resolveServer } from "./definedServers.ts";
import type { AskAgreement } from "./mcpAgreements.ts";
import { type McpMemory, ServerConsent } from "./serverConsent.ts";

/**
 * The servers of the user's settings and of the trusted workspace's mcp.json files. Those of the
 * workspace need the user's consent.
 */
export function createHostMcp(
  memory: McpMemory,
  machine: McpMachine,
  agree: AskAgreement,
): McpServers {
  const told = new Set<string>();
  const tell = (problem: McpProblem) => {
    const message = mcpProblemMessage(problem, t);
    if (told.has(message)) return;
    told.add(message);
    void vscode.window.showWarningMessage(message);
  };
  const consent = new ServerConsent(memory, agree);
  return new McpServers({
    connect: machine.connect,
    roots: () =>
      (vscode.workspace.workspaceFolders ?? []).flatMap(({ uri, name }) =>
        uri.scheme === "file" ? [{ uri: uri.toString(), name }] : [],
      ),
    tell,
    async servers(signal) {
      const servers: McpServer[] = [];
      const found = vscode.workspace.isTrusted ? await findServers(machine, tell) : [];
      const started = await consent.askAbout(found, signal);
      for (const each of found) {
        try {
          if (!(await consent.mayStart(each, started, signal))) continue;
          const server = await resolveServer(each, machine, memory.secrets);
          if (server.ok) servers.push(server.value);
          else tell(server.error);
        } catch (error) {
          tell({ code: "not-started", name: each.name, detail: thrownText(error), wrote: "" });
        }
      }
      return servers;
    },
  });
}
