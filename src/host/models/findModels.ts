import { type Connection, describedModel, namedModel } from "../../model/connections/connection.ts";
import { connectionKind } from "../../model/connections/connectionKinds.ts";
import { discoverModels } from "../../model/connections/discoverModels.ts";
import { environmentConnections } from "../../model/connections/environmentConnections.ts";
import { findLocalServers } from "../../model/connections/findLocalServers.ts";
import { exposesKey, parseBaseUrl } from "../../model/endpoint.ts";
import type { FailureRemedy, ModelFailure } from "../../model/modelFailure.ts";
import type { ModelInfo } from "../../model/modelInfo.ts";
import type { AgentProgram } from "../../ports/commands/chatAgent.ts";
import { failureRemedies } from "../../turns/turnError.ts";
import type { ModelChoice } from "../settings/modelChoice.ts";
import { findApiKey, isKeyMissing, type KeySources } from "../settings/modelConnection.ts";
import { serverOf } from "../settings/server.ts";

/** The models that VS Code offers, with the vendor of each. */
export type ListLanguageModels = () => Promise<
  readonly { readonly vendor: string; readonly info: ModelInfo }[]
>;

/** What the user can do where a model or a list of models failed. */
export type Remedy = FailureRemedy | "change-address";

/** Models that come from one place. */
export interface ModelGroup {
  /** `local` and `environment` were found, `new` is being added: they are no connections yet. */
  readonly source: "connection" | "local" | "environment" | "vscode-lm" | "new" | "agents";
  /** The connection's name, or VS Code's name for the vendor. */
  readonly name: string;
  /** Null for models of VS Code, and for agents. */
  readonly connection: Connection | null;
  readonly models: readonly ModelInfo[];
  /** Why the models could not be listed. */
  readonly failure: ModelFailure | null;
  /** For `agents`, which have models of their own. */
  readonly agents?: readonly AgentProgram[];
}

/** Where models are looked for. */
export interface ModelPlaces extends KeySources {
  readonly connections: readonly Connection[];
  /** True where nothing but the connections may be used. */
  readonly connectionsOnly: boolean;
  readonly listLanguageModels: ListLanguageModels;
  readonly fetch: typeof fetch;
  /** The agents of other makers: those of the settings, and those on this machine. */
  findAgents(): Promise<readonly AgentProgram[]>;
}

/**
 * Looks everywhere at once and reports each place when it has answered. Settles when all have, or
 * `signal` aborts.
 */
export async function findModels(
  places: ModelPlaces,
  signal: AbortSignal,
  found: (group: ModelGroup) => void,
): Promise<void> {
  const report = async (search: Promise<readonly ModelGroup[]> | readonly ModelGroup[]) => {
    for (const group of await search) if (!signal.aborted) found(group);
  };
  await Promise.all([
    ...places.connections.map((connection) => report(listed(connection, places, signal))),
    report(languageModels(places)),
    report(localServers(places, signal)),
    report(environmentServers(places)),
    report(agentsHere(places)),
  ]);
}

/** The models of one connection: those that it names, else those that its server lists. */
export async function modelsOf(
  connection: Connection,
  key: string | null,
  send: typeof fetch,
  signal: AbortSignal,
): Promise<ModelGroup> {
  const { models } = connection;
  const server = parseBaseUrl(connection.baseUrl);
  if (server.ok && exposesKey(server.value, { ...connection, apiKey: key }))
    return groupOf("connection", connection, [], { code: "unencrypted-key" });
  const answer = models
    ? { ok: true as const, value: models.map(namedModel) }
    : await discoverModels(connection, key, send, signal);
  if (!answer.ok) return groupOf("connection", connection, [], answer.error);
  return groupOf(
    "connection",
    connection,
    answer.value.map((info) => describedModel(connection, info)),
  );
}

/** The models of a server; without any, they were not asked for or could not be listed. */
export function groupOf(
  source: Exclude<ModelGroup["source"], "vscode-lm" | "agents">,
  connection: Connection,
  models: readonly ModelInfo[] = [],
  failure: ModelFailure | null = null,
): ModelGroup {
  return { source, name: connection.name, connection, models, failure };
}

