import * as z from "zod/mini";
import { type Connection, namedModel } from "../../model/connections/connection.ts";
import { kindOfUrl } from "../../model/connections/connectionKinds.ts";
import { type ModelInfo, modelInfoSchema } from "../../model/modelInfo.ts";
import { serverOf } from "./server.ts";
import type { Settings } from "./settings.ts";

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
  }),
  z.object({ source: z.literal("vscode-lm"), vendor: z.string(), model: modelInfoSchema }),
]);

/** What the user chose, as it is remembered. */
export type ModelChoice = Readonly<z.infer<typeof modelChoiceSchema>>;

/** The model that answers, with its connection as the settings have it now. */
export type ChosenModel =
  | { readonly source: "demo" }
  | { readonly source: "connection"; readonly connection: Connection; readonly model: ModelInfo }
  | { readonly source: "vscode-lm"; readonly vendor: string; readonly model: ModelInfo };

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
 * The model that answers: the user's choice while its connection exists, else graft.baseUrl with
 * graft.model, else the first model that graft.connections names. Null when nothing is chosen.
 */
export function chosenModel(settings: Settings, choice: ModelChoice | null): ChosenModel | null {
  const connections = allConnections(settings);
  if (choice?.source === "demo" || (choice?.source === "vscode-lm" && !settings.connectionsOnly))
    return choice;
  const isChosen = ({ name, baseUrl }: Connection) =>
    choice?.source === "connection" &&
    name === choice.connection &&
    (choice.origin === undefined || choice.origin === new URL(baseUrl).origin);
  const connection = connections.find(isChosen);
  if (choice?.source === "connection" && connection)
    return { source: "connection", connection, model: choice.model };
  const address =
    settings.baseUrl === null ? null : serverOf({ baseUrl: settings.baseUrl })?.baseUrl;
  const former = connections.find(({ baseUrl }) => baseUrl === address);
  if (former)
    return { source: "connection", connection: former, model: namedModel(settings.model) };
  const preset = settings.connections.find(({ models = [] }) => models.length > 0);
  return preset
    ? { source: "connection", connection: preset, model: namedModel(preset.models?.[0] ?? "") }
    : null;
}
