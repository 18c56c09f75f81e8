import { withDeadline } from "../../base/deadline.ts";
import { err, ok, type Result } from "../../base/result.ts";
import { parseJson } from "../../base/text/parseJson.ts";
import { besideV1, type Endpoint, parseEndpoint } from "../endpoint.ts";
import type { ModelFailure } from "../modelFailure.ts";
import type { ModelInfo } from "../modelInfo.ts";
import type { ApiRequest } from "../openai/askServer.ts";
import { type ErrorResponse, responseFailure } from "../openai/errorResponse.ts";
import { networkFailure } from "../openai/networkFailure.ts";
import { readAll, textReader } from "../openai/readChunks.ts";
import { readRefusal } from "../openai/sendRequest.ts";
import { type Connection, requestHeaders } from "./connection.ts";
import { connectionKind } from "./connectionKinds.ts";
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

/**
 * Lists the chat models of a server the way its kind does. The key is sent to it and to no other.
 * The list may take `listMs`.
 */
export async function discoverModels(
  server: Pick<Connection, "kind" | "baseUrl" | "headers" | "unencryptedKey">,
  apiKey: string | null,
  send: typeof fetch,
  signal: AbortSignal,
  listMs = LIST_MS,
): Promise<Result<readonly ModelInfo[], ModelFailure>> {
  const opened = await openServerLists(server, apiKey, send, signal, listMs);
  if (!opened.ok) return opened;
  const lists = opened.value;
  switch (connectionKind(server.kind).listing) {
    case "none":
      return ok([]);
    case "models":
      return plainModels(lists);
    case "anthropic":
      return anthropicModels(lists, apiKey);
    case "ollama":
      return ollamaModels(lists);
    case "lm-studio": {
      const listed = await lists.list((api) => api.get(lists.native("/api/v0/models")));
      const found = listed.ok ? lmStudioModels(listed.value) : null;
      if (found !== null) return ok(found.filter(isChatModel));
      return listed.ok || listed.error.status !== undefined ? plainModels(lists) : listed;
    }
    case "llama.cpp":
      return llamaCppModels(lists);
    case "litellm": {
      const listed = await lists.list((api) => api.get(lists.native("/v1/model/info")));
      const found = listed.ok ? litellmModels(listed.value) : null;
      // A user's key may list models and not read their details.
      return found === null || found.length === 0
        ? plainModels(lists)
        : ok(found.filter(isChatModel));
    }
  }
}

/** Opens what a server says of its models. Nothing is asked yet. */
export async function openServerLists(
  server: Pick<Connection, "kind" | "baseUrl" | "headers" | "unencryptedKey">,
  apiKey: string | null,
  send: typeof fetch,
  signal: AbortSignal,
  listMs: number,
): Promise<Result<ServerLists, ModelFailure>> {
  const { baseUrl: address, unencryptedKey } = server;
  const parsed = parseEndpoint(
    { baseUrl: address, apiKey, headers: requestHeaders(server, apiKey), unencryptedKey },
    "",
  );
  if (!parsed.ok) return parsed;
  const endpoint = parsed.value;
  // Before the time limits: loading the client is not the server's doing.
  const { askServer } = await import("../openai/askServer.ts");
  const get: ServerLists["get"] = (ms, request) =>
    getJson(endpoint, signal, ms, (limited) => askServer(endpoint, send, limited, request));
  return ok({
    list: (request) => get(listMs, request),
    get,
    native: (path) => besideV1(endpoint.baseUrl, path),
  });
}

/** What a server answers about its models. */
export interface ServerLists {
  /** The answer to a request for the list. */
  list(request: ApiRequest): Promise<Result<unknown, ModelFailure>>;
  get(ms: number, request: ApiRequest): Promise<Result<unknown, ModelFailure>>;
  /** The address of a path beside the OpenAI-compatible API. */
  native(path: string): string;
}

type ListedModels = Result<readonly ModelInfo[], ModelFailure>;

async function plainModels({ list }: ServerLists): Promise<ListedModels> {
  const listed = await list((api) => api.models.list());
  if (!listed.ok) return listed;
  const found = listedModels(listed.value);
  return found === null ? err({ code: "unreadable" }) : ok(found.filter(isChatModel));
}

async function anthropicModels(
  { list }: ServerLists,
  apiKey: string | null,
): Promise<ListedModels> {
  const headers = { "x-api-key": apiKey ?? "", "anthropic-version": "2023-06-01" };
  const listed = await list((api) => api.models.list({ headers, query: { limit: 1000 } }));
  return listed.ok ? ok(anthropicModel(listed.value)) : listed;
}

async function ollamaModels(lists: ServerLists): Promise<ListedModels> {
  const { list, native } = lists;
  const tags = await list((api) => api.get(native("/api/tags")));
  const names = tags.ok ? ollamaNames(tags.value) : null;
  if (names === null) return tags.ok || tags.error.status === 404 ? plainModels(lists) : tags;
  const running = ollamaRunning(await detail(lists, (api) => api.get(native("/api/ps"))));
  const shown = names.slice(0, MAX_DETAILS).map(async (name) => {
    const details = await detail(lists, (api) =>
      api.post(native("/api/show"), { body: { model: name } }),
    );
    return ollamaModel(name, details, running.get(name) ?? null);
  });
  return ok((await Promise.all(shown)).flatMap((model) => model ?? []).filter(isChatModel));
}

async function llamaCppModels(lists: ServerLists): Promise<ListedModels> {
  const listed = await plainModels(lists);
  const [only] = listed.ok ? listed.value : [];
  if (!listed.ok || listed.value.length !== 1 || !only) return listed;
  const details = await detail(lists, (api) => api.get(lists.native("/props")));
  return ok([llamaCppModel(only, details)]);
}

/** Null where the server does not say. */
async function detail({ get }: ServerLists, request: ApiRequest): Promise<unknown> {
  const answer = await get(DETAILS_MS, request);
  return answer.ok ? answer.value : null;
}

/** Reads the JSON that a server responds with. */
async function getJson(
  endpoint: Endpoint,
  signal: AbortSignal,
  ms: number,
  ask: (limited: AbortSignal) => Promise<Response>,
): Promise<Result<unknown, ModelFailure>> {
  try {
    const answer = await withDeadline(signal, ms, async (limited) => {
      const response = await ask(limited);
      if (!response.ok) return err(listFailure(await readRefusal(response, limited), endpoint));
      return ok(response.body ? await readAll(textReader(response.body, limited), MAX_LIST) : "");
    });
    if (!answer.ok)
      return err(signal.aborted ? { code: "aborted" } : { code: "connect-timeout", limitMs: ms });
    if (!answer.value.ok) return answer.value;
    const body = answer.value.value;
    const value = parseJson(body);
    return value === undefined
      ? err({ code: body.trimStart().startsWith("<") ? "web-page" : "unreadable" })
      : ok(value);
  } catch (thrown) {
    return err(signal.aborted ? { code: "aborted" } : networkFailure(thrown, false, endpoint));
  }
}

/** Why a server lists no models. One that has no list may answer all the same. */
function listFailure(answer: ErrorResponse, endpoint: Endpoint): ModelFailure {
  const failure = responseFailure(answer, endpoint);
  const hasNoList = failure.code === "api-not-found" || failure.code === "model-not-found";
  return hasNoList ? { ...failure, code: "no-model-list" } : failure;
}
