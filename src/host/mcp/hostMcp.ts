import * as vscode from "vscode";
import { thrownText } from "../../base/text/sentence.ts";
import { visibleLine } from "../../base/text/visibleText.ts";
import type { McpMachine, McpProblem, McpServer } from "../../ports/mcp.ts";
import type { Memory } from "../../ports/memory.ts";
import { type McpConfig, type McpInput, type McpServerEntry, parseMcpFile, parseMcpServers } from "../../tools/mcp/mcpConfig.ts";
import { McpServers } from "../../tools/mcp/mcpServers.ts";
import { mcpProblemMessage } from "../../tools/mcp/messages.ts";
import { resolveEntry, variablesOf } from "../../tools/mcp/resolveEntry.ts";
import { t } from "../localize.ts";
import { tokenOf } from "../workspace/tokenOf.ts";
import { orNull } from "../workspace/unlessMissing.ts";
import { workspacePathOf } from "../workspace/workspacePath.ts";
import { type AskAgreement, addMcpAgreement, mcpAgreements } from "./mcpAgreements.ts";
import { mcpFileOf } from "./turnTools.ts";

/** The largest mcp.json that is read. */
const MAX_BYTES = 1_000_000;

/** What the editor keeps for the extension. */
interface McpMemory {
  readonly workspaceState: Memory;
  readonly secrets: Pick<vscode.SecretStorage, "get" | "store">;
}

/** A workspace folder's `.vscode/mcp.json`. */
interface McpFile {
  readonly uri: vscode.Uri;
  readonly folder: vscode.WorkspaceFolder;
  readonly config: McpConfig;
}

type Found = {
  readonly name: string;
  readonly entry: McpServerEntry;
  /** Null for a server of the user's settings. */
  readonly file: McpFile | null;
  /** The workspace folder in which it starts. */
  readonly folder: vscode.WorkspaceFolder | undefined;
  /** Identifies the file, the name and the definition. */
  readonly base: string;
  /** A hash of each file that it runs, by its path. */
  readonly files: Readonly<Record<string, string>>;
  /** Identifies all of this: the user agrees to it. */
  readonly key: string;
  /** Null for a server of the user's settings that runs no file of the workspace: it needs no consent. */
  readonly place: string | null;
};

