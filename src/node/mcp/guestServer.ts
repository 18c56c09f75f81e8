import { Server } from "@modelcontextprotocol/sdk/server/index.js";
import { CallToolRequestSchema, ListToolsRequestSchema } from "@modelcontextprotocol/sdk/types.js";
import { wireText } from "../../model/wireText.ts";
import type { GuestResult, GuestTools } from "../../ports/guest.ts";

/** A guest's tools, which may hold a connection. */
type OpenedTools = Pick<GuestTools, "call"> & { close?(): void };

/** What an MCP server says about itself. */
export interface GuestServerFacts {
  readonly version: string;
  /** Words for the client's model on how the tools belong together. */
  readonly instructions: string;
}

/**
 * An MCP server with the tools of one guest, connected to nothing yet. `open` is called at the first
 * call, with the name that the client gives itself, and `closed` when the client is gone.
 */
export function createGuestServer(
  specs: GuestTools["specs"],
  open: (client: string) => OpenedTools,
  { version, instructions }: GuestServerFacts,
  closed: () => void = () => undefined,
): Server {
  const server = new Server(
    { name: "graft", title: "Graft", version },
    { capabilities: { tools: {} }, instructions },
  );
  let guest: OpenedTools | null = null;
  server.onclose = () => {
    guest?.close?.();
    closed();
  };
  server.setRequestHandler(ListToolsRequestSchema, () => ({
    tools: specs.map(({ name, description, parameters, readOnly }) => ({
      name,
      description,
      inputSchema: { ...parameters, type: "object" as const },
      annotations: { readOnlyHint: readOnly, openWorldHint: false },
    })),
  }));
  server.setRequestHandler(CallToolRequestSchema, async ({ params }, { signal }) => {
    const { name = "", title } = server.getClientVersion() ?? {};
    guest ??= open(title ?? name);
    return contentOf(await guest.call(params.name, params.arguments ?? {}, signal));
  });
  return server;
}

/** The words are for the model. The facts beside them are for programs, which models do not see. */
function contentOf({ text, isError, ...facts }: GuestResult) {
  return {
    content: [{ type: "text" as const, text: wireText(text) }],
    isError,
    _meta: { "graft/result": facts },
  };
}
