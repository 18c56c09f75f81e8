import { err, ok, type Result } from "../../base/result.ts";
import { exposesKey, isHttp } from "../../model/endpoint.ts";
import { isKeyName } from "../../model/keyNames.ts";
import type { McpProblem, McpServer, McpTransport } from "../../ports/mcp.ts";
import type { McpServerEntry } from "./mcpConfig.ts";
import { SECRET_LENGTH, secretValues } from "./secrets.ts";

const VARIABLE = /\$\{([^{}]*)\}/g;

/** The distinct variables of a definition, such as `input:token`. */
export function variablesOf(entry: McpServerEntry): readonly string[] {
  return [...new Set([...JSON.stringify(entry).matchAll(VARIABLE)].map(([, name = ""]) => name))];
}

/** `.`, `..` and what begins with them, alone or as the value of an option. */
const RELATIVE = /(?:^|[=:,;\s])\.{1,2}(?:[\\/:,;\s]|$)/;

/**
 * Whether a definition of the user's own starts a program in the workspace, whose files may then
 * decide what runs: it says `${workspaceFolder}`, or a path from `.` on. All others start elsewhere.
 */
export function namesWorkspace(entry: McpServerEntry): boolean {
  if ("url" in entry) return false;
  const { command, args = [], env = {}, envFile = "", cwd = "" } = entry;
  const words = [command, ...args, ...Object.values(env).map(String), envFile, cwd];
  return (
    variablesOf(entry).includes("workspaceFolder") || words.some((word) => RELATIVE.test(word))
  );
}

/**
 * Fills in the variables of a definition. `value` returns the value of one such as `env:HOME`, or
 * null.
 */
export function resolveEntry(
  name: string,
  entry: McpServerEntry,
  value: (variable: string) => string | null,
): Result<McpServer, McpProblem> {
  const variables = variablesOf(entry).filter((variable) => value(variable) === null);
  if (variables.length > 0) return err({ code: "no-values", name, variables });
  const filled = (text: string) =>
    text.replace(VARIABLE, (_, variable: string) => value(variable) ?? "");
  const transport = transportOf(entry, filled);
  const secrets = secretsOf(entry, transport, value);
  if (transport.type !== "stdio") {
    if (!isHttp(transport.url)) return err({ code: "no-http-address", name });
    const { unencryptedKey } = "url" in entry ? entry : {};
    const url = new URL(transport.url);
    const apiKey = [url.password, ...secretVariables(entry).map(value)].find((key) => key) ?? null;
    if (exposesKey(url, { apiKey, headers: transport.headers, unencryptedKey }))
      return err({ code: "unencrypted-key", name });
  }
  return ok({ name, transport, secrets, definition: JSON.stringify(entry), own: false });
}

function transportOf(entry: McpServerEntry, filled: (text: string) => string): McpTransport {
  if ("url" in entry)
    return {
      type: entry.type ?? "http",
      url: filled(entry.url),
      headers: mapped(entry.headers ?? {}, filled),
    };
  const { command, args = [], env = {}, envFile, cwd } = entry;
  return {
    type: "stdio",
    command: filled(command),
    args: args.map(filled),
    env: mapped(env, (value) => (value === null ? null : filled(String(value)))),
    cwd: cwd === undefined ? null : filled(cwd),
    ...(envFile !== undefined && { envFile: filled(envFile) }),
  };
}

/** What the user enters, and environment variables with secret names. */
function secretVariables(entry: McpServerEntry): readonly string[] {
  return variablesOf(entry).filter(
    (name) =>
      name.startsWith("input:") ||
      (name.startsWith("env:") && isKeyName(name.slice("env:".length))),
  );
}

/**
 * The values of headers and their words, what the user entered, and environment variables with
 * secret names.
 */
function secretsOf(
  entry: McpServerEntry,
  transport: McpTransport,
  value: (variable: string) => string | null,
): readonly string[] {
  const headers = transport.type === "stdio" ? [] : Object.values(transport.headers);
  const environment = transport.type === "stdio" ? secretValues(transport.env) : [];
  const known = [
    ...headers,
    ...headers.flatMap((header) => header.split(" ")),
    ...secretVariables(entry).map((name) => value(name) ?? ""),
    ...environment,
  ];
  return [...new Set(known)].filter((secret) => secret.length >= SECRET_LENGTH);
}

function mapped<In, Out>(
  record: Readonly<Record<string, In>>,
  map: (value: In) => Out,
): Record<string, Out> {
  return Object.fromEntries(Object.entries(record).map(([key, value]) => [key, map(value)]));
}
