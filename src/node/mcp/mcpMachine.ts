import { readFile } from "node:fs/promises";
import { homedir } from "node:os";
import * as path from "node:path";
import * as util from "node:util";
import { err, ok, type Result } from "../../base/result.ts";
import { thrownText } from "../../base/text/sentence.ts";
import type { McpMachine, McpProblem, McpServer } from "../../ports/mcp.ts";
import { secretValues } from "../../tools/mcp/secrets.ts";
import { namedVariable } from "../processes/childEnvironment.ts";
import { connectMcp } from "./connectMcp.ts";

/** What MCP servers find on this machine. */
export const mcpMachine: McpMachine = {
  connect: connectMcp,
  prepare: prepareServer,
  variable(name) {
    if (name === "userHome") return homedir();
    return name.startsWith("env:") ? namedVariable(name.slice("env:".length)) : null;
  },
};

/** Makes a server's paths absolute in `folder`, by default the user's home, and adds the variables of its `envFile`. */
export async function prepareServer(server: McpServer, folder: string | null): Promise<Result<McpServer, McpProblem>> {
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
    return err({ code: "no-env-file", name, file, detail: thrownText(error) });
  }
}
