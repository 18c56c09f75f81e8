import * as vscode from "vscode";
import { err, type Result } from "../../base/result.ts";
import { untilAborted } from "../../base/untilAborted.ts";
import type { McpMachine, McpProblem, McpServer } from "../../ports/mcp.ts";
import type { Question } from "../../ports/question.ts";
import { type McpConfig, type McpInput, type McpServerEntry, parseMcpServers } from "../../tools/mcp/mcpConfig.ts";
import { McpServers, type MissingServer } from "../../tools/mcp/mcpServers.ts";
import { mcpProblemMessage } from "../../tools/mcp/messages.ts";
import { resolveEntry, variablesOf } from "../../tools/mcp/resolveEntry.ts";
import { t } from "../localize.ts";
import { type AgreementMemory, addMcpAgreement, mcpAgreements } from "./mcpAgreements.ts";
import { type McpFile, readMcpFiles } from "./mcpFiles.ts";
import { agreementDetail, agreementQuestion } from "./messages.ts";

/** What the editor keeps for the extension. */
interface McpMemory {
  readonly workspaceState: AgreementMemory;
  readonly secrets: Pick<vscode.SecretStorage, "get" | "store">;
}

/** Why a server of the workspace does not run in this turn. */
type Refusal = "reviewing" | "declined" | "no-input" | "undecided";

type Found = {
  readonly name: string;
  readonly entry: McpServerEntry;
  /** Null for a server of the user's settings. */
  readonly file: McpFile | null;
};

/** The servers of the user's settings and of the trusted workspace's mcp.json files. Those of the workspace need the user's consent. */
export function createHostMcp({ workspaceState, secrets }: McpMemory, machine: McpMachine, question: Question): McpServers {
  const told = new Set<string>();
  const tell = (problem: McpProblem) => {
    const message = mcpProblemMessage(problem, t);
    if (told.has(message)) return;
    told.add(message);
    void vscode.window.showWarningMessage(message);
  };
  /** What the user was asked in this window, and how it ended: null when the server may start. */
  const asked = new Map<string, Promise<Refusal | null>>();

  /** The definitions, each name once; the user's own come first. */
  const find = async (): Promise<readonly Found[]> => {
    const own = parseMcpServers(vscode.workspace.getConfiguration("graft").inspect("mcp.servers")?.globalValue, "graft.mcp.servers");
    const found = new Map<string, Found>();
    const add = (config: McpConfig, file: McpFile | null) => {
      config.problems.forEach(tell);
      for (const [name, entry] of config.servers) {
        if (found.has(name)) tell({ code: "name-taken", name });
        else found.set(name, { name, entry, file });
      }
    };
    add(own, null);
    for (const file of await readMcpFiles(tell)) add(file.config, file);
    return [...found.values()];
  };

  /** Asks for consent and for missing inputs, once in this window. Null when the server may start. */
  const consent = async ({ name, entry, file }: Found, signal: AbortSignal): Promise<Refusal | null> => {
    if (!file) return null;
    const inputs = file.config.inputs.filter(({ id }) => variablesOf(entry).includes(`input:${id}`));
    const key = await fingerprint([file.uri.toString(), name, entry]);
    const agreed = mcpAgreements(workspaceState).some((each) => each.key === key);
    const given = await Promise.all(inputs.map(async (input) => ({ input, value: await secrets.get(inputSecret(file.uri, input.id)) })));
    const missing = given.flatMap(({ input, value }) => (value === undefined ? [input] : []));
    if (agreed && missing.length === 0) return null;
    const ask = async (): Promise<Refusal | null> => {
      const answer = agreed ? "start" : await askAgreement(name, entry, file);
      if (answer === "reviewing") asked.delete(key);
      if (answer !== "start") return answer;
      for (const input of missing) {
        const value = await askInput(name, input);
        if (value === undefined) return "no-input";
        await secrets.store(inputSecret(file.uri, input.id), value);
      }
      await addMcpAgreement(workspaceState, { key, name, secrets: inputs.map(({ id }) => inputSecret(file.uri, id)) });
      asked.delete(key);
      return null;
    };
    const answer = asked.get(key) ?? ask();
    asked.set(key, answer);
    const answered = await untilAborted(answer, signal);
    return answered.ok ? answered.value : "undecided";
  };

  const resolve = async ({ name, entry, file }: Found): Promise<Result<McpServer, McpProblem>> => {
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

  const start = async (found: Found, signal: AbortSignal): Promise<Result<McpServer, McpProblem>> => {
    try {
      const reason = await consent(found, signal);
      return reason === null ? await resolve(found) : err({ code: reason, name: found.name });
    } catch (error) {
      return err({ code: "not-started", name: found.name, detail: error instanceof Error ? error.message : String(error), wrote: "" });
    }
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
        const server = await start(found, signal);
        if (server.ok) servers.push(server.value);
        else missing.push({ name: found.name, problem: server.error });
      }
      return { servers, missing };
    },
  });
}

async function askAgreement(name: string, entry: McpServerEntry, { folder, uri }: McpFile): Promise<"start" | "reviewing" | "declined"> {
  const [open, start] = [t("Open mcp.json"), t("Start")];
  const remote = "url" in entry;
  const detail = agreementDetail(t, JSON.stringify(entry, null, 2), remote);
  // Enter takes the first button, and the user may just be pressing it in the composer.
  const choice = await vscode.window.showWarningMessage(
    agreementQuestion(t, name, folder.name, remote),
    { modal: true, detail },
    open,
    start,
  );
  if (choice === start) return "start";
  if (choice !== open) return "declined";
  await vscode.window.showTextDocument(uri);
  return "reviewing";
}

/** Asks for the value of an input; undefined when the user gives none. */
async function askInput(
  server: string,
  { id, type, description, options = [], password, ...input }: McpInput,
): Promise<string | undefined> {
  const common = { title: t("MCP server {server}: {input}", { server, input: description ?? id }), ignoreFocusOut: true };
  if (type === "pickString") return vscode.window.showQuickPick(options, common);
  return vscode.window.showInputBox({
    ...common,
    prompt: t("Stored in VS Code's secret storage, for this workspace's mcp.json only."),
    password: password ?? false,
    ...(input.default !== undefined && { value: input.default }),
  });
}

/** The secret that holds an input's value: for this file only, so that no other workspace gets it by naming it. */
function inputSecret(file: vscode.Uri, id: string): string {
  return `graft.mcp.input ${file.toString()} ${id}`;
}

async function fingerprint(value: unknown): Promise<string> {
  const bytes = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(JSON.stringify(value)));
  return [...new Uint8Array(bytes)].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}
