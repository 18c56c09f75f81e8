import { readFile } from "node:fs/promises";
import * as path from "node:path";
import { err, ok, type Result } from "../../base/result.ts";
import type { McpServer } from "../../ports/mcp.ts";
import { parseMcpFile } from "../../tools/mcp/mcpConfig.ts";
import { McpServers } from "../../tools/mcp/mcpServers.ts";
import { resolveEntry } from "../../tools/mcp/resolveEntry.ts";
import { mcpMachine } from "./mcpMachine.ts";

/** The servers that a file in the format of VS Code's `mcp.json` defines, for the workspace `root`. What it asks the user for has no value here. */
export async function openFileMcp(file: string, root: string, tell: (problem: string) => void): Promise<Result<McpServers, string>> {
  let text: string;
  try {
    text = await readFile(file, "utf8");
  } catch {
    return err(`--mcp must be a file that can be read. ${file} is none.`);
  }
  const parsed = parseMcpFile(text, file);
  if (!parsed.ok) return parsed;
  const folder = path.resolve(root);
  const servers: McpServer[] = [];
  parsed.value.problems.forEach(tell);
  for (const [name, entry] of parsed.value.servers) {
    const resolved = resolveEntry(name, entry, (variable) => (variable === "workspaceFolder" ? folder : mcpMachine.variable(variable)));
    if (resolved.ok) servers.push(resolved.value);
    else tell(resolved.error);
  }
  return ok(new McpServers({ servers: async () => servers, connect: mcpMachine.connect(folder), tell }));
}
