/** How a server tells which models it has, besides `GET /models`. */
type ModelListing =
  | "models"
  | "anthropic"
  | "ollama"
  | "lm-studio"
  | "llama.cpp"
  | "litellm"
  | "none";

/** What Graft knows of one kind of server. */
interface ConnectionKind {
  /** As people read it. */
  readonly label: string;
  /** Where requests go unless the user says otherwise; null where only the user knows. */
  readonly baseUrl: string | null;
  /** The usual port on the user's own machine; null for services. */
  readonly port: number | null;
  readonly listing: ModelListing;
  /** The header that carries the key; null for `Authorization: Bearer`. */
  readonly keyHeader: string | null;
  /** True when nothing works without a key: for services. */
  readonly needsKey: boolean;
  /** Environment variables that hold a key, the first one that is set counts. */
  readonly keyVariables: readonly string[];
  /** The environment variable that holds the base URL. The key then belongs to that server. */
  readonly baseUrlVariable: string | null;
  /** How keys of this provider begin, where no other provider's do. */
  readonly keyPrefixes: readonly string[];
  /** The page where keys are made. */
  readonly keysPage: string | null;
  /**
   * Models whose requests mark what the provider shall cache; null where caching needs no marks.
   */
  readonly cacheControl: RegExp | null;
  /** What is added to an address without a path. */
  readonly path: string;
}

type KindRow = Pick<ConnectionKind, "label"> & Partial<Omit<ConnectionKind, "needsKey">>;

const UNLESS_SAID: Omit<ConnectionKind, "label" | "needsKey"> = {
  baseUrl: null,
  port: null,
  listing: "models",
  keyHeader: null,
  keyVariables: [],
  baseUrlVariable: null,
  keyPrefixes: [],
  keysPage: null,
  cacheControl: null,
  path: "/v1",
};

/**
 * The kinds of servers by the name that `graft.connections` uses, in the order in which they are
 * offered.
 */
const CONNECTION_KINDS = {
  openai: {
    label: "OpenAI",
    baseUrl: "https://api.openai.com/v1",
    keyVariables: ["OPENAI_API_KEY"],
    baseUrlVariable: "OPENAI_BASE_URL",
    keyPrefixes: ["sk-proj-", "sk-svcacct-", "sk-admin-"],
    keysPage: "https://platform.openai.com/api-keys",
  },
  anthropic: {
    label: "Anthropic",
    baseUrl: "https://api.anthropic.com/v1",
    listing: "anthropic",
    keyVariables: ["ANTHROPIC_API_KEY"],
    keyPrefixes: ["sk-ant-"],
    keysPage: "https://platform.claude.com/settings/keys",
  },
  gemini: {
    label: "Google Gemini",
    baseUrl: "https://generativelanguage.googleapis.com/v1beta/openai",
    keyVariables: ["GEMINI_API_KEY", "GOOGLE_API_KEY"],
    keyPrefixes: ["AIza"],
    keysPage: "https://aistudio.google.com/apikey",
  },
  openrouter: {
    label: "OpenRouter",
    baseUrl: "https://openrouter.ai/api/v1",
    keyVariables: ["OPENROUTER_API_KEY"],
    keyPrefixes: ["sk-or-"],
    keysPage: "https://openrouter.ai/settings/keys",
    cacheControl: /^anthropic\//,
  },
  azure: {
    label: "Azure OpenAI",
    listing: "none",
    keyHeader: "api-key",
    keyVariables: ["AZURE_OPENAI_API_KEY"],
    baseUrlVariable: "AZURE_OPENAI_ENDPOINT",
    keysPage: "https://ai.azure.com",
    path: "/openai/v1",
  },
  mistral: {
    label: "Mistral",
    baseUrl: "https://api.mistral.ai/v1",
    keyVariables: ["MISTRAL_API_KEY"],
    keysPage: "https://console.mistral.ai/api-keys",
  },
  deepseek: {
    label: "DeepSeek",
    baseUrl: "https://api.deepseek.com/v1",
    keyVariables: ["DEEPSEEK_API_KEY"],
    keysPage: "https://platform.deepseek.com/api_keys",
  },
  groq: {
    label: "Groq",
    baseUrl: "https://api.groq.com/openai/v1",
    keyVariables: ["GROQ_API_KEY"],
    keyPrefixes: ["gsk_"],
    keysPage: "https://console.groq.com/keys",
  },
  xai: {
    label: "xAI",
    baseUrl: "https://api.x.ai/v1",
    keyVariables: ["XAI_API_KEY"],
    keyPrefixes: ["xai-"],
    keysPage: "https://console.x.ai",
  },
  ollama: { label: "Ollama", port: 11434, listing: "ollama" },
  "lm-studio": { label: "LM Studio", port: 1234, listing: "lm-studio" },
  "llama.cpp": { label: "llama.cpp", port: 8080, listing: "llama.cpp" },
  vllm: { label: "vLLM", port: 8000 },
  litellm: { label: "LiteLLM", port: 4000, listing: "litellm", cacheControl: /claude/i },
  other: { label: "OpenAI-compatible" },
} as const satisfies Record<string, KindRow>;

