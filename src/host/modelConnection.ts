import type { ModelConnection } from "../agent/chatOptions.ts";
import { err, ok, type Result } from "../base/result.ts";
import { createDemoFetch } from "../demo/demoEndpoint.ts";
import type { DemoPorts } from "../demo/demoSource.ts";
import { createOpenaiClient } from "../model/openaiClient.ts";
import type { ModelError } from "../model/streamPart.ts";
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
  if (!parsed.ok) return err(setupError("not-found", parsed.error));
  const endpoint = parsed.value;
  if (endpoint.kind === "demo") {
    const fetch = createDemoFetch(sources.demo);
    return ok({ client: createOpenaiClient({ baseUrl: "http://demo.invalid/v1", apiKey: null, fetch, limits }), model: "demo" });
  }
  if (settings.model === "") {
    return err(setupError("not-found", `No model is chosen for ${endpoint.host}. Set graft.model to the model's name, then retry.`));
  }
  const apiKey = await findApiKey(endpoint, sources);
  if (apiKey === null && !endpoint.local) {
    return err(setupError("no-key", `There is no API key for ${endpoint.host}. Run the command Graft: Set API Key, then retry.`));
  }
  if (apiKey !== null && !endpoint.local && endpoint.baseUrl.toLowerCase().startsWith("http:")) {
    return err(
      setupError("not-found", `The API key would travel unencrypted to ${endpoint.host}. Set graft.baseUrl to its https:// address.`),
    );
  }
  return ok({ client: createOpenaiClient({ baseUrl: endpoint.baseUrl, apiKey, limits }), model: settings.model });
}

function setupError(kind: ModelError["kind"], message: string): ModelError {
  return { kind, message, status: null, retryable: true };
}