/** The servers of the user's settings and of the trusted workspace's mcp.json files. Those of the workspace need the user's consent. */
export function createHostMcp({ workspaceState, secrets }: McpMemory, machine: McpMachine, agree: AskAgreement): McpServers {
  const told = new Set<string>();
  const tell = (problem: McpProblem) => {
    const message = mcpProblemMessage(problem, t);
    if (told.has(message)) return;
    told.add(message);
    void vscode.window.showWarningMessage(message);
  };
  /** What the user refused in this window, by key. */
  const refused = new Set<string>();
  const isAgreed = ({ key }: Found) => mcpAgreements(workspaceState).some((each) => each.key === key);

  /** The definitions, each name once; the user's own come first. */
  const find = async (): Promise<readonly Found[]> => {
    const own = parseMcpServers(vscode.workspace.getConfiguration("graft").inspect("mcp.servers")?.globalValue, "graft.mcp.servers");
    const found = new Map<string, Pick<Found, "name" | "entry" | "file">>();
    const add = (config: McpConfig, file: McpFile | null) => {
      config.problems.forEach(tell);
      for (const [name, entry] of config.servers) {
        if (found.has(name)) tell({ code: "name-taken", name });
        else found.set(name, { name, entry, file });
      }
    };
    add(own, null);
    for (const file of await readMcpFiles(tell)) add(file.config, file);
    return Promise.all([...found.values()].map(identified));
  };

  const identified = async (each: Pick<Found, "name" | "entry" | "file">): Promise<Found> => {
    const { name, entry, file } = each;
    const folder = file?.folder ?? vscode.workspace.workspaceFolders?.find(({ uri }) => uri.scheme === "file");
    const base = await fingerprint([file?.uri.toString(), name, entry]);
    // Values that are asked for later name no files.
    const value = (variable: string) => (variable === "workspaceFolder" ? (folder?.uri.fsPath ?? "") : (machine.variable(variable) ?? ""));
    const resolved = resolveEntry(name, entry, value);
    const files = resolved.ok ? await machine.scripts(resolved.value, folder?.uri.fsPath ?? null) : {};
    const inside = Object.keys(files).flatMap((path) => workspacePathOf(vscode.Uri.file(path)) ?? []);
    const place = file ? (workspacePathOf(file.uri) ?? file.uri.fsPath) : (inside[0] ?? null);
    const key = Object.keys(files).length === 0 ? base : await fingerprint([base, files]);
    return { ...each, folder, base, files, key, place };
  };

  /** The files of a server that changed since the user agreed to it; empty where they never did. */
  const changedSince = ({ base, files }: Found): readonly string[] => {
    const agreed = mcpAgreements(workspaceState).find((each) => each.base === base)?.files;
    if (!agreed) return [];
    const paths = [...new Set([...Object.keys(agreed), ...Object.keys(files)])].filter((path) => agreed[path] !== files[path]);
    return paths.map((path) => workspacePathOf(vscode.Uri.file(path)) ?? path).sort();
  };

  /** Asks in one list about the servers of the workspace that are new, once in this window. The keys of those that may start. */
  const askAbout = async (found: readonly Found[], signal: AbortSignal): Promise<ReadonlySet<string>> => {
    const offered = found.flatMap((each) => {
      const { key, name, entry, place } = each;
      if (place === null || isAgreed(each) || refused.has(key)) return [];
      const changed = changedSince(each);
      const facts = { key, name, path: place, remote: "url" in entry, definition: definitionOf(entry) };
      return [{ ...facts, ...(changed.length > 0 && { changed: [...changed] }) }];
    });
    const started = offered.length === 0 ? null : await agree(offered, signal);
    for (const { key } of started ? offered : []) if (!started?.has(key)) refused.add(key);
    return started ?? new Set();
  };

  /** True for a server that the user agreed to, now (`started`) or earlier. Asks for its missing inputs first. */
  const mayStart = async (found: Found, started: ReadonlySet<string>, signal: AbortSignal): Promise<boolean> => {
    const { name, entry, file, key, base, files, place } = found;
    if (place === null) return true;
    if (refused.has(key) || (!started.has(key) && !isAgreed(found))) return false;
    const inputs = (file?.config.inputs ?? []).flatMap((input) =>
      file && variablesOf(entry).includes(`input:${input.id}`) ? { ...input, secret: inputSecret(file.uri, input.id) } : [],
    );
    for (const { secret, ...input } of inputs) {
      if ((await secrets.get(secret)) !== undefined) continue;
      const value = await askInput(name, input, signal);
      if (signal.aborted) return false;
      if (value === undefined) {
        refused.add(key);
        return false;
      }
      await secrets.store(secret, value);
    }
    const agreement = { key, name, secrets: inputs.map(({ secret }) => secret), base, files };
    if (!isAgreed(found)) await addMcpAgreement(workspaceState, agreement);
    return true;
  };

  const resolve = async ({ name, entry, file, folder, files }: Found): Promise<McpServer | null> => {
    const values = new Map<string, string | null>();
    for (const variable of variablesOf(entry)) {
      const input = variable.startsWith("input:") && file ? inputSecret(file.uri, variable.slice("input:".length)) : null;
      if (input !== null) values.set(variable, (await secrets.get(input)) ?? null);
      else values.set(variable, variable === "workspaceFolder" ? (folder?.uri.fsPath ?? null) : machine.variable(variable));
    }
    const resolved = resolveEntry(name, entry, (variable) => values.get(variable) ?? null);
    const prepared = resolved.ok ? await machine.prepare(resolved.value, folder?.uri.fsPath ?? null) : resolved;
    // What the user agreed to: it does not start with other files.
    if (prepared.ok) return { ...prepared.value, own: file === null, files: { ...prepared.value.files, ...files } };
    tell(prepared.error);
    return null;
  };

  return new McpServers({
    connect: machine.connect,
    roots: () =>
      (vscode.workspace.workspaceFolders ?? []).flatMap(({ uri, name }) => (uri.scheme === "file" ? [{ uri: uri.toString(), name }] : [])),
    tell,
    async servers(signal) {
      const servers: McpServer[] = [];
      const found = vscode.workspace.isTrusted ? await find() : [];
      const started = await askAbout(found, signal);
      for (const each of found) {
        try {
          const server = (await mayStart(each, started, signal)) ? await resolve(each) : null;
          if (server) servers.push(server);
        } catch (error) {
          tell({ code: "not-started", name: each.name, detail: thrownText(error), wrote: "" });
        }
      }
      return servers;
    },
  });
}

/** Reads the workspace's files. Reports invalid ones, which then define no server. */
async function readMcpFiles(tell: (problem: McpProblem) => void): Promise<readonly McpFile[]> {
  const files: McpFile[] = [];
  for (const folder of vscode.workspace.workspaceFolders ?? []) {
    const uri = mcpFileOf(folder);
    const bytes = await orNull(vscode.workspace.fs.readFile(uri));
    if (!bytes || bytes.length > MAX_BYTES) continue;
    const parsed = parseMcpFile(new TextDecoder().decode(bytes), `${folder.name}/.vscode/mcp.json`);
    if (parsed.ok) files.push({ uri, folder, config: parsed.value });
    else tell(parsed.error);
  }
  return files;
}

/** Asks for the value of an input; undefined when the user gives none, or `signal` aborts. */
async function askInput(
  server: string,
  { id, type, description, options = [], password, ...input }: McpInput,
  signal: AbortSignal,
): Promise<string | undefined> {
  const common = {
    title: t("MCP server {server}: {input}", { server: visibleLine(server), input: visibleLine(description ?? id) }),
    ignoreFocusOut: true,
  };
  if (type === "pickString") return vscode.window.showQuickPick(options, common, tokenOf(signal));
  const prompt = t("Stored in VS Code's secret storage, for this workspace's mcp.json only.");
  const given = { ...common, prompt, password: password ?? false, ...(input.default !== undefined && { value: input.default }) };
  return vscode.window.showInputBox(given, tokenOf(signal));
}

/** All of a definition, a line for each of its fields. */
function definitionOf(entry: McpServerEntry): string {
  return Object.entries(entry)
    .map(([name, value]) => `${JSON.stringify(name)}: ${JSON.stringify(value)}`)
    .join("\n");
}

/** The secret that holds an input's value: for this file only, so that no other workspace gets it by naming it. */
function inputSecret(file: vscode.Uri, id: string): string {
  return `graft.mcp.input ${file.toString()} ${id}`;
}

async function fingerprint(value: unknown): Promise<string> {
  const bytes = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(JSON.stringify(value)));
  return [...new Uint8Array(bytes)].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}
