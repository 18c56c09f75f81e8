import { err, ok, type Result } from "../../base/result.ts";
import type { FillInServer } from "../../model/completions/fillIn.ts";
import type { Connection } from "../../model/connections/connection.ts";
import { type ModelError, modelError } from "../../model/modelFailure.ts";
import { allConnections } from "../settings/modelChoice.ts";
import { type KeySources, reachServer, timeLimits } from "../settings/modelConnection.ts";
import type { Settings } from "../settings/settings.ts";

/** The connection and the model that `graft.completions.model` names. */
interface CompletionModel {
  readonly connection: Connection;
  readonly model: string;
}

/** The connection whose name, a slash and a model are the setting; null where none has that name. */
export function completionModel(settings: Settings): CompletionModel | null {
  const { completionModel: wanted } = settings;
  const [connection] = allConnections(settings)
    .filter(({ name }) => wanted === name || wanted.startsWith(`${name}/`))
    .sort((a, b) => b.name.length - a.name.length);
  return connection ? { connection, model: wanted.slice(connection.name.length + 1) } : null;
}

/** The server that completes, with its own key. */
export async function completionServer(
  settings: Settings,
  keys: KeySources,
): Promise<Result<FillInServer, ModelError>> {
  const found = completionModel(settings);
  if (!found)
    return err(
      modelError(
        { code: "connection-gone" },
        { baseUrl: settings.completionModel, model: settings.completionModel },
      ),
    );
  const { connection, model } = found;
  const reached = await reachServer(connection, model, timeLimits(settings), keys);
  return reached.ok ? ok({ ...reached.value, kind: connection.kind, model }) : reached;
}
