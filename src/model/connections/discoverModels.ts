import { withDeadline } from "../../base/deadline.ts";
import { err, ok, type Result } from "../../base/result.ts";
import { parseJson } from "../../base/text/parseJson.ts";
import { type Endpoint, parseEndpoint } from "../endpoint.ts";
import type { ModelFailure } from "../modelFailure.ts";
import type { ModelInfo } from "../modelInfo.ts";
import { responseFailure } from "../openai/errorResponse.ts";
import { networkFailure } from "../openai/networkFailure.ts";
import { readAll, textReader } from "../openai/readChunks.ts";
import { readRefusal } from "../openai/sendRequest.ts";
import { type Connection, requestHeaders } from "./connection.ts";
import { kindOf } from "./connectionKinds.ts";
import {
  anthropicModel,
  isChatModel,
  listedModels,
  litellmModels,
  llamaCppModel,
  lmStudioModels,
  ollamaModel,
  ollamaNames,
  ollamaRunning,
} from "./modelLists.ts";

/** Longest list in UTF-16 units. OpenRouter's has about a million. */
const MAX_LIST = 8_000_000;
/** Most models whose details are read one by one. */
const MAX_DETAILS = 60;
/** Milliseconds for the list, and for all details after it. */
const LIST_MS = 10_000;
const DETAILS_MS = 3_000;

/** Lists the chat models of a server the way its kind does. The key is sent to it and to no other. The list may take `listMs`. */
export async function discoverModels(
  server: Pick<Connection, "kind" | "baseUrl" | "headers" | "unencryptedKey">,
  apiKey: string | null,
  send: typeof fetch,
  signal: AbortSignal,
  listMs = LIST_MS,
): Promise<Result<readonly ModelInfo[], ModelFailure>> {
  const { baseUrl: address, unencryptedKey } = server;
  const parsed = parseEndpoint({ baseUrl: address, apiKey, headers: requestHeaders(server, apiKey), unencryptedKey }, "");
  if (!parsed.ok) return parsed;
  const endpoint = parsed.value;
  const { baseUrl, query } = endpoint;
  const get = (url: string, ms: number, init: RequestInit = {}) => getJson(endpoint, send, url, signal, ms, init);
  const at = (path: string) => baseUrl + path + query;
  const native = (path: string) => baseUrl.replace(/\/v1$/, "") + path + query;
  const models = async (): Promise<Result<readonly ModelInfo[], ModelFailure>> => {
    const listed = await get(at("/models"), listMs);
    if (!listed.ok) return listed;
    const found = listedModels(listed.value);
    return found === null ? err({ code: "unreadable" }) : ok(found.filter(isChatModel));
  };
  const detail = async (url: string, init?: RequestInit) => {
    const answer = await get(url, DETAILS_MS, init);
    return answer.ok ? answer.value : null;
  };
  switch (kindOf(server.kind).listing) {
    case "none":
      return ok([]);
    case "models":
      return models();
    case "anthropic": {
      const headers = { "x-api-key": apiKey ?? "", "anthropic-version": "2023-06-01" };
      const listed = await get(`${at("/models")}?limit=1000`, listMs, { headers });
      return listed.ok ? ok(anthropicModel(listed.value)) : listed;
    }
    case "ollama": {
      const tags = await get(native("/api/tags"), listMs);
      const names = tags.ok ? ollamaNames(tags.value) : null;
      if (names === null) return tags.ok || tags.error.status === 404 ? models() : tags;
      const running = ollamaRunning(await detail(native("/api/ps")));
      const shown = names.slice(0, MAX_DETAILS).map(async (name) => {
        const body = JSON.stringify({ model: name });
        return ollamaModel(name, await detail(native("/api/show"), { method: "POST", body }), running.get(name) ?? null);
      });
      return ok((await Promise.all(shown)).flatMap((model) => model ?? []));
    }
    case "lm-studio": {
      const listed = await get(native("/api/v0/models"), listMs);
      const found = listed.ok ? lmStudioModels(listed.value) : null;
      if (found !== null) return ok(found);
      return listed.ok || listed.error.status !== undefined ? models() : listed;
    }
    case "llama.cpp": {
      const listed = await models();
      const [only] = listed.ok ? listed.value : [];
      if (!listed.ok || listed.value.length !== 1 || !only) return listed;
      return ok([llamaCppModel(only, await detail(native("/props")))]);
    }
    case "litellm": {
      const listed = await get(native("/v1/model/info"), listMs);
      const found = listed.ok ? litellmModels(listed.value) : null;
      // A user's key may list models and not read their details.
      return found === null || found.length === 0 ? models() : ok(found);
    }
  }
}

/** Reads JSON from a server. Follows no redirect: the key would go along. */
async function getJson(
  endpoint: Endpoint,
  send: typeof fetch,
  url: string,
  signal: AbortSignal,
  ms: number,
  init: RequestInit,
): Promise<Result<unknown, ModelFailure>> {
  const headers = { Accept: "application/json", ...endpoint.headers, ...init.headers };
  try {
    const answer = await withDeadline(signal, ms, async (limited) => {
      const response = await send(url, { ...init, headers, redirect: "manual", signal: limited });
      if (!response.ok) return err(responseFailure(await readRefusal(response, limited), endpoint));
      return ok(response.body ? await readAll(textReader(response.body, limited), MAX_LIST) : "");
    });
    if (!answer.ok) return err(signal.aborted ? { code: "aborted" } : { code: "connect-timeout", limitMs: ms });
    if (!answer.value.ok) return answer.value;
    const body = answer.value.value;
    const value = parseJson(body);
    return value === undefined ? err({ code: body.trimStart().startsWith("<") ? "web-page" : "unreadable" }) : ok(value);
  } catch (thrown) {
    return err(signal.aborted ? { code: "aborted" } : networkFailure(thrown, false, endpoint));
  }
}
