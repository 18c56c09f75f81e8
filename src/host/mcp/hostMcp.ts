import * as vscode from "vscode";
import type { McpMachine, McpServer } from "../../ports/mcp.ts";
import { type McpConfig, type McpServerEntry, parseMcpServers } from "../../tools/mcp/mcpConfig.ts";
import { McpServers } from "../../tools/mcp/mcpServers.ts";
import { resolveEntry, variablesOf } from "../../tools/mcp/resolveEntry.ts";
import { type AgreementMemory, addMcpAgreement, mcpAgreements } from "./mcpAgreements.ts";
import { createMcpFiles, type McpFile } from "./mcpFiles.ts";
import { askMcpInput, inputSecret } from "./mcpInputs.ts";

/** What the editor keeps for the extension. */
export interface McpMemory {
  readonly workspaceState: AgreementMemory;
  readonly secrets: Pick<vscode.SecretStorage, "get" | "store">;
}

type Found = {
  readonly name: string;
  readonly entry: McpServerEntry;
  /** Null for a server of the user's settings. */
  readonly file: McpFile | null;
};

/**
 * The servers of the user's setting `graft.mcp.servers` and of the workspace's `.vscode/mcp.json`. None runs in an untrusted workspace,
 * and one of the workspace's only after the user agreed to this very definition. He is asked meanwhile: it joins a later turn.
 */
export function createHostMcp({ workspaceState, secrets }: McpMemory, machine: McpMachine): McpServers {
  const told = new Set<string>();
  const tell = (problem: string) => {
    if (told.has(problem)) return;
    told.add(problem);
    void vscode.window.showWarningMessage(problem);
  };
  const readFiles = createMcpFiles(tell);
  const asked = new Set<string>();

  /** The definitions, each name once: what the user set comes first. */
  const find = async (): Promise<readonly Found[]> => {
    const own = parseMcpServers(vscode.workspace.getConfiguration("graft").inspect("mcp.servers")?.globalValue, "graft.mcp.servers");
    const found = new Map<string, Found>();
    const add = (config: McpConfig, file: McpFile | null) => {
      config.problems.forEach(tell);
      for (const [name, entry] of config.servers) {
        if (found.has(name)) tell(`There are two MCP servers named ${name}; only the first is used.`);
        else found.set(name, { name, entry, file });
      }
    };
    add(own, null);
    for (const file of await readFiles()) add(file.config, file);
    return [...found.values()];
  };

  /** Asks for what is missing, once in this window; true when nothing is. */
  const isReady = async ({ name, entry, file }: Found): Promise<boolean> => {
    if (!file) return true;
    const ids = variablesOf(entry).flatMap((each) => (each.startsWith("input:") ? [each.slice("input:".length)] : []));
    const inputs = file.config.inputs.filter(({ id }) => ids.includes(id));
    const key = await fingerprint([file.uri.toString(), name, entry]);
    const agreed = mcpAgreements(workspaceState).some((each) => each.key === key);
    const given = await Promise.all(inputs.map(async (input) => ({ input, value: await secrets.get(inputSecret(file.uri, input.id)) })));
    const missing = given.flatMap(({ input, value }) => (value === undefined ? [input] : []));
    if (agreed && missing.length === 0) return true;
    if (asked.has(key)) return false;
    asked.add(key);
    const ask = async () => {
      if (!agreed && !(await askAgreement(name, entry, file))) return;
      for (const input of missing) {
        const value = await askMcpInput(name, input);
        if (value === undefined) return;
        await secrets.store(inputSecret(file.uri, input.id), value);
      }
      await addMcpAgreement(workspaceState, { key, name, secrets: inputs.map(({ id }) => inputSecret(file.uri, id)) });
      asked.delete(key);
    };
    ask().catch((error: unknown) => tell(`The MCP server ${name} is not started: ${String(error)}`));
    return false;
  };

  const resolve = async ({ name, entry, file }: Found): Promise<McpServer | null> => {
    const folder = file?.folder ?? vscode.workspace.workspaceFolders?.[0];
    const values = new Map<string, string | null>();
    for (const variable of variablesOf(entry)) {
      const input = variable.startsWith("input:") && file ? inputSecret(file.uri, variable.slice("input:".length)) : null;
      if (input !== null) values.set(variable, (await secrets.get(input)) ?? null);
      else values.set(variable, variable === "workspaceFolder" ? (folder?.uri.fsPath ?? null) : machine.variable(variable));
    }
    const resolved = resolveEntry(name, entry, (variable) => values.get(variable) ?? null);
    if (!resolved.ok) {
      tell(resolved.error);
      return null;
    }
    const { transport } = resolved.value;
    const inFolder = transport.type === "stdio" && transport.cwd === null && folder;
    return inFolder ? { name, transport: { ...transport, cwd: folder.uri.fsPath } } : resolved.value;
  };

  return new McpServers({
    connect: machine.connect(machine.variable("userHome") ?? "."),
    tell,
    async servers() {
      if (!vscode.workspace.isTrusted) return [];
      const servers: McpServer[] = [];
      for (const found of await find()) {
        const server = (await isReady(found)) ? await resolve(found) : null;
        if (server) servers.push(server);
      }
      return servers;
    },
  });
}

async function askAgreement(name: string, entry: McpServerEntry, { folder }: McpFile): Promise<boolean> {
  const what = "url" in entry ? "connect to" : "start a program on this machine:";
  const choice = await vscode.window.showWarningMessage(
    `${folder.name}/.vscode/mcp.json wants to ${what} the MCP server ${name}.`,
    { modal: true, detail: `It can do what it likes with your files and your account. Its definition:\n${JSON.stringify(entry, null, 2)}` },
    "Start",
  );
  return choice === "Start";
}

async function fingerprint(value: unknown): Promise<string> {
  const bytes = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(JSON.stringify(value)));
  return [...new Uint8Array(bytes)].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}
