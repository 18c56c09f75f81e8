import { homedir } from "node:os";
import type { McpMachine } from "../../ports/mcp.ts";
import { childEnvironment } from "../childEnvironment.ts";
import { connectMcp } from "./connectMcp.ts";
import { prepareServer } from "./prepareServer.ts";

/** This machine. */
export const mcpMachine: McpMachine = {
  connect: connectMcp,
  prepare: prepareServer,
  variable(name) {
    if (name === "userHome") return homedir();
    return name.startsWith("env:") ? (childEnvironment()[name.slice("env:".length)] ?? null) : null;
  },
};
