import { createHash } from "node:crypto";
import { readFile, stat } from "node:fs/promises";
import { homedir } from "node:os";
import * as path from "node:path";
import * as util from "node:util";
import { err, ok, type Result } from "../../base/result.ts";
import { thrownText } from "../../base/text/sentence.ts";
import type { McpMachine, McpProblem, McpServer } from "../../ports/mcp.ts";
import { secretValues } from "../../tools/mcp/secrets.ts";
import { namedVariable } from "../processes/childEnvironment.ts";
import { connectMcp } from "./connectMcp.ts";
import { signInToServer } from "./signInToServer.ts";

/** {@link McpMachine} of this machine. */
export const mcpMachine: McpMachine = {
  connect: connectMcp,
  prepare: prepareServer,
  signIn: signInToServer,
  variable(name) {
    if (name === "userHome") return homedir();
    return name.startsWith("env:") ? namedVariable(name.slice("env:".length)) : null;
  },
};

/**
 * Makes a server's paths absolute in `folder` (by default the home folder) and adds the variables
 * of its `envFile`.
 */
export async function prepareServer(
  server: McpServer,
  folder: string | null,
): Promise<Result<McpServer, McpProblem>> {
  const { name, transport, secrets, own } = server;
  const definition = createHash("sha256").update(server.definition).digest("hex");
  if (transport.type !== "stdio") return ok({ ...server, definition });
  const base = folder ?? homedir();
  const { envFile, ...rest } = transport;
  const placed = { ...rest, cwd: path.resolve(base, transport.cwd ?? "") };
  const facts = { name, definition, own };
  if (envFile === undefined) return ok({ ...facts, transport: placed, secrets });
  const file = path.resolve(base, envFile);
  try {
    // A pipe would be waited for, and a device never ends.
    if (!(await stat(file)).isFile())
      return err({ code: "no-env-file", name, file, detail: "EINVAL" });
    const read = util.parseEnv(await readFile(file, "utf8"));
    const set = Object.fromEntries(
      Object.entries(read).flatMap(([key, value]) => (value === undefined ? [] : [[key, value]])),
    );
    const started = { ...placed, env: { ...set, ...rest.env } };
    return ok({
      ...facts,
      transport: started,
      secrets: [...secrets, ...secretValues(set)],
    });
  } catch (error) {
    return err({ code: "no-env-file", name, file, detail: thrownText(error) });
  }
}
