import { Server } from "@modelcontextprotocol/sdk/server/index.js";
import { CallToolRequestSchema, ListToolsRequestSchema } from "@modelcontextprotocol/sdk/types.js";

const text = (value: string) => ({ content: [{ type: "text" as const, text: value }] });
const object = (properties: Record<string, object> = {}) => ({ type: "object" as const, properties });

/** The tools of a small MCP server, connected to nothing yet; `log` is told of each call and each cancellation. */
export function createTestServer(log: (line: string) => void): Server {
  const server = new Server({ name: "test", version: "1" }, { capabilities: { tools: { listChanged: true } } });
  const tools = [
    { name: "add", description: "Adds.", inputSchema: object({ a: { type: "number" }, b: { type: "number" } }) },
    { name: "look", description: "Only looks.", inputSchema: object(), annotations: { readOnlyHint: true } },
    { name: "picture", inputSchema: object() },
    { name: "huge", inputSchema: object() },
    { name: "hang", inputSchema: object() },
    { name: "freeze", inputSchema: object() },
    { name: "die", inputSchema: object() },
    { name: "count", inputSchema: object() },
    { name: "grow", inputSchema: object() },
    { name: "wrong", inputSchema: object() },
    { name: "odd name/with signs and much more text than any provider would ever take for a name", inputSchema: object() },
    { name: "odd", inputSchema: { ...object(), $schema: "x", properties: { "a b": { $ref: "#/nowhere", anyOf: "no list" } } } },
  ];
  server.setRequestHandler(ListToolsRequestSchema, () => ({ tools }));
  server.setRequestHandler(
    CallToolRequestSchema,
    async ({ params: { name, arguments: args = {}, _meta } }, { signal, sendNotification }) => {
      log(`call ${name}`);
      signal.addEventListener("abort", () => log(`cancelled ${name}`));
      switch (name) {
        case "add":
          return text(String(Number(args.a) + Number(args.b)));
        case "picture":
          return { content: [{ type: "image", data: "A".repeat(4_000), mimeType: "image/png" }] };
        case "huge":
          return text("x".repeat(3_000_000));
        case "hang":
          return new Promise(() => undefined);
        case "freeze":
          // The process takes nothing any more.
          for (;;) Math.sqrt(2);
        case "die":
          console.error("out of memory");
          return process.exit(7);
        case "count":
          await sendNotification({
            method: "notifications/progress",
            params: { progressToken: _meta?.progressToken ?? 0, progress: 1, total: 3, message: "one" },
          });
          // The client answers when it has seen what came before.
          await server.ping();
          return text("counted");
        case "grow":
          tools.push({ name: "grown", inputSchema: object() });
          await server.sendToolListChanged();
          return text("grew");
        case "wrong":
          return { ...text("that is wrong"), isError: true };
        case "look":
          return text("seen");
        default:
          throw new Error(`no tool ${name}`);
      }
    },
  );
  return server;
}
