import type { ModelConnection } from "../../agent/chatOptions.ts";
import { err, ok, type Result } from "../../base/result.ts";
import { createDemoFetch } from "../../demo/demoEndpoint.ts";
import type { DemoPorts } from "../../demo/demoSource.ts";
import { type ModelError, modelError } from "../../model/modelFailure.ts";
import { createOpenaiClient } from "../../model/openai/openaiClient.ts";
import { apiKeyName, type Endpoint, parseEndpoint, takesEnvironmentKey } from "./endpoint.ts";
import type { Settings } from "./settings.ts";

/** What is needed to reach a model. */
export interface ConnectionSources {
  readonly settings: Settings;
  /** The editor's secret storage. */
  readonly secrets: { get(name: string): PromiseLike<string | undefined> };
  /** OPENAI_API_KEY of the environment, or null. */
  readonly environmentKey: string | null;
  /** Where demo mode reads files. */
  readonly demo: DemoPorts;
}

/** The key to send to an endpoint, or null where there is none. It is looked up under the endpoint's own origin only. */
export async function findApiKey(
  endpoint: Endpoint,
  sources: Pick<ConnectionSources, "secrets" | "environmentKey">,
): Promise<string | null> {
  if (endpoint.kind === "demo") return null;
  const stored = await sources.secrets.get(apiKeyName(endpoint.origin));
  if (stored) return stored;
  return takesEnvironmentKey(endpoint) ? sources.environmentKey : null;
}

/** Builds the client for the endpoint and the model that the settings name. Nothing is sent yet. */
export async function connectModel(sources: ConnectionSources): Promise<Result<ModelConnection, ModelError>> {
  const { settings } = sources;
  const limits = {
    connectMs: settings.timeouts.connect * 1000,
    firstTokenMs: settings.timeouts.firstToken * 1000,
    idleMs: settings.timeouts.idle * 1000,
  };
  const parsed = parseEndpoint(settings.baseUrl);
  if (!parsed.ok) return err(modelError(parsed.error, { baseUrl: "", model: settings.model }));
  const endpoint = parsed.value;
  if (endpoint.kind === "demo") {
    const fetch = createDemoFetch(sources.demo);
    return ok({ client: createOpenaiClient({ baseUrl: "http://demo.invalid/v1", apiKey: null, fetch, limits }), model: "demo" });
  }
  const failed = (code: "no-model" | "no-key" | "unencrypted-key") =>
    err(modelError({ code }, { baseUrl: endpoint.host, model: settings.model }));
  if (settings.model === "") return failed("no-model");
  const apiKey = await findApiKey(endpoint, sources);
  if (apiKey === null && !endpoint.local) return failed("no-key");
  if (apiKey !== null && !endpoint.local && endpoint.baseUrl.toLowerCase().startsWith("http:")) return failed("unencrypted-key");
  return ok({ client: createOpenaiClient({ baseUrl: endpoint.baseUrl, apiKey, limits }), model: settings.model });
}
