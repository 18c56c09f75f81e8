import { Server } from "@modelcontextprotocol/sdk/server/index.js";
import {
  CallToolRequestSchema,
  GetPromptRequestSchema,
  ListPromptsRequestSchema,
  ListToolsRequestSchema,
  ResultSchema,
} from "@modelcontextprotocol/sdk/types.js";

const text = (value: string) => ({ content: [{ type: "text" as const, text: value }] });
const object = (properties: Record<string, object> = {}) => ({
  type: "object" as const,
  properties,
});

const colour = {
  message: "Which colour?",
  requestedSchema: {
    type: "object",
    properties: { colour: { type: "string", enum: ["red", "green"] } },
    required: ["colour"],
  },
};

async function refusal(request: Promise<unknown>): Promise<string> {
  return request.then(
    () => "answered",
    (error: unknown) => String(error),
  );
}

/**
 * The tools of a small MCP server, connected to nothing yet; `log` is told of each list, call and
 * cancellation. `more` tools that do nothing can be added, each one twice.
 */
export function createTestServer(log: (line: string) => void, more = 0): Server {
  const server = new Server(
    { name: "test", version: "1" },
    { capabilities: { tools: { listChanged: true }, prompts: {} } },
  );
  const tools = [
    {
      name: "add",
      description: "Adds.",
      inputSchema: object({ a: { type: "number" }, b: { type: "number" } }),
    },
    {
      name: "look",
      description: "Only looks.",
      inputSchema: object(),
      annotations: { readOnlyHint: true },
    },
    { name: "picture", inputSchema: object() },
    { name: "huge", inputSchema: object() },
    { name: "hang", inputSchema: object() },
    { name: "freeze", inputSchema: object() },
    { name: "die", inputSchema: object() },
    { name: "count", inputSchema: object() },
    { name: "grow", inputSchema: object() },
    { name: "wrong", inputSchema: object() },
    { name: "ask", inputSchema: object() },
    { name: "roots", inputSchema: object() },
    { name: "sample", inputSchema: object() },
    { name: "tell", inputSchema: object({ name: { type: "string" } }) },
    {
      name: "odd name/with signs and much more text than any provider would ever take for a name",
      inputSchema: object(),
    },
    {
      name: "odd",
      inputSchema: {
        ...object(),
        $schema: "x",
        properties: { "a b": { $ref: "#/nowhere", anyOf: "no list" } },
      },
    },
  ];
  for (let index = 0; index < more; index++) {
    const tool = { name: `tool${index}`, inputSchema: object() };
    tools.push(tool, tool);
  }
  server.setRequestHandler(ListPromptsRequestSchema, () => ({
    prompts: [
      {
        name: "review",
        description: "Reviews a file.",
        arguments: [{ name: "file", required: true }, { name: "depth" }],
      },
      { name: "not a command" },
    ],
  }));
  server.setRequestHandler(GetPromptRequestSchema, ({ params }) => {
    const { file, depth = "1" } = params.arguments ?? {};
    if (file === undefined) throw new Error("file is missing");
    const text = `Review ${file} to depth ${depth}.`;
    return { messages: [{ role: "user" as const, content: { type: "text" as const, text } }] };
  });
  server.setRequestHandler(ListToolsRequestSchema, () => {
    log("list");
    return { tools };
  });
  server.setRequestHandler(
    CallToolRequestSchema,
    async (
      { params: { name, arguments: args = {}, _meta } },
      { signal, sendNotification, sendRequest },
    ) => {
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
          console.error(args.say === undefined ? "out of memory" : process.env[String(args.say)]);
          return process.exit(7);
        case "count":
          await sendNotification({
            method: "notifications/progress",
            params: {
              progressToken: _meta?.progressToken ?? 0,
              progress: 1,
              total: 3,
              message: "one",
            },
          });
          // The client answers when it has seen what came before.
          await server.ping();
          return text("counted");
        case "grow":
          tools.push({ name: "grown", inputSchema: object() });
          for (let times = 0; times < 500; times++) await server.sendToolListChanged();
          return text("grew");
        case "ask": {
          // Not the server's own way, which would refuse to ask a client that cannot.
          const asked = await sendRequest(
            { method: "elicitation/create", params: colour },
            ResultSchema,
          );
          return text(JSON.stringify(asked));
        }
        case "roots":
          return text(JSON.stringify((await server.listRoots()).roots));
        case "sample":
          return text(
            await refusal(
              sendRequest(
                { method: "sampling/createMessage", params: { messages: [], maxTokens: 1 } },
                ResultSchema,
              ),
            ),
          );
        case "tell":
          return text(`It is ${process.env[String(args.name)]}.`);
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
