import * as vscode from "vscode";
import { ok, type Result } from "../../base/result.ts";
import type { McpMachine, McpProblem, McpServer } from "../../ports/mcp.ts";
import {
  type McpConfig,
  type McpServerEntry,
  parseMcpFile,
  parseMcpServers,
} from "../../tools/mcp/mcpConfig.ts";
import { namesWorkspace, resolveEntry, variablesOf } from "../../tools/mcp/resolveEntry.ts";
import { readPlainBytes } from "../workspace/documentText.ts";
import { workspacePathOf } from "../workspace/workspacePath.ts";
import { mcpFileOf } from "./turnTools.ts";

/** The largest mcp.json that is read. */
const MAX_BYTES = 1_000_000;

/** A workspace folder's `.vscode/mcp.json`. */
interface McpFile {
  readonly uri: vscode.Uri;
  readonly folder: vscode.WorkspaceFolder;
  readonly config: McpConfig;
}

/** A server that the settings or the workspace define. */
export type FoundServer = {
  readonly name: string;
  readonly entry: McpServerEntry;
  /** Null for a server of the user's settings. */
  readonly file: McpFile | null;
  /** The workspace folder in which it starts; else that is the user's home. */
  readonly folder: vscode.WorkspaceFolder | undefined;
  /** Identifies the file, the name and the definition: the user agrees to these. */
  readonly key: string;
  /**
   * The path of what defines it in the workspace, or of the folder that the user's own definition
   * names. Null for one that names none: it needs no consent.
   */
  readonly place: string | null;
};

/** The definitions of the trusted workspace, each name once; the user's own come first. */
export async function findServers(
  tell: (problem: McpProblem) => void,
): Promise<readonly FoundServer[]> {
  const own = parseMcpServers(
    vscode.workspace.getConfiguration("graft").inspect("mcp.servers")?.globalValue,
    "graft.mcp.servers",
  );
  const found = new Map<string, Pick<FoundServer, "name" | "entry" | "file">>();
  const add = (config: McpConfig, file: McpFile | null) => {
    config.problems.forEach(tell);
    for (const [name, entry] of config.servers) {
      if (found.has(name)) tell({ code: "name-taken", name });
      else found.set(name, { name, entry, file });
    }
  };
  add(own, null);
  for (const file of await readMcpFiles(tell)) add(file.config, file);
  return Promise.all([...found.values()].map((each) => identified(each)));
}

async function identified(
  each: Pick<FoundServer, "name" | "entry" | "file">,
): Promise<FoundServer> {
  const { name, entry, file } = each;
  const first = vscode.workspace.workspaceFolders?.find(({ uri }) => uri.scheme === "file");
  const folder = file?.folder ?? (namesWorkspace(entry) ? first : undefined);
  const place = file ? (workspacePathOf(file.uri) ?? file.uri.fsPath) : (folder?.name ?? null);
  return { ...each, folder, place, key: await fingerprint([file?.uri.toString(), name, entry]) };
}

/** The server with its variables filled in, as it starts; else why it cannot. */
export async function resolveServer(
  { name, entry, file, folder }: FoundServer,
  machine: McpMachine,
  secrets: Pick<vscode.SecretStorage, "get">,
): Promise<Result<McpServer, McpProblem>> {
  const values = new Map<string, string | null>();
  for (const variable of variablesOf(entry)) {
    const input =
      variable.startsWith("input:") && file
        ? inputSecret(file.uri, variable.slice("input:".length))
        : null;
    if (input !== null) values.set(variable, (await secrets.get(input)) ?? null);
    else
      values.set(
        variable,
        variable === "workspaceFolder" ? (folder?.uri.fsPath ?? null) : machine.variable(variable),
      );
  }
  const resolved = resolveEntry(name, entry, (variable) => values.get(variable) ?? null);
  const prepared = resolved.ok
    ? await machine.prepare(resolved.value, folder?.uri.fsPath ?? null)
    : resolved;
  return prepared.ok ? ok({ ...prepared.value, own: file === null }) : prepared;
}

/** Reads the workspace's files. Reports invalid ones, which then define no server. */
async function readMcpFiles(tell: (problem: McpProblem) => void): Promise<readonly McpFile[]> {
  const files: McpFile[] = [];
  for (const folder of vscode.workspace.workspaceFolders ?? []) {
    const uri = mcpFileOf(folder);
    const bytes = await readPlainBytes(uri);
    if (!bytes || bytes.length > MAX_BYTES) continue;
    const parsed = parseMcpFile(new TextDecoder().decode(bytes), `${folder.name}/.vscode/mcp.json`);
    if (parsed.ok) files.push({ uri, folder, config: parsed.value });
    else tell(parsed.error);
  }
  return files;
}

/**
 * The secret that holds an input's value: for this file only, so that no other workspace gets it by
 * naming it.
 */
export function inputSecret(file: vscode.Uri, id: string): string {
  return `graft.mcp.input ${file.toString()} ${id}`;
}

async function fingerprint(value: unknown): Promise<string> {
  const bytes = await crypto.subtle.digest(
    "SHA-256",
    new TextEncoder().encode(JSON.stringify(value)),
  );
  return [...new Uint8Array(bytes)].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}