/** The models that VS Code offers, by vendor. */
export async function languageModels({
  connectionsOnly,
  listLanguageModels,
}: ModelPlaces): Promise<readonly ModelGroup[]> {
  const all = connectionsOnly ? [] : await listLanguageModels();
  return [...new Set(all.map(({ vendor }) => vendor))].map((name) => {
    const models = all.filter(({ vendor }) => vendor === name).map(({ info }) => info);
    return { source: "vscode-lm", name, connection: null, models, failure: null };
  });
}

async function agentsHere({
  connectionsOnly,
  findAgents,
}: ModelPlaces): Promise<readonly ModelGroup[]> {
  const agents = connectionsOnly ? [] : await findAgents();
  if (agents.length === 0) return [];
  return [{ source: "agents", name: "", connection: null, models: [], failure: null, agents }];
}

/** The servers on this machine that are no connections yet. */
export async function localServers(
  { connections, connectionsOnly, fetch: send }: ModelPlaces,
  signal: AbortSignal,
): Promise<readonly ModelGroup[]> {
  if (connectionsOnly) return [];
  const known = new Set(
    connections
      .map(serverOf)
      .flatMap((server) => (server?.loopback ? new URL(server.baseUrl).port : [])),
  );
  const servers = await findLocalServers(send, signal);
  return servers
    .filter(({ baseUrl }) => !known.has(new URL(baseUrl).port))
    .map(({ kind, baseUrl, models }) =>
      groupOf(
        "local",
        { name: freeName(connectionKind(kind).label, connections), kind, baseUrl },
        models,
      ),
    );
}

/**
 * The providers whose keys are in the environment and that are no connections yet. None is asked
 * before the user picks it.
 */
export function environmentServers({
  connections,
  connectionsOnly,
  environment,
}: ModelPlaces): readonly ModelGroup[] {
  if (connectionsOnly) return [];
  const origins = new Set(connections.map((connection) => serverOf(connection)?.origin));
  return environmentConnections(environment)
    .filter(({ baseUrl }) => !origins.has(new URL(baseUrl).origin))
    .map(({ kind, baseUrl }) =>
      groupOf("environment", {
        name: freeName(connectionKind(kind).label, connections),
        kind,
        baseUrl,
      }),
    );
}

/** `name`, or with a number when a connection has it already. */
export function freeName(name: string, connections: readonly Pick<Connection, "name">[]): string {
  const taken = new Set(connections.map((connection) => connection.name));
  for (let number = 1; ; number++) {
    const free = number === 1 ? name : `${name} ${number}`;
    if (!taken.has(free)) return free;
  }
}

/** What is remembered when the user chooses a model of a group. */
export function choiceOf({ name, connection }: ModelGroup, model: ModelInfo): ModelChoice {
  if (connection === null) return { source: "vscode-lm", vendor: name, model };
  return {
    source: "connection",
    connection: connection.name,
    origin: new URL(connection.baseUrl).origin,
    model,
  };
}

/**
 * What a click on a group that could not be listed does. A new connection may have a wrong address;
 * that of a saved one is in the settings.
 */
export function fixOf({ source, connection }: ModelGroup, failure: ModelFailure): Remedy {
  const [remedy = "retry"] = failureRemedies(failure);
  if (remedy === "set-api-key" || remedy === "open-network-settings") return remedy;
  const fixed =
    connection === null || connectionKind(connection.kind).baseUrl === connection.baseUrl;
  if (source === "new" && !fixed) return "change-address";
  return remedy === "open-connections" ? remedy : "retry";
}

async function listed(
  connection: Connection,
  places: ModelPlaces,
  signal: AbortSignal,
): Promise<readonly ModelGroup[]> {
  if (await isKeyMissing(connection, places))
    return [groupOf("connection", connection, [], { code: "no-key" })];
  return [await modelsOf(connection, await findApiKey(connection, places), places.fetch, signal)];
}
