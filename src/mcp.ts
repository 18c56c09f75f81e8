import { mcpMachine } from "./headless/mcp/mcpMachine.ts";
import { createHostMcp } from "./host/mcp/hostMcp.ts";
import type { Question } from "./ports/question.ts";
import type { McpServers } from "./tools/mcp/mcpServers.ts";

/** The MCP servers of a window, in a file of their own: the SDK is loaded when a server is first defined. */
export function openMcp(context: Parameters<typeof createHostMcp>[0], question: Question): McpServers {
  return createHostMcp(context, mcpMachine, question);
}
