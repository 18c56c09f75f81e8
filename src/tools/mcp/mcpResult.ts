import * as z from "zod/mini";
import { failed } from "../messages.ts";
import type { ToolResult } from "../tool.ts";

const MAX_ERROR_LENGTH = 4_000;
/** The most images of a result that are shown, and UTF-16 units of one as base64. */
const MAX_IMAGES = 4;
const MAX_IMAGE = 8_000_000;

/** Content of any type, with the fields that are shown. */
const contentSchema = z.object({
  type: z.string(),
  text: z.optional(z.string()),
  uri: z.optional(z.string()),
  data: z.optional(z.string()),
  mimeType: z.optional(z.string()),
  resource: z.optional(
    z.object({
      uri: z.string(),
      text: z.optional(z.string()),
      blob: z.optional(z.string()),
      mimeType: z.optional(z.string()),
    }),
  ),
});

const resultSchema = z.object({
  content: z.optional(z.array(contentSchema)),
  structuredContent: z.optional(z.unknown()),
  isError: z.optional(z.boolean()),
});

/** The result of an MCP server's tool: text, and images. Other content is only named. */
export function mcpResult(tool: string, raw: unknown): ToolResult {
  const parsed = z.safeParse(resultSchema, raw);
  if (!parsed.success) return failed("not-a-tool-result", { tool });
  const { content = [], structuredContent, isError = false } = parsed.data;
  const images = content
    .flatMap((each) => visibleImage(each) ?? [])
    .slice(0, isError ? 0 : MAX_IMAGES);
  const parts = content.map((each) => contentText(each, images));
  if (parts.length === 0 && structuredContent !== undefined)
    parts.push(JSON.stringify(structuredContent, null, 2));
  const text = parts.join("\n");
  if (isError)
    return failed("server-tool-failed", {
      tool,
      detail: text.trim() === "" ? "" : text.slice(0, MAX_ERROR_LENGTH),
    });
  const output = text === "" ? "(no content)" : text;
  return { ok: true, output, ...(images.length > 0 && { images }) };
}

/** An image that models can see, as base64; null for other content. */
function visibleImage({ type, data, mimeType, resource }: Content): string | null {
  const [bytes, kind] = type === "image" ? [data, mimeType] : [resource?.blob, resource?.mimeType];
  const isSeen = bytes !== undefined && /^image\/(?:png|jpe?g)$/.test(kind ?? "");
  return isSeen && bytes.length <= MAX_IMAGE ? bytes : null;
}

type Content = z.infer<typeof contentSchema>;

function contentText(content: Content, images: readonly string[]): string {
  const { type, text, uri, resource } = content;
  const image = visibleImage(content);
  if (image !== null && images.includes(image))
    return `[An image${resource ? `, the resource ${resource.uri}` : ""}. It follows the result.]`;
  if (type === "text" && text !== undefined) return text;
  if (resource?.text !== undefined) return `[The resource ${resource.uri}:]\n${resource.text}`;
  const address = resource?.uri ?? uri;
  return address === undefined
    ? `[Content of type ${type}, not shown.]`
    : `[The resource ${address}, not shown.]`;
}
