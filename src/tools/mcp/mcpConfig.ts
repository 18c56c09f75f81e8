import { type ParseError, parse, printParseErrorCode } from "jsonc-parser";
import * as z from "zod/mini";
import { err, ok, type Result } from "../../base/result.ts";
import type { McpProblem } from "../../ports/mcp.ts";
import { parseValue } from "../toolArguments.ts";

const stdioSchema = z.object({
  type: z.optional(z.literal("stdio")),
  command: z.string().check(z.minLength(1)),
  args: z.optional(z.array(z.string())),
  env: z.optional(z.record(z.string(), z.union([z.string(), z.number(), z.null()]))),
  envFile: z.optional(z.string()),
  cwd: z.optional(z.string()),
});
const httpSchema = z.object({
  type: z.optional(z.enum(["http", "sse"])),
  url: z.string().check(z.minLength(1)),
  headers: z.optional(z.record(z.string(), z.string())),
  /** Graft's own: true to send keys over http: to another machine. */
  unencryptedKey: z.optional(z.boolean()),
});
const inputSchema = z.object({
  id: z.string(),
  type: z.enum(["promptString", "pickString"]),
  description: z.optional(z.string()),
  default: z.optional(z.string()),
  password: z.optional(z.boolean()),
  options: z.optional(z.array(z.string())),
});
const fileSchema = z.object({
  servers: z.optional(z.record(z.string(), z.unknown())),
  inputs: z.optional(z.array(z.unknown())),
});

/** A server as defined, with its variables not filled in. */
export type McpServerEntry = z.infer<typeof stdioSchema> | z.infer<typeof httpSchema>;

/** A value that a definition asks the user for. */
export type McpInput = z.infer<typeof inputSchema>;

/** The definitions of a file or a setting, and what is wrong with the invalid ones. */
export interface McpConfig {
  readonly servers: ReadonlyMap<string, McpServerEntry>;
  readonly inputs: readonly McpInput[];
  readonly problems: readonly McpProblem[];
}

/**
 * Parses a file in the format of VS Code's `.vscode/mcp.json`, with comments. `place` names it in
 * errors.
 */
export function parseMcpFile(text: string, place: string): Result<McpConfig, McpProblem> {
  const errors: ParseError[] = [];
  const value: unknown = parse(text, errors, { allowTrailingComma: true, allowEmptyContent: true });
  const [first] = errors;
  if (first) {
    const line = text.slice(0, first.offset).split("\n").length;
    return err({ code: "invalid-json", place, line, detail: printParseErrorCode(first.error) });
  }
  const parsed = parseValue(fileSchema, value ?? {});
  if (!parsed.ok) return err({ code: "invalid-file", place, detail: parsed.error });
  const { servers = {}, inputs = [] } = parsed.value;
  const { servers: known, problems } = parseMcpServers(servers, place);
  const asked = inputs.flatMap((input) => z.safeParse(inputSchema, input).data ?? []);
  return ok({ servers: known, inputs: asked, problems });
}

/** Parses definitions by name. `place` names their source in errors. */
export function parseMcpServers(value: unknown, place: string): McpConfig {
  const servers = new Map<string, McpServerEntry>();
  const problems: McpProblem[] = [];
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    if (value !== undefined && value !== null)
      problems.push({ code: "invalid-file", place, detail: "must be an object" });
    return { servers, inputs: [], problems };
  }
  for (const [name, entry] of Object.entries(value)) {
    const remote = typeof entry === "object" && entry !== null && "url" in entry;
    const parsed = parseValue(remote ? httpSchema : stdioSchema, entry);
    if (!parsed.ok) problems.push({ code: "invalid-server", place, name, detail: parsed.error });
    else servers.set(name, parsed.value);
  }
  return { servers, inputs: [], problems };
}
