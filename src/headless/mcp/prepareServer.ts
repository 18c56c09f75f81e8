import { readFile } from "node:fs/promises";
import { homedir } from "node:os";
import * as path from "node:path";
import * as util from "node:util";
import { err, ok, type Result } from "../../base/result.ts";
import type { McpServer } from "../../ports/mcp.ts";
import { secretValues } from "../../tools/mcp/resolveEntry.ts";

/**
 * A server with absolute paths, relative ones taken from `folder`, and with the variables of its `envFile`; those of its `env` win. Without
 * a folder it runs in the user's home. The error is a sentence that names the file which cannot be read.
 */
export async function prepareServer(server: McpServer, folder: string | null): Promise<Result<McpServer, string>> {
  const { name, transport, secrets } = server;
  if (transport.type !== "stdio") return ok(server);
  const base = folder ?? homedir();
  const { envFile, ...rest } = transport;
  const placed = { ...rest, cwd: path.resolve(base, transport.cwd ?? "") };
  if (envFile === undefined) return ok({ name, transport: placed, secrets });
  const file = path.resolve(base, envFile);
  try {
    const read = util.parseEnv(await readFile(file, "utf8"));
    const set = Object.fromEntries(Object.entries(read).flatMap(([key, value]) => (value === undefined ? [] : [[key, value]])));
    return ok({ name, transport: { ...placed, env: { ...set, ...rest.env } }, secrets: [...secrets, ...secretValues(set)] });
  } catch (error) {
    return err(
      `The MCP server ${name} is not started: its envFile ${file} cannot be read (${error instanceof Error ? error.message : String(error)}).`,
    );
  }
}
