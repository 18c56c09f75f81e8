import * as z from "zod/mini";
import { english } from "../../base/localize.ts";
import { err, ok } from "../../base/result.ts";
import { firstPart } from "../../base/text/clip.ts";
import { jsonSchemaFault } from "../jsonSchemaFault.ts";
import { toolError } from "../messages.ts";
import type { Tool, ToolContext } from "../tool.ts";
import { mcpResult } from "./mcpResult.ts";
import { argumentLines, extensionToolName } from "./mcpTool.ts";
import { toolSchema } from "./toolSchema.ts";

/** The most of a description, and of all tools together as JSON, in UTF-16 units. */
const MAX_DESCRIPTION = 1_000;
const MAX_SPECS = 24_000;

/** A tool that another extension offers to agents. */
export interface OfferedTool {
  readonly name: string;
  readonly description: string;
  /** A JSON Schema, or nothing. */
  readonly inputSchema: unknown;
}

/**
 * The tools of other extensions that the user `allowed` by name, a `*` at the end for any rest.
 * Every call is asked for, as a command is. What is over the budget of specs is left out.
 * `invoke` gives the parts of a result; it may reject.
 */
export function extensionTools(
  offered: readonly OfferedTool[],
  allowed: readonly string[],
  invoke: (name: string, input: object, context: ToolContext) => Promise<readonly unknown[]>,
): readonly Tool[] {
  let length = 0;
  return offered
    .filter(({ name }) => allowed.some((wanted) => fitsWish(name, wanted)))
    .map((tool) => extensionTool(tool, (...given) => invoke(tool.name, ...given)))
    .filter(({ name, description, parameters }) => {
      const own = JSON.stringify({ name, description, parameters }).length;
      if (length + own > MAX_SPECS) return false;
      length += own;
      return true;
    });
}

function extensionTool(
  { name: tool, description, inputSchema }: OfferedTool,
  invoke: (input: object, context: ToolContext) => Promise<readonly unknown[]>,
): Tool {
  const name = extensionToolName(tool);
  const { parameters, note } = toolSchema(inputSchema) ?? OPEN;
  return {
    name,
    origin: { tool, server: null },
    description:
      `${firstPart(description, MAX_DESCRIPTION)}${note}\n(From another extension.)`.trim(),
    category: "mcp",
    effect: "execute",
    parameters,
    prepare(input, t = english) {
      const args = z.safeParse(z.record(z.string(), z.unknown()), input ?? {});
      if (!args.success) return err(toolError("not-an-object", { tool: name }));
      const fault = jsonSchemaFault(inputSchema, args.data);
      if (fault) {
        const detail = `${fault.path}: expected ${fault.expected}`;
        const known = Object.keys(Object(parameters.properties));
        return err(toolError("invalid-arguments", { tool: name, detail, parameters: known }));
      }
      return ok({
        summary: t("Use {tool} of another extension", { tool }),
        arguments: argumentLines(args.data),
        effect: "execute",
        run: async (context) => mcpResult(tool, { content: await invoke(args.data, context) }),
      });
    },
  };
}

/** A schema that takes no object says nothing that the model could keep to. */
const OPEN = { parameters: { type: "object", properties: {} }, note: "" };

function fitsWish(name: string, wanted: string): boolean {
  return wanted.endsWith("*") ? name.startsWith(wanted.slice(0, -1)) : name === wanted;
}
