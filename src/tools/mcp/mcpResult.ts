import * as z from "zod/mini";
import { failed } from "../messages.ts";
import type { ToolResult } from "../tool.ts";

const MAX_ERROR_LENGTH = 4_000;

/** Content of any type, with the fields that are shown. */
const contentSchema = z.object({
  type: z.string(),
  text: z.optional(z.string()),
  uri: z.optional(z.string()),
  resource: z.optional(z.object({ uri: z.string(), text: z.optional(z.string()) })),
});

const resultSchema = z.object({
  content: z.optional(z.array(contentSchema)),
  structuredContent: z.optional(z.unknown()),
  isError: z.optional(z.boolean()),
});

/** The result of an MCP server's tool as text. Other content is only named. */
export function mcpResult(tool: string, raw: unknown): ToolResult {
  const parsed = z.safeParse(resultSchema, raw);
  if (!parsed.success) return failed("not-a-tool-result", { tool });
  const { content = [], structuredContent, isError = false } = parsed.data;
  const parts = content.map(contentText);
  if (parts.length === 0 && structuredContent !== undefined)
    parts.push(JSON.stringify(structuredContent, null, 2));
  const text = parts.join("\n");
  if (isError)
    return failed("server-tool-failed", {
      tool,
      detail: text.trim() === "" ? "" : text.slice(0, MAX_ERROR_LENGTH),
    });
  return { ok: true, output: text === "" ? "(no content)" : text };
}

function contentText({ type, text, uri, resource }: z.infer<typeof contentSchema>): string {
  if (type === "text" && text !== undefined) return text;
  if (resource?.text !== undefined) return `[The resource ${resource.uri}:]\n${resource.text}`;
  const address = resource?.uri ?? uri;
  return address === undefined
    ? `[Content of type ${type}, not shown.]`
    : `[The resource ${address}, not shown.]`;
}
