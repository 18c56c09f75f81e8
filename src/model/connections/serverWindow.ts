import { isLoopback, isPrivateHost } from "../endpoint.ts";
import type { ServerWindow } from "../modelClient.ts";
import type { Connection } from "./connection.ts";
import { namedModel } from "./connection.ts";
import { connectionKind } from "./connectionKinds.ts";
import { openServerLists, type ServerLists } from "./discoverModels.ts";
import {
  llamaCppModel,
  lmStudioModels,
  OLLAMA_WINDOW,
  ollamaModel,
  ollamaNames,
  ollamaRunning,
} from "./modelLists.ts";

/** Milliseconds in which a server says what it has loaded. */
const WINDOW_MS = 1_500;

type WindowServer = Pick<Connection, "kind" | "baseUrl" | "headers" | "unencryptedKey">;

/** {@link serverWindow} before each request; a server of an unknown kind is asked until it says none. */
export function windowOf(
  server: WindowServer,
  apiKey: string | null,
  model: string,
  send: typeof fetch,
): (signal: AbortSignal) => Promise<ServerWindow | null> {
  let says = true;
  return async (signal) => {
    const window = says ? await serverWindow(server, apiKey, model, send, signal) : null;
    says = server.kind !== "other" || window !== null;
    return window;
  };
}

/**
 * Asks a server which context window a model has now; null for kinds that do not say, and where it
 * does not answer. Ollama cuts a request at that window in silence, so a server of an unknown kind
 * in the private network is asked as Ollama is.
 */
export async function serverWindow(
  server: WindowServer,
  apiKey: string | null,
  model: string,
  send: typeof fetch,
  signal: AbortSignal,
): Promise<ServerWindow | null> {
  const listing = mayBeOllama(server) ? "ollama" : connectionKind(server.kind).listing;
  if (listing !== "ollama" && listing !== "lm-studio" && listing !== "llama.cpp") return null;
  const opened = await openServerLists(server, apiKey, send, signal, WINDOW_MS);
  if (!opened.ok) return null;
  if (listing === "ollama") return ollamaWindow(opened.value, model);
  if (listing === "lm-studio") return lmStudioWindow(opened.value, model);
  const props = await opened.value.list((api) => api.get(opened.value.native("/props")));
  return loaded(props.ok ? llamaCppModel(namedModel(model), props.value).contextWindow : null);
}

/**
 * Asks once whether a server of a kind that its address does not tell answers as Ollama does. False
 * where it does not answer at all, and then it is asked again.
 */
export function askOllamaOnce(
  server: WindowServer,
  apiKey: string | null,
  send: typeof fetch,
): (signal: AbortSignal) => Promise<boolean> {
  let known: boolean | null = null;
  return async (signal) => {
    if (known !== null) return known;
    const opened = await openServerLists(server, apiKey, send, signal, WINDOW_MS);
    if (!opened.ok) return false;
    const ps = await opened.value.list((api) => api.get(opened.value.native("/api/ps")));
    if (!ps.ok && ps.error.status === undefined) return false;
    known = ps.ok && ollamaNames(ps.value) !== null;
    return known;
  };
}

function mayBeOllama({ kind, baseUrl }: WindowServer): boolean {
  if (kind !== "other" || !URL.canParse(baseUrl)) return false;
  const { hostname } = new URL(baseUrl);
  return isLoopback(hostname) || isPrivateHost(hostname);
}

async function ollamaWindow(lists: ServerLists, model: string): Promise<ServerWindow | null> {
  const ps = await lists.list((api) => api.get(lists.native("/api/ps")));
  if (!ps.ok || ollamaNames(ps.value) === null) return null;
  const running = ollamaRunning(ps.value);
  const now = running.get(model) ?? running.get(`${model}:latest`) ?? null;
  if (now !== null) return loaded(now);
  const shown = await lists.list((api) => api.post(lists.native("/api/show"), { body: { model } }));
  const tokens = shown.ok ? ollamaModel(model, shown.value, null)?.contextWindow : null;
  return { tokens: tokens ?? OLLAMA_WINDOW, isLoaded: false };
}

async function lmStudioWindow(lists: ServerLists, model: string): Promise<ServerWindow | null> {
  const listed = await lists.list((api) => api.get(lists.native("/api/v0/models")));
  const models = listed.ok ? lmStudioModels(listed.value, true) : null;
  return loaded(models?.find(({ id }) => id === model)?.contextWindow ?? null);
}

function loaded(tokens: number | null): ServerWindow | null {
  return tokens === null ? null : { tokens, isLoaded: true };
}
