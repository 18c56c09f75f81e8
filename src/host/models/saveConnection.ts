import * as vscode from "vscode";
import type { Connection, ConnectionEntry } from "../../model/connections/connection.ts";
import { kindOf } from "../../model/connections/connectionKinds.ts";
import { allConnections } from "../settings/modelChoice.ts";
import type { Settings } from "../settings/settings.ts";

/**
 * Adds a connection to the user's graft.connections and gives its name; one for the same server is kept as it is. Entries that Graft
 * cannot use stay. Rejects when VS Code cannot write the settings.
 */
export async function saveConnection(connection: Connection, settings: Settings): Promise<string> {
  const same = allConnections(settings).find(({ baseUrl }) => baseUrl === connection.baseUrl);
  if (same) return same.name;
  const section = vscode.workspace.getConfiguration("graft");
  const written: unknown = section.inspect("connections")?.globalValue;
  const kept: readonly unknown[] = Array.isArray(written) ? written : [];
  await section.update("connections", [...kept, entryOf(connection)], vscode.ConfigurationTarget.Global);
  return connection.name;
}

/** A connection as users write it: without the address that its kind has anyway. */
function entryOf({ baseUrl, ...entry }: Connection): ConnectionEntry {
  return kindOf(entry.kind).baseUrl === baseUrl ? entry : { ...entry, baseUrl };
}
