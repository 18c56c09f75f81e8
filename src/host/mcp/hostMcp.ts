import * as vscode from "vscode";
import type { Result } from "../../base/result.ts";
import { thrownText } from "../../base/text/sentence.ts";
import type { McpMachine, McpProblem, McpServer } from "../../ports/mcp.ts";
import { McpServers } from "../../tools/mcp/mcpServers.ts";
import { mcpProblemMessage } from "../../tools/mcp/messages.ts";
import { t } from "../localize.ts";
import { browserSignIn } from "./browserSignIn.ts";
import { findServers, resolveServer } from "./definedServers.ts";
import type { AskAgreement } from "./mcpAgreements.ts";
import { type McpMemory, ServerConsent } from "./serverConsent.ts";

/** As in package.json: `publisher.name`. */
const EXTENSION_ID = "graft-edits.graft";

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
    if (problem.code === "sign-in-needed") void offerSignIn(problem.server, message);
    else void vscode.window.showWarningMessage(message);
  };
  const signIn = browserSignIn(memory, EXTENSION_ID);
  /** Offers it again where it came to nothing: only the user ends that. */
  const offerSignIn = async (server: McpServer, message: string): Promise<void> => {
    const chosen = await vscode.window.showWarningMessage(message, t("Sign In"));
    if (chosen === undefined) return;
    const outcome = await waitForBrowser(server, (signal) =>
      machine.signIn(server, signIn, signal),
    );
    if (!outcome.ok) return offerSignIn(server, mcpProblemMessage(outcome.error, t));
    void vscode.window.showInformationMessage(
      t(
        "You are signed in to the MCP server {name}. Its tools are there from your next request on.",
        {
          name: server.name,
        },
      ),
    );
  };
  const consent = new ServerConsent(memory, agree);
  return new McpServers({
    connect: machine.connect,
    signIn,
    roots: () =>
      (vscode.workspace.workspaceFolders ?? []).flatMap(({ uri, name }) =>
        uri.scheme === "file" ? [{ uri: uri.toString(), name }] : [],
      ),
    tell,
    async servers(signal) {
      const servers: McpServer[] = [];
      const found = vscode.workspace.isTrusted ? await findServers(tell) : [];
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

/** Shows that the browser is waited for, with a way to cancel. */
async function waitForBrowser(
  { name }: McpServer,
  work: (signal: AbortSignal) => Promise<Result<null, McpProblem>>,
): Promise<Result<null, McpProblem>> {
  return vscode.window.withProgress(
    {
      location: vscode.ProgressLocation.Notification,
      cancellable: true,
      title: t("Sign in to the MCP server {name} in your browser.", { name }),
    },
    async (_, token) => {
      const controller = new AbortController();
      token.onCancellationRequested(() => controller.abort());
      return work(controller.signal);
    },
  );
}
