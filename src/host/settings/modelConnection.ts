import type { ModelConnection } from "../../agent/chatOptions.ts";
import { err, ok, type Result } from "../../base/result.ts";
import { createDemoClient } from "../../demo/demoClient.ts";
import type { DemoPorts } from "../../demo/demoSource.ts";
import {
  type Connection,
  describedModel,
  KEY_PLACEHOLDER,
  namedModel,
  requestHeaders,
} from "../../model/connections/connection.ts";
import { connectionKind } from "../../model/connections/connectionKinds.ts";
import {
  type Environment,
  environmentKey,
} from "../../model/connections/environmentConnections.ts";
import { askOllamaOnce, windowOf } from "../../model/connections/serverWindow.ts";
import { exposesKey, parseBaseUrl, withoutQuery } from "../../model/endpoint.ts";
import { learnedCapabilities } from "../../model/learnedCapabilities.ts";
import type { ModelServer, ModelTimeLimits } from "../../model/modelClient.ts";
import { type ModelError, modelError } from "../../model/modelFailure.ts";
import type { ModelInfo } from "../../model/modelInfo.ts";
import { createOpenaiClient } from "../../model/openai/openaiClient.ts";
import type { Memory } from "../../ports/memory.ts";
import type { ChosenModel } from "./modelChoice.ts";
import { apiKeyName, serverOf } from "./server.ts";
import { contextWindowOf, type Settings } from "./settings.ts";

type ChosenLanguageModel = ChosenModel & { readonly source: "vscode-lm" };

/** Where keys come from. */
export interface KeySources {
  /** The editor's secret storage. */
  readonly secrets: { get(name: string): PromiseLike<string | undefined> };
  readonly environment: Environment;
}

/** What is needed to reach a model. */
export interface ConnectionSources extends KeySources {
  readonly settings: Settings;
  /** Null when nothing is chosen: then the demonstration answers. */
  readonly chosen: Exclude<ChosenModel, { readonly source: "agent" }> | null;
  /** Where demo mode reads files. */
  readonly demo: DemoPorts;
  /** Remembers what models refuse. */
  readonly learned: Memory;
  /** Opens a model that VS Code offers. */
  languageModel(
    choice: ChosenLanguageModel,
    limits: ModelTimeLimits,
  ): Promise<Result<ModelConnection, ModelError>>;
}

/**
 * The key to send to a connection, or null where there is none. It is looked up under the
 * connection's own origin only.
 */
export async function findApiKey(
  connection: Pick<Connection, "name" | "baseUrl">,
  { secrets, environment }: KeySources,
): Promise<string | null> {
  const server = serverOf(connection);
  if (server === null) return null;
  const names = [apiKeyName(server.origin, connection.name), apiKeyName(server.origin)];
  const stored = await Promise.all(names.map((name) => secrets.get(name)));
  return stored.find((key) => key) ?? environmentKey(environment, server.origin);
}

/** True when a connection cannot work because it has no key. */
export async function isKeyMissing(connection: Connection, sources: KeySources): Promise<boolean> {
  const { kind, headers } = connection;
  const carriesKey = Object.values(headers ?? {}).some((value) => value.includes(KEY_PLACEHOLDER));
  const open =
    !carriesKey &&
    (!connectionKind(kind).needsKey ||
      headers !== undefined ||
      (serverOf(connection)?.local ?? true));
  return !open && (await findApiKey(connection, sources)) === null;
}

/** The time limits of a request. */
export function timeLimits({ timeouts }: Pick<Settings, "timeouts">): ModelTimeLimits {
  return {
    connectMs: timeouts.connect * 1000,
    firstTokenMs: timeouts.firstToken * 1000,
    idleMs: timeouts.idle * 1000,
  };
}

/** Builds the client for the chosen model. Nothing is sent yet. */
export async function connectModel(
  sources: ConnectionSources,
): Promise<Result<ModelConnection, ModelError>> {
  const { settings, chosen } = sources;
  const limits = timeLimits(settings);
  if (chosen?.source === "connection") {
    const { connection, model, effort = connection.reasoningEffort } = chosen;
    return connectServer({ ...connection, reasoningEffort: effort }, model, limits, sources);
  }
  if (chosen?.source === "gone") return err(chosen.error);
  if (chosen?.source === "vscode-lm") return sources.languageModel(chosen, limits);
  const former = settings.baseUrl === null ? null : parseBaseUrl(settings.baseUrl);
  if (chosen === null && former?.ok === false)
    return err(modelError(former.error, { baseUrl: "", model: settings.model }));
  return ok({
    client: createDemoClient(sources.demo),
    model: "demo",
    info: { ...namedModel("demo"), images: false },
  });
}

/** How a connection's server is reached, with the key that it may need. Errors name `model`. */
export async function reachServer(
  connection: Connection,
  model: string,
  limits: ModelTimeLimits,
  keys: KeySources,
): Promise<Result<ModelServer, ModelError>> {
  const server = serverOf(connection);
  const failed = (code: "invalid-url" | "no-key" | "unencrypted-key") =>
    err(modelError({ code }, { baseUrl: server?.host ?? "", model }));
  if (server === null) return failed("invalid-url");
  if (await isKeyMissing(connection, keys)) return failed("no-key");
  const apiKey = await findApiKey(connection, keys);
  const { unencryptedKey } = connection;
  const headers = requestHeaders(connection, apiKey);
  if (exposesKey(new URL(server.baseUrl), { apiKey, headers, unencryptedKey }))
    return failed("unencrypted-key");
  return ok({ baseUrl: server.baseUrl, apiKey, headers, unencryptedKey, limits });
}

/** The client for a model of a connection. Nothing is sent yet. */
export async function connectServer(
  connection: Connection,
  model: ModelInfo,
  limits: ModelTimeLimits,
  sources: KeySources & Pick<ConnectionSources, "learned" | "settings">,
): Promise<Result<ModelConnection, ModelError>> {
  if (model.id === "")
    return err(
      modelError({ code: "no-model" }, { baseUrl: serverOf(connection)?.host ?? "", model: "" }),
    );
  const reached = await reachServer(connection, model.id, limits, sources);
  if (!reached.ok) return reached;
  const server = reached.value;
  const info = describedModel(connection, model);
  const { kind, temperature, reasoningEffort, api } = connection;
  const { contextWindow: own = null } = connection;
  const learned = learnedCapabilities(sources.learned, withoutQuery(server.baseUrl), model.id);
  const takesWindow = kind === "other" || connectionKind(kind).listing === "ollama";
  const asked = takesWindow ? (own ?? contextWindowOf(sources.settings, model.id)) : null;
  const askWindow = windowOf(connection, server.apiKey, model.id, globalThis.fetch);
  const client = createOpenaiClient({
    ...server,
    async window(signal) {
      const said = await askWindow(signal);
      if (said === null || own === null) return said;
      return { ...said, tokens: said.isLoaded ? Math.min(own, said.tokens) : own };
    },
    learned,
    request: {
      temperature,
      reasoningEffort,
      api,
      numCtx: asked ?? undefined,
      ...(kind === "other" && {
        isOllama: askOllamaOnce(connection, server.apiKey, globalThis.fetch),
      }),
      cacheControl: connectionKind(kind).cacheControl?.test(model.id) ?? false,
    },
  });
  return ok({ client, model: model.id, info });
}
