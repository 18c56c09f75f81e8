import * as z from "zod/mini";
import { type Connection, namedModel } from "../../model/connections/connection.ts";
import { kindOfUrl } from "../../model/connections/connectionKinds.ts";
import { type ModelError, type ModelFailure, modelError } from "../../model/modelFailure.ts";
import { type ModelInfo, modelInfoSchema } from "../../model/modelInfo.ts";
import type { AgentProgram } from "../../ports/commands/chatAgent.ts";
import { serverOf } from "./server.ts";
import type { Settings } from "./settings.ts";

const agentProgramSchema = z.object({
  name: z.string(),
  command: z.string(),
  args: z.readonly(z.array(z.string())),
  env: z.readonly(z.record(z.string(), z.string())),
});

/** What the user chose, as it is remembered. */
export const modelChoiceSchema = z.discriminatedUnion("source", [
  z.object({ source: z.literal("demo") }),
  z.object({
    source: z.literal("connection"),
    connection: z.string(),
    /**
     * Where it answered when it was chosen; a connection of the same name elsewhere is another one.
     */
    origin: z.optional(z.string()),
    model: modelInfoSchema,
    /** The reasoning effort that the user chose; absent for that of the connection. */
    effort: z.optional(z.string()),
  }),
  z.object({ source: z.literal("vscode-lm"), vendor: z.string(), model: modelInfoSchema }),
  z.object({ source: z.literal("agent"), agent: agentProgramSchema }),
]);

/** What the user chose, as it is remembered. */
export type ModelChoice = Readonly<z.infer<typeof modelChoiceSchema>>;

/** The model that answers, with its connection as the settings have it now. */
export type ChosenModel =
  | { readonly source: "demo" }
  /** Another maker's agent, which asks its own models. */
  | { readonly source: "agent"; readonly agent: AgentProgram }
  | {
      readonly source: "connection";
      readonly connection: Connection;
      readonly model: ModelInfo;
      /** The reasoning effort that the user chose for this model; else the connection says. */
      readonly effort?: string;
    }
  | { readonly source: "vscode-lm"; readonly vendor: string; readonly model: ModelInfo }
  /** The chosen model cannot answer, and nothing answers in its place. */
  | { readonly source: "gone"; readonly label: string; readonly error: ModelError };

/** What is remembered of the user's choice; null before the first one. */
export type RememberedChoice = ModelChoice | "unreadable" | null;

/**
 * The connections of graft.connections, and the server of graft.baseUrl unless it is among them.
 */
export function allConnections({
  connections,
  connectionsOnly,
  baseUrl,
}: Settings): readonly Connection[] {
  const former = connectionsOnly || baseUrl === null ? null : serverOf({ baseUrl });
  if (former === null || connections.some((each) => each.baseUrl === former.baseUrl))
    return connections;
  const { host, baseUrl: address } = former;
  const name = connections.some((each) => each.name === host) ? address : host;
  return [...connections, { name, kind: kindOfUrl(new URL(address)), baseUrl: address }];
}

/**
 * The model that answers: the user's choice; before the first one graft.baseUrl with graft.model,
 * else the first model that graft.connections names. A choice that cannot be kept is `gone`: no
 * other server gets what was meant for it. Null when nothing is chosen.
 */
export function chosenModel(settings: Settings, choice: RememberedChoice): ChosenModel | null {
  if (choice === null) return settingsModel(settings);
  if (choice === "unreadable") return gone("", "", { code: "choice-unreadable" });
  if (choice.source === "demo") return choice;
  if (choice.source === "connection") return connectionModel(settings, choice);
  const label = choice.source === "agent" ? choice.agent.name : choice.model.label;
  if (settings.connectionsOnly) return gone(label, label, { code: "not-allowed" });
  if (choice.source === "vscode-lm") return choice;
  const agent = settings.agents.find(({ name }) => name === choice.agent.name) ?? choice.agent;
  return { source: "agent", agent };
}

function connectionModel(
  settings: Settings,
  { connection: name, origin, model, effort }: ModelChoice & { readonly source: "connection" },
): ChosenModel {
  const connection = allConnections(settings).find((each) => each.name === name);
  if (!connection) return gone(model.label, name, { code: "connection-gone" });
  const now = new URL(connection.baseUrl).origin;
  if (origin !== undefined && origin !== now)
    return gone(model.label, name, { code: "connection-moved", detail: now });
  return { source: "connection", connection, model, ...(effort !== undefined && { effort }) };
}

/** What the settings say where the user chose nothing. */
function settingsModel(settings: Settings): ChosenModel | null {
  const { baseUrl, model: id, connections } = settings;
  if (baseUrl !== null) {
    const address = serverOf({ baseUrl })?.baseUrl;
    if (address === undefined) return null;
    const former = allConnections(settings).find((each) => each.baseUrl === address);
    const model = namedModel(id);
    return former
      ? { source: "connection", connection: former, model }
      : gone(id, address, { code: "not-allowed" });
  }
  const preset = connections.find(({ models = [] }) => models.length > 0);
  if (!preset) return null;
  const model = namedModel(preset.models?.[0] ?? "");
  return { source: "connection", connection: preset, model };
}

function gone(label: string, from: string, failure: ModelFailure): ChosenModel {
  return { source: "gone", label, error: modelError(failure, { baseUrl: from, model: label }) };
}