/** The name of a kind in `graft.connections`. */
export type ConnectionKindName = keyof typeof CONNECTION_KINDS;

/** All names of kinds. */
export const CONNECTION_KIND_NAMES = Object.keys(CONNECTION_KINDS).filter(
  (name): name is ConnectionKindName => name in CONNECTION_KINDS,
);

/** The environment variables that hold keys. Programs that Graft starts do not get them. */
export const KEY_VARIABLES: readonly string[] = CONNECTION_KIND_NAMES.flatMap(
  (name) => connectionKind(name).keyVariables,
);

/** What Graft knows of a kind. */
export function connectionKind(name: ConnectionKindName): ConnectionKind {
  const row: KindRow = CONNECTION_KINDS[name];
  return { ...UNLESS_SAID, ...row, needsKey: row.port === undefined };
}

/** The base URL of a kind's server on this machine at its usual port; null for services. */
export function loopbackBaseUrl(
  name: ConnectionKindName,
  port = connectionKind(name).port,
): string | null {
  return port === null ? null : `http://127.0.0.1:${port}${connectionKind(name).path}`;
}

/** The provider whose keys begin like `key`; null when several could have made it. */
export function kindOfKey(key: string): ConnectionKindName | null {
  return (
    CONNECTION_KIND_NAMES.find((name) =>
      connectionKind(name).keyPrefixes.some((prefix) => key.trim().startsWith(prefix)),
    ) ?? null
  );
}

/**
 * The kind that usually answers at `url`; `other` where nothing says. Kinds that need another key
 * header are never guessed.
 */
export function kindOfUrl(url: URL): ConnectionKindName {
  const loopback = /^(localhost|127\.0\.0\.1|\[::1\])$/.test(url.hostname);
  const found = CONNECTION_KIND_NAMES.find((name) => {
    const { baseUrl, port } = connectionKind(name);
    return baseUrl === null
      ? loopback && port !== null && url.port === String(port)
      : new URL(baseUrl).origin === url.origin;
  });
  return found ?? "other";
}

/** What people paste along with a base URL. */
const OPERATION =
  /(?:\/+(?:chat\/)?completions|\/+responses|(?<=\/v\d+)\/+(?:models|messages))(?=\/*(?:\?|$))/;

/**
 * The base URL that a user means: with a scheme, without an operation at its end, and with the
 * kind's path where the address has none.
 */
export function completeBaseUrl(name: ConnectionKindName, text: string): string {
  const address = text
    .trim()
    .replace(/^(["'`<])(.*)["'`>]$/, "$2")
    .replace(/^(https?):\/*/i, "$1://")
    .replace(OPERATION, "")
    .replace(/\/+$/, "");
  if (/^https?:?$/i.test(address)) return address;
  // Another scheme, or a slip in one: a host would be made of it.
  if (/^[a-z][a-z\d+.-]*:?\/\//i.test(address) && !/^https?:/i.test(address)) return address;
  if (/^[a-z][a-z+.-]*:\/?(?!\d|\/)/i.test(address) && !/^https?:/i.test(address)) return address;
  const whole = /^[a-z][a-z\d+.-]*:\/\//i.test(address)
    ? address
    : `${/^(localhost|127\.|\[|\d)/.test(address) ? "http" : "https"}://${address}`;
  return URL.canParse(whole) && new URL(whole).pathname === "/" && new URL(whole).search === ""
    ? whole + connectionKind(name).path
    : whole;
}

/**
 * The key in what a user pasted: without line breaks, quotes, `Bearer` or a variable's name around
 * it. Null where something is left that no request can carry.
 */
export function pastedKey(text: string): string | null {
  const key = text
    .trim()
    .replace(/^(?:export\s+)?\w*(?:KEY|TOKEN)\w*\s*=\s*(?=[^=\s])/i, "")
    .replace(/^(["'`])(.*)\1;?$/s, "$2")
    .replace(/^(?:Authorization:\s*)?Bearer\s+/i, "")
    .trim();
  return /^[\x21-\x7e]*$/.test(key) ? key : null;
}
