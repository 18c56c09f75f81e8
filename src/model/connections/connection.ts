import * as z from "zod/mini";
import { parseBaseUrl } from "../endpoint.ts";
import { isKeyName, isKeyValue } from "../keyNames.ts";
import type { ModelInfo } from "../modelInfo.ts";
import { CONNECTION_KIND_NAMES, completeBaseUrl, connectionKind } from "./connectionKinds.ts";

const tokens = z.int().check(z.minimum(1000), z.maximum(100_000_000));
const dollars = z.number().check(z.minimum(0), z.maximum(1_000_000));
const text = z.string().check(z.trim(), z.minLength(1));

/** One entry of graft.connections as users write it. */
const connectionEntrySchema = z.strictObject({
  name: text,
  kind: z.enum(CONNECTION_KIND_NAMES),
  baseUrl: z.optional(text),
  headers: z.optional(
    z.record(
      z.string().check(z.regex(/^[\w!#$%&'*+.^`|~-]+$/)),
      z.string().check(z.regex(/^[\x20-\x7e]*$/)),
    ),
  ),
  /** True: the key may travel over `http:` to another machine. */
  unencryptedKey: z.optional(z.boolean()),
  models: z.optional(z.array(text)),
  contextWindow: z.optional(tokens),
  capabilities: z.optional(
    z.strictObject({
      tools: z.optional(z.boolean()),
      images: z.optional(z.boolean()),
      reasoning: z.optional(z.boolean()),
    }),
  ),
  price: z.optional(
    z.strictObject({ input: dollars, output: dollars, cachedInput: z.optional(dollars) }),
  ),
  temperature: z.optional(z.number().check(z.minimum(0), z.maximum(2))),
  reasoningEffort: z.optional(text),
  api: z.optional(z.enum(["chat", "responses"])),
});

/** One entry of graft.connections as users write it. */
export type ConnectionEntry = Readonly<z.infer<typeof connectionEntrySchema>>;

/** A server that answers, as the user or the company set it. */
export interface Connection extends ConnectionEntry {
  /** With the kind's own address where the user gave none. */
  readonly baseUrl: string;
}

/** Why an entry cannot be used. `name` is the entry's, or its number from 1 on. */
export interface ConnectionProblem {
  readonly code:
    | "invalid-connection"
    | "connection-without-url"
    | "connection-url"
    | "connection-secret"
    | "connection-name";
  readonly name: string;
  /** The field that is wrong, where one is. */
  readonly field: string | null;
}

/** The place in a header's value where the stored key goes. */
// biome-ignore lint/suspicious/noTemplateCurlyInString: users write it like this.
export const KEY_PLACEHOLDER = "${key}";

/** Checks the setting graft.connections. An entry that cannot be used is left out and named. */
export function parseConnections(value: unknown): {
  readonly connections: readonly Connection[];
  readonly problems: readonly ConnectionProblem[];
} {
  const entries: readonly unknown[] =
    value === undefined || value === null ? [] : Array.isArray(value) ? value : [value];
  const connections: Connection[] = [];
  const problems: ConnectionProblem[] = [];
  for (const [index, raw] of entries.entries()) {
    const parsed = connectionEntrySchema.safeParse(raw);
    const name = z.looseObject({ name: text }).safeParse(raw).data?.name ?? String(index + 1);
    const refuse = (code: ConnectionProblem["code"], field: string | null) =>
      problems.push({ code, name, field });
    if (!parsed.success) {
      const issue = parsed.error.issues[0];
      refuse(
        "invalid-connection",
        issue?.code === "unrecognized_keys"
          ? (issue.keys[0] ?? null)
          : issue?.path.join(".") || null,
      );
      continue;
    }
    const entry = parsed.data;
    const secret = Object.entries(entry.headers ?? {}).find(
      ([header, set]) => (isKeyName(header) && !set.includes(KEY_PLACEHOLDER)) || isKeyValue(set),
    );
    const address = entry.baseUrl ?? connectionKind(entry.kind).baseUrl;
    const baseUrl = address === null ? null : completeBaseUrl(entry.kind, address);
    if (baseUrl === null) refuse("connection-without-url", "baseUrl");
    else if (!parseBaseUrl(baseUrl).ok) refuse("connection-url", "baseUrl");
    else if (secret) refuse("connection-secret", `headers.${secret[0]}`);
    else if (connections.some((other) => other.name === entry.name))
      refuse("connection-name", "name");
    else connections.push({ ...entry, baseUrl });
  }
  return { connections, problems };
}

/** What is known of a model with what the user set for its connection. */
export function describedModel(connection: ConnectionEntry, info: ModelInfo): ModelInfo {
  const { contextWindow, capabilities = {}, price } = connection;
  return {
    ...info,
    contextWindow: contextWindow ?? info.contextWindow,
    tools: capabilities.tools ?? info.tools,
    images: capabilities.images ?? info.images,
    reasoning: capabilities.reasoning ?? info.reasoning,
    price: price
      ? { input: price.input, output: price.output, cachedInput: price.cachedInput ?? null }
      : info.price,
  };
}

/** A model of which only the name is known. */
export function namedModel(id: string): ModelInfo {
  return {
    id,
    label: id,
    contextWindow: null,
    tools: null,
    images: null,
    reasoning: null,
    price: null,
  };
}

/**
 * How requests to a connection carry its headers and the key: a header that names the key carries
 * it, else the kind's header does.
 */
export function requestHeaders(
  { kind, headers = {} }: Pick<ConnectionEntry, "kind" | "headers">,
  key: string | null,
): Record<string, string> {
  const withKey = Object.values(headers).some((value) => value.includes(KEY_PLACEHOLDER));
  const own = Object.entries(headers).flatMap(([name, value]) =>
    !value.includes(KEY_PLACEHOLDER)
      ? [[name, value]]
      : key === null
        ? []
        : [[name, value.replaceAll(KEY_PLACEHOLDER, key)]],
  );
  const { keyHeader } = connectionKind(kind);
  const carrier =
    key === null || withKey
      ? {}
      : keyHeader === null
        ? { Authorization: `Bearer ${key}` }
        : { [keyHeader]: key };
  return { ...Object.fromEntries(own), ...carrier };
}
