import { homedir } from "node:os";
import type { McpMachine } from "../../ports/mcp.ts";
import { childEnvironment } from "../childEnvironment.ts";
import { createMcpConnector } from "./connectMcp.ts";

/** This machine. */
export const mcpMachine: McpMachine = {
  connect: createMcpConnector,
  variable(name) {
    if (name === "userHome") return homedir();
    return name.startsWith("env:") ? (childEnvironment()[name.slice("env:".length)] ?? null) : null;
  },
};
