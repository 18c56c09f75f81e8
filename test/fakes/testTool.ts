import * as z from "zod/mini";
import { defineTool, type Tool, type ToolContext, type ToolResult } from "../../src/tools/tool.ts";

const schema = z.object({ text: z.optional(z.string()) });

/** A tool that does what `execute` does; its one argument is `text`. */
export function testTool(
  name: string,
  execute: (text: string, context: ToolContext) => Promise<ToolResult>,
  effect: Tool["effect"] = "read",
  timeoutMs = 5_000,
  category: Tool["category"] = "ui",
): Tool {
  return defineTool({
    ...{ name, description: name, category, effect, timeoutMs, schema },
    summary: () => `Run ${name}`,
    execute: ({ text = "" }, context) => execute(text, context),
  });
}
