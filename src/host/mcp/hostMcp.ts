import * as vscode from "vscode";
import { err, type Result } from "../../base/result.ts";
import { sentence } from "../../base/sentence.ts";
import { untilAborted } from "../../base/untilAborted.ts";
import type { McpMachine, McpServer } from "../../ports/mcp.ts";
import type { Question } from "../../ports/question.ts";
import { type McpConfig, type McpServerEntry, parseMcpServers } from "../../tools/mcp/mcpConfig.ts";
import { McpServers, type MissingServer } from "../../tools/mcp/mcpServers.ts";
import { resolveEntry, variablesOf } from "../../tools/mcp/resolveEntry.ts";
import { type AgreementMemory, addMcpAgreement, mcpAgreements } from "./mcpAgreements.ts";
import { createMcpFiles, type McpFile } from "./mcpFiles.ts";
import { askMcpInput, inputSecret } from "./mcpInputs.ts";

/** What the editor keeps for the extension. */
export interface McpMemory {
  readonly workspaceState: AgreementMemory;
  readonly secrets: Pick<vscode.SecretStorage, "get" | "store">;
}

const LOOK = "Open mcp.json";
const START = "Start";

type Found = {
  readonly name: string;
  readonly entry: McpServerEntry;
  /** Null for a server of the user's settings. */
  readonly file: McpFile | null;
};

/**
 * The servers of the user's setting `graft.mcp.servers` and of the workspace's `.vscode/mcp.json`. None runs in an untrusted workspace,
 * and one of the workspace's only after the user agreed to this very definition: the turn that would start it waits for his answer.
 */
export function createHostMcp({ workspaceState, secrets }: McpMemory, machine: McpMachine, question: Question): McpServers {
  const told = new Set<string>();
  const tell = (problem: string) => {
    if (told.has(problem)) return;
    told.add(problem);
    void vscode.window.showWarningMessage(problem);
  };
  const readFiles = createMcpFiles(tell);
  /** What the user was asked about in this window: null when he agreed, else a sentence. */
  const asked = new Map<string, Promise<string | null>>();

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

  /** Asks for what is missing, once in this window; null when nothing is, else a sentence. */
  const whyNot = async ({ name, entry, file }: Found, signal: AbortSignal): Promise<string | null> => {
    if (!file) return null;
    const ids = variablesOf(entry).flatMap((each) => (each.startsWith("input:") ? [each.slice("input:".length)] : []));
    const inputs = file.config.inputs.filter(({ id }) => ids.includes(id));
    const key = await fingerprint([file.uri.toString(), name, entry]);
    const agreed = mcpAgreements(workspaceState).some((each) => each.key === key);
    const given = await Promise.all(inputs.map(async (input) => ({ input, value: await secrets.get(inputSecret(file.uri, input.id)) })));
    const missing = given.flatMap(({ input, value }) => (value === undefined ? [input] : []));
    if (agreed && missing.length === 0) return null;
    const ask = async () => {
      const choice = agreed ? START : await askAgreement(name, entry, file);
      if (choice === LOOK) {
        asked.delete(key);
        return `The user looks at .vscode/mcp.json before he decides whether the MCP server ${name} may start. He is asked again with his next request.`;
      }
      if (choice !== START) {
        return `The user did not agree to start the MCP server ${name} of .vscode/mcp.json. He is asked again in a new window.`;
      }
      for (const input of missing) {
        const value = await askMcpInput(name, input);
        if (value === undefined)
          return `The user did not enter what the MCP server ${name} asks for (${input.id}). He is asked again in a new window.`;
        await secrets.store(inputSecret(file.uri, input.id), value);
      }
      await addMcpAgreement(workspaceState, { key, name, secrets: inputs.map(({ id }) => inputSecret(file.uri, id)) });
      asked.delete(key);
      return null;
    };
    const answer = asked.get(key) ?? ask().catch((error: unknown) => `The MCP server ${name} is not started: ${sentence(error)}`);
    asked.set(key, answer);
    const answered = await untilAborted(answer, signal);
    return answered.ok ? answered.value : `The user has not decided yet whether the MCP server ${name} may start.`;
  };

  const resolve = async ({ name, entry, file }: Found): Promise<Result<McpServer, string>> => {
    const folder = file?.folder ?? vscode.workspace.workspaceFolders?.find(({ uri }) => uri.scheme === "file");
    const values = new Map<string, string | null>();
    for (const variable of variablesOf(entry)) {
      const input = variable.startsWith("input:") && file ? inputSecret(file.uri, variable.slice("input:".length)) : null;
      if (input !== null) values.set(variable, (await secrets.get(input)) ?? null);
      else values.set(variable, variable === "workspaceFolder" ? (folder?.uri.fsPath ?? null) : machine.variable(variable));
    }
    const resolved = resolveEntry(name, entry, (variable) => values.get(variable) ?? null);
    const prepared = resolved.ok ? await machine.prepare(resolved.value, folder?.uri.fsPath ?? null) : resolved;
    if (!prepared.ok) tell(prepared.error);
    return prepared;
  };

  return new McpServers({
    connect: machine.connect,
    question,
    roots: () =>
      (vscode.workspace.workspaceFolders ?? []).flatMap(({ uri, name }) => (uri.scheme === "file" ? [{ uri: uri.toString(), name }] : [])),
    tell,
    async servers(signal) {
      const servers: McpServer[] = [];
      const missing: MissingServer[] = [];
      for (const found of vscode.workspace.isTrusted ? await find() : []) {
        const why = await whyNot(found, signal);
        const server = why === null ? await resolve(found) : err(why);
        if (server.ok) servers.push(server.value);
        else missing.push({ name: found.name, why: server.error });
      }
      return { servers, missing };
    },
  });
}

async function askAgreement(name: string, entry: McpServerEntry, { folder, uri }: McpFile): Promise<string | undefined> {
  const what = "url" in entry ? "connect to" : "start a program on this machine:";
  const choice = await vscode.window.showWarningMessage(
    `${folder.name}/.vscode/mcp.json wants to ${what} the MCP server ${name}.`,
    { modal: true, detail: `It can do what it likes with your files and your account. Its definition:\n${JSON.stringify(entry, null, 2)}` },
    // The first is the one that Enter takes, which the user may just be pressing in the composer.
    LOOK,
    START,
  );
  if (choice === LOOK) await vscode.window.showTextDocument(uri);
  return choice;
}

async function fingerprint(value: unknown): Promise<string> {
  const bytes = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(JSON.stringify(value)));
  return [...new Uint8Array(bytes)].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}
