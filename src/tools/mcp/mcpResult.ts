import * as z from "zod/mini";
import { failed } from "../messages.ts";
import type { ToolResult } from "../tool.ts";

/** The longest result that is kept, in UTF-16 units. The router clips it for the model. */
const MAX_LENGTH = 1_000_000;
const MAX_ERROR_LENGTH = 4_000;

const binary = { data: z.optional(z.string()), mimeType: z.optional(z.string()) };
const contentSchema = z.discriminatedUnion("type", [
  z.object({ type: z.literal("text"), text: z.string() }),
  z.object({ type: z.literal("image"), ...binary }),
  z.object({ type: z.literal("audio"), ...binary }),
  z.object({ type: z.literal("resource_link"), uri: z.string(), name: z.optional(z.string()), description: z.optional(z.string()) }),
  z.object({
    type: z.literal("resource"),
    resource: z.object({ uri: z.string(), text: z.optional(z.string()), mimeType: z.optional(z.string()) }),
  }),
]);
type Content = z.infer<typeof contentSchema>;

const resultSchema = z.object({
  content: z.optional(z.array(z.unknown())),
  structuredContent: z.optional(z.unknown()),
  isError: z.optional(z.boolean()),
});

/** The result of an MCP server's tool as text. Other content is only named. */
export function mcpResult(tool: string, raw: unknown): ToolResult {
  const parsed = z.safeParse(resultSchema, raw);
  if (!parsed.success) return failed("not-a-tool-result", { tool });
  const { content = [], structuredContent, isError = false } = parsed.data;
  const parts = content.map(partText);
  if (parts.length === 0 && structuredContent !== undefined) parts.push(JSON.stringify(structuredContent, null, 2));
  const text = parts.join("\n");
  if (isError) return failed("server-tool-failed", { tool, detail: text.trim() === "" ? "" : text.slice(0, MAX_ERROR_LENGTH) });
  if (text.length <= MAX_LENGTH) return { ok: true, output: text === "" ? "(no content)" : text };
  return { ok: true, output: `${text.slice(0, MAX_LENGTH)}\n[${text.length - MAX_LENGTH} more characters omitted.]` };
}

function partText(part: unknown): string {
  const parsed = z.safeParse(contentSchema, part);
  return parsed.success ? contentText(parsed.data) : "[Content of an unknown type.]";
}

function contentText(content: Content): string {
  switch (content.type) {
    case "text":
      return content.text;
    case "image":
    case "audio":
      return `[An ${content.type} (${content.mimeType ?? "unknown type"}, ${size(content.data)}), not shown.]`;
    case "resource_link":
      return `[A resource: ${[content.uri, content.name, content.description].filter(Boolean).join(", ")}]`;
    case "resource": {
      const { uri, text, mimeType = "unknown type" } = content.resource;
      return text === undefined ? `[The resource ${uri} (${mimeType}), not text.]` : `[The resource ${uri}:]\n${text}`;
    }
  }
}

/** The size of base64 data. */
function size(data = ""): string {
  return `${Math.ceil((data.length * 3) / 4 / 1000)} kB`;
}
