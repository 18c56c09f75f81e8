import * as z from "zod/mini";
import { err, ok } from "../../base/result.ts";
import { defineTool, type Tool, type ToolContext, type ToolResult } from "../tool.ts";

const MAX_DESCRIPTION = 2_000;
/** The longest name that every provider accepts. */
const MAX_NAME = 64;
/** The longest schema that is shown to the model, as JSON. */
const MAX_SCHEMA = 20_000;

const infoSchema = z.object({
  name: z.string().check(z.minLength(1)),
  title: z.optional(z.string()),
  description: z.optional(z.string()),
  inputSchema: z.optional(z.unknown()),
  annotations: z.optional(z.looseObject({ readOnlyHint: z.optional(z.boolean()) })),
});

/** A tool as a server describes it. */
export interface McpToolInfo {
  /** As the server knows it. */
  readonly name: string;
  readonly description: string;
  /** The server says that it changes nothing. */
  readonly readOnly: boolean;
  readonly parameters: Readonly<Record<string, unknown>>;
}

/** Checks what a server says about a tool; null for what cannot be called. A schema that no provider would take is replaced by one that allows everything. */
export function parseMcpTool(raw: unknown): McpToolInfo | null {
  const parsed = z.safeParse(infoSchema, raw);
  if (!parsed.success) return null;
  const { name, title, description = title ?? "", inputSchema, annotations } = parsed.data;
  return {
    name,
    description: description.slice(0, MAX_DESCRIPTION),
    readOnly: annotations?.readOnlyHint === true,
    parameters: parametersOf(inputSchema),
  };
}

/** A tool of the MCP server `server`, which the model knows as `name`; `call` runs it. */
export function createMcpTool(
  name: string,
  server: string,
  info: McpToolInfo,
  call: (args: Readonly<Record<string, unknown>>, context: ToolContext) => Promise<ToolResult>,
): Tool {
  const effect = info.readOnly ? "read" : "execute";
  return {
    name,
    description: `${info.description}\n(From the MCP server ${server}.)`.trim(),
    category: "mcp",
    effect,
    // A call limits itself: no time runs out while the server asks the user.
    timeoutMs: Number.POSITIVE_INFINITY,
    maxRetries: 0,
    reviewed: false,
    unasked: false,
    parameters: info.parameters,
    prepare(input) {
      const args = z.safeParse(z.record(z.string(), z.unknown()), input ?? {});
      if (!args.success) {
        const recovery = `Call ${name} again with one JSON object.`;
        return err({ category: "validation", message: `The arguments of ${name} must be an object.`, recovery });
      }
      return ok({
        summary: `Use ${info.name} of the MCP server ${server}: ${shortened(JSON.stringify(args.data))}`,
        effect,
        ...(info.readOnly && { server }),
        run: (context) => call(args.data, context),
      });
    },
  };
}

function parametersOf(schema: unknown): Readonly<Record<string, unknown>> {
  const parsed = z.safeParse(
    z.looseObject({ type: z.literal("object"), properties: z.optional(z.record(z.string(), z.unknown())) }),
    schema,
  );
  if (!parsed.success || JSON.stringify(parsed.data).length > MAX_SCHEMA) return { type: "object", properties: {} };
  const { $schema: _, properties = {}, ...rest } = parsed.data;
  return { ...rest, properties };
}

function shortened(text: string): string {
  return text.length > 500 ? `${text.slice(0, 500)}…` : text;
}

/** Stands for a server that does not run, so that the model knows of it; `why` is a sentence. */
export function createMissingServer(name: string, why: string): Tool {
  return defineTool({
    name,
    description: `${why} Its tools are not there. Do not call this; where the user wants this server, tell him so.`,
    category: "mcp",
    effect: "read",
    schema: z.object({}),
    execute: async () => ({ ok: false, error: { category: "permission", message: why, recovery: "Go on without it, and tell the user." } }),
  });
}

/** The name of a server's tool as the model knows it, `mcp__server__tool`: letters, digits, `_` and `-`, and none of `taken`. */
export function mcpToolName(server: string, tool: string, taken: ReadonlySet<string>): string {
  const whole = `mcp__${plain(server)}__${plain(tool)}`;
  for (let count = 1; ; count++) {
    const end = count === 1 ? "" : `_${count}`;
    const name = whole.slice(0, MAX_NAME - end.length) + end;
    if (!taken.has(name)) return name;
  }
}

function plain(text: string): string {
  return text.replace(/[^A-Za-z0-9_-]+/g, "_");
}
