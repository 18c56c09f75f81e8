import { err, ok, type Result } from "../base/result.ts";
import type { ModelError } from "./streamPart.ts";

/** Where a request goes, and how to speak of it without giving anything away. */
export interface Endpoint {
  /** Without query and without a slash at its end; may be shown. */
  readonly baseUrl: string;
  /** The query of the base URL, which some gateways want with every request. */
  readonly query: Readonly<Record<string, string>>;
  readonly apiKey: string | null;
  readonly model: string;
}

/** Makes an endpoint of the user's settings. A base URL with `/chat/completions` at its end is understood. */
export function parseEndpoint(baseUrl: string, apiKey: string | null, model: string): Result<Endpoint, ModelError> {
  const refuse = (kind: ModelError["kind"], message: string) => err<ModelError>({ kind, message, status: null, retryable: false });
  const url = URL.canParse(baseUrl.trim()) ? new URL(baseUrl.trim()) : null;
  if (url === null || !/^https?:$/.test(url.protocol)) {
    return refuse(
      "bad-request",
      "The base URL is not a web address. It looks like http://localhost:11434/v1 or https://api.openai.com/v1.",
    );
  }
  if (url.username !== "" || url.password !== "") {
    return refuse(
      "bad-request",
      "The base URL holds a user name or a password, which cannot be sent. Remove it and set an API key instead.",
    );
  }
  const key = apiKey?.trim() || null;
  if (key !== null && !/^[\x21-\x7e]+$/.test(key)) {
    return refuse("auth", "The API key holds characters that cannot be sent, such as a line break. Set the key again.");
  }
  const path = url.pathname.replace(/\/+$/, "").replace(/\/chat\/completions$/, "");
  return ok({ baseUrl: url.origin + path, query: Object.fromEntries(url.searchParams), apiKey: key, model });
}

/** Takes the key out of a text that came from elsewhere. */
export function withoutKey(text: string, endpoint: Endpoint): string {
  return endpoint.apiKey === null ? text : text.replaceAll(endpoint.apiKey, "[key]");
}
