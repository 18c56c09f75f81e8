import { readFile } from "node:fs/promises";
import * as path from "node:path";
import { pathToFileURL } from "node:url";
import { err, ok, type Result } from "../base/result.ts";
import { mcpMachine } from "../node/mcp/mcpMachine.ts";
import type { McpProblem, McpServer } from "../ports/mcp.ts";
import { type McpConfig, parseMcpFile, parseMcpServers } from "../tools/mcp/mcpConfig.ts";
import { McpServers } from "../tools/mcp/mcpServers.ts";
import { mcpProblemMessage } from "../tools/mcp/messages.ts";
import { resolveEntry } from "../tools/mcp/resolveEntry.ts";

/**
 * The servers from a file in the format of VS Code's `mcp.json` (null for none), and those that a
 * client `given` in that format by name, for the workspace `root`. Of two with one name the file's
 * counts. Input variables are not supported.
 */
export async function openFileMcp(
  file: string | null,
  given: Readonly<Record<string, unknown>>,
  root: string,
  tell: (problem: McpProblem) => void,
): Promise<Result<McpServers, string>> {
  const named = file === null ? ok(null) : await readMcpFile(file);
  if (!named.ok) return named;
  const folder = path.resolve(root);
  const servers: McpServer[] = [];
  const others = parseMcpServers(given, "mcpServers");
  for (const problem of [...(named.value?.problems ?? []), ...others.problems]) tell(problem);
  for (const [name, entry] of new Map([...others.servers, ...(named.value?.servers ?? [])])) {
    const resolved = resolveEntry(name, entry, (variable) =>
      variable === "workspaceFolder" ? folder : mcpMachine.variable(variable),
    );
    const prepared = resolved.ok ? await mcpMachine.prepare(resolved.value, folder) : resolved;
    if (prepared.ok) servers.push({ ...prepared.value, own: true });
    else tell(prepared.error);
  }
  const roots = [{ uri: pathToFileURL(folder).href, name: path.basename(folder) }];
  return ok(
    new McpServers({
      servers: async () => servers,
      connect: mcpMachine.connect,
      roots: () => roots,
      tell,
    }),
  );
}

async function readMcpFile(file: string): Promise<Result<McpConfig, string>> {
  try {
    const parsed = parseMcpFile(await readFile(file, "utf8"), file);
    return parsed.ok ? parsed : err(mcpProblemMessage(parsed.error));
  } catch {
    return err(`--mcp must be a readable file. ${file} is not one.`);
  }
}
