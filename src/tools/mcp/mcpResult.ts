import * as z from "zod/mini";
import { firstPart } from "../../base/text/clip.ts";
import { parseJson } from "../../base/text/parseJson.ts";
import { failed } from "../messages.ts";
import type { ToolResult } from "../tool.ts";

const MAX_ERROR_LENGTH = 4_000;
/** The most images of a result that are shown, and UTF-16 units of one as base64. */
const MAX_IMAGES = 4;
const MAX_IMAGE = 8_000_000;

/** A field that a server leaves out, or null, or gets wrong reads as absent. */
const text = z.catch(z.optional(z.string()), undefined);

/** A boolean as servers write it. */
const truth = z.catch(
  z.pipe(
    z.unknown(),
    z.transform((value) => value === true || value === 1 || value === "true"),
  ),
  false,
);

/** Content of any type, with the fields that are shown. */
const contentSchema = z.object({
  type: text,
  text,
  uri: text,
  data: text,
  mimeType: text,
  resource: z.catch(
    z.optional(z.object({ uri: z.catch(z.string(), ""), text, blob: text, mimeType: text })),
    undefined,
  ),
});

const resultSchema = z.looseObject({
  content: z.optional(z.unknown()),
  structuredContent: z.optional(z.unknown()),
  isError: truth,
  is_error: truth,
});

/**
 * The result of an MCP server's tool: text, with what it has as data besides, and images. Other
 * content is only named. Null is absent.
 */
export function mcpResult(tool: string, raw: unknown): ToolResult {
  const parsed = z.safeParse(resultSchema, raw);
  if (!parsed.success) return failed("not-a-tool-result", { tool });
  const { structuredContent, content: given, isError: told, is_error, ...other } = parsed.data;
  const isError = told || is_error;
  const data = structuredContent ?? other.toolResult;
  if (
    given === undefined &&
    data === undefined &&
    Object.keys(other).some((name) => name !== "_meta")
  )
    return failed("not-a-tool-result", { tool });
  const content = [given ?? []].flat();
  const items = content.map((item) => readContent(item));
  const images = items
    .flatMap((each) => visibleImage(each) ?? [])
    .slice(0, isError ? 0 : MAX_IMAGES);
  const parts = items.map((each, index) => contentText(each, images, content[index]));
  if (data !== undefined && data !== null && !saysTheSame(parts, data))
    parts.push(JSON.stringify(data, null, 2));
  const output = parts.join("\n");
  if (isError)
    return failed("server-tool-failed", {
      tool,
      detail: output.trim() === "" ? "" : firstPart(output, MAX_ERROR_LENGTH),
    });
  return {
    ok: true,
    output: output === "" ? "(no content)" : output,
    ...(images.length > 0 && { images }),
  };
}

/** Content that a server writes as plain text, or in no known form, is text. */
function readContent(item: unknown): Content {
  const parsed = contentSchema.safeParse(item);
  if (typeof item === "string") return { type: "text", text: item };
  return parsed.success ? parsed.data : {};
}

/** Whether one of the texts is this data as JSON, as servers repeat it for older clients. */
function saysTheSame(texts: readonly string[], data: unknown): boolean {
  const json = JSON.stringify(data);
  return texts.some((each) => each === json || JSON.stringify(parseJson(each)) === json);
}

/** An image that models can see, as base64; null for other content. */
function visibleImage({ type, data, mimeType, resource }: Content): string | null {
  const [given, kind] = type === "image" ? [data, mimeType] : [resource?.blob, resource?.mimeType];
  if (given === undefined || given.length > MAX_IMAGE) return null;
  // Some servers write the address of data where only the data belongs.
  const bytes = given.replace(/^data:[^,]{0,200},/, "");
  const isBase64 = bytes !== "" && !/[^A-Za-z0-9+/=\s]/.test(bytes);
  return isBase64 && /^image\/(?:png|jpe?g)$/.test(kind ?? "") ? bytes : null;
}

type Content = z.infer<typeof contentSchema>;

function contentText(content: Content, images: readonly string[], raw: unknown): string {
  const { type, text, uri, resource } = content;
  const image = visibleImage(content);
  if (image !== null && images.includes(image))
    return `[An image${resource ? `, the resource ${resource.uri}` : ""}. It follows the result.]`;
  if ((type === "text" || type === undefined) && text !== undefined) return text;
  if (resource?.text !== undefined) return `[The resource ${resource.uri}:]\n${resource.text}`;
  const address = resource?.uri ?? uri;
  if (address !== undefined) return `[The resource ${address}, not shown.]`;
  return type === undefined || type === "text"
    ? (JSON.stringify(raw) ?? "")
    : `[Content of type ${type}, not shown.]`;
}
