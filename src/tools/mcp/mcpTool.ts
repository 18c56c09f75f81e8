import * as z from "zod/mini";
import { english } from "../../base/localize.ts";
import { err, ok } from "../../base/result.ts";
import { firstPart } from "../../base/text/clip.ts";
import type { McpServer } from "../../ports/mcp.ts";
import { toolError } from "../messages.ts";
import type { Tool, ToolContext, ToolResult } from "../tool.ts";
import { toolSchema } from "./toolSchema.ts";

const MAX_DESCRIPTION = 2_000;
/** The longest name that every provider accepts. */
const MAX_NAME = 64;

/** What a server gets wrong beside the name is as if it were absent. */
const text = z.catch(z.nullish(z.string()), null);
const infoSchema = z.object({
  name: z.string().check(z.minLength(1)),
  title: text,
  description: text,
  inputSchema: z.optional(z.unknown()),
  annotations: z.catch(z.nullish(z.looseObject({ readOnlyHint: z.unknown() })), null),
});

/** A tool as a server describes it. */
export interface McpToolInfo {
  /** The server's own name for it. */
  readonly name: string;
  readonly description: string;
  /** The server declares it read-only. */
  readonly readOnly: boolean;
  readonly parameters: Readonly<Record<string, unknown>>;
}

/** Parses a server's description of a tool; null for one that cannot be used. */
export function parseMcpTool(raw: unknown): McpToolInfo | null {
  const parsed = z.safeParse(infoSchema, raw);
  if (!parsed.success) return null;
  const { name, title, inputSchema, annotations } = parsed.data;
  const schema = toolSchema(inputSchema);
  if (schema === null) return null;
  const description = firstPart(parsed.data.description ?? title ?? "", MAX_DESCRIPTION);
  return {
    name,
    description: `${description}${schema.note}`.trim(),
    readOnly: annotations?.readOnlyHint === true,
    parameters: schema.parameters,
  };
}

/** The name in a server's description of a tool, else its 1-based number. */
export function describedName(raw: unknown, number: number): string {
  return z.safeParse(z.object({ name: z.string() }), raw).data?.name || `#${number}`;
}

/** A tool of an MCP server under the `name` that the model sees. `call` runs it. */
export function createMcpTool(
  name: string,
  { name: server, definition, own }: Pick<McpServer, "name" | "definition" | "own">,
  info: McpToolInfo,
  call: (args: Readonly<Record<string, unknown>>, context: ToolContext) => Promise<ToolResult>,
): Tool {
  const effect = info.readOnly ? "read" : "execute";
  return {
    name,
    origin: { tool: info.name, server },
    description: `${info.description}\n(From the MCP server ${server}.)`.trim(),
    category: "mcp",
    effect,
    // A call has its own time limit, which progress restarts.
    timeoutMs: Number.POSITIVE_INFINITY,
    parameters: info.parameters,
    prepare(input, t = english) {
      const args = z.safeParse(z.record(z.string(), z.unknown()), input ?? {});
      if (!args.success) return err(toolError("not-an-object", { tool: name }));
      return ok({
        summary: t("Run {tool} on the MCP server {server}", { tool: info.name, server }),
        arguments: argumentLines(args.data),
        mcp: { server, definition, tool: info.name, own },
        effect,
        ...(info.readOnly && { server }),
        run: (context) => call(args.data, context),
      });
    },
  };
}

/** Arguments for the user, a line each: no text in one can pass for another. */
export function argumentLines(args: Readonly<Record<string, unknown>>): string {
  const isPlain = (text: string) => /^[\p{L}\p{N}\p{P}\p{S} ]*$/u.test(text);
  return Object.entries(args)
    .map(([key, value]) => {
      const name = /^[\w.-]+$/.test(key) ? key : JSON.stringify(key);
      const shown =
        typeof value === "string" && isPlain(value) ? value : JSON.stringify(value, null, 2);
      return `${name}: ${shown}`;
    })
    .join("\n");
}

/**
 * The name that the model sees, `mcp__server__tool`: letters, digits, `_` and `-`. Another server
 * or tool has another name, whatever else there is, since rules of the settings go by names.
 */
export function mcpToolName(server: string, tool: string): string {
  const whole = `mcp__${plain(server)}__${plain(tool)}`;
  const isExact =
    plain(server) === server &&
    plain(tool) === tool &&
    !server.includes("__") &&
    !server.endsWith("_") &&
    !tool.startsWith("_");
  return isExact ? shortName(whole, [server, tool]) : withChecksum(whole, [server, tool]);
}

/** The name that the model sees of another extension's tool: `extension__tool`, as above. */
export function extensionToolName(tool: string): string {
  const whole = `extension__${plain(tool)}`;
  return plain(tool) === tool ? shortName(whole, [tool]) : withChecksum(whole, [tool]);
}

function shortName(whole: string, parts: readonly string[]): string {
  return whole.length <= MAX_NAME ? whole : withChecksum(whole, parts);
}

function withChecksum(whole: string, parts: readonly string[]): string {
  const end = `_${checksum(JSON.stringify(parts))}`;
  return whole.slice(0, MAX_NAME - end.length) + end;
}

function plain(text: string): string {
  return text.replace(/[^A-Za-z0-9_-]+/g, "_");
}

/** FNV-1a with 64 bits. */
function checksum(text: string): string {
  let hash = 0xcbf29ce484222325n;
  for (const byte of new TextEncoder().encode(text))
    hash = BigInt.asUintN(64, (hash ^ BigInt(byte)) * 0x100000001b3n);
  return hash.toString(36);
}
