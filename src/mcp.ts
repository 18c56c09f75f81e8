import { createHostMcp } from "./host/mcp/hostMcp.ts";
import type { AskAgreement } from "./host/mcp/mcpAgreements.ts";
import { mcpMachine } from "./node/mcp/mcpMachine.ts";
import type { McpServers } from "./tools/mcp/mcpServers.ts";

/**
 * The MCP servers of a window, in a bundle of their own, so that the SDK loads only once a server
 * is defined.
 */
export function openMcp(
  context: Parameters<typeof createHostMcp>[0],
  agree: AskAgreement,
): McpServers {
  return createHostMcp(context, mcpMachine, agree);
}
