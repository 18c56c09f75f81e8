import { readFile } from "node:fs/promises";
import * as path from "node:path";
import { pathToFileURL } from "node:url";
import { err, ok, type Result } from "../base/result.ts";
import { mcpMachine } from "../node/mcp/mcpMachine.ts";
import type { McpProblem, McpServer } from "../ports/mcp.ts";
import { parseMcpFile } from "../tools/mcp/mcpConfig.ts";
import { McpServers } from "../tools/mcp/mcpServers.ts";
import { mcpProblemMessage } from "../tools/mcp/messages.ts";
import { resolveEntry } from "../tools/mcp/resolveEntry.ts";

/**
 * The servers from a file in the format of VS Code's `mcp.json`, for the workspace `root`. Input
 * variables are not supported.
 */
export async function openFileMcp(
  file: string,
  root: string,
  tell: (problem: McpProblem) => void,
): Promise<Result<McpServers, string>> {
  let text: string;
  try {
    text = await readFile(file, "utf8");
  } catch {
    return err(`--mcp must be a readable file. ${file} is not one.`);
  }
  const parsed = parseMcpFile(text, file);
  if (!parsed.ok) return err(mcpProblemMessage(parsed.error));
  const folder = path.resolve(root);
  const servers: McpServer[] = [];
  parsed.value.problems.forEach(tell);
  for (const [name, entry] of parsed.value.servers) {
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
