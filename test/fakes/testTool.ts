import * as z from "zod/mini";
import { namedTool } from "../../src/tools/defineTool.ts";
import type { Tool, ToolContext, ToolResult } from "../../src/tools/tool.ts";

const schema = z.object({ text: z.optional(z.string()) });

/** A tool that does what `execute` does; its one argument is `text`. */
export function testTool(
  name: string,
  execute: (text: string, context: ToolContext) => Promise<ToolResult>,
  effect: Tool["effect"] = "read",
  timeoutMs = 5_000,
  category: Tool["category"] = "ui",
): Tool {
  return namedTool(name, {
    ...{ description: name, category, effect, timeoutMs, schema },
    question: () => ({ summary: `Run ${name}` }),
    execute: ({ text = "" }, context) => execute(text, context),
  });
}
