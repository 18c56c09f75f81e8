import * as vscode from "vscode";
import type { Connection, ConnectionEntry } from "../../model/connections/connection.ts";
import {
  CONNECTION_KIND_NAMES,
  type ConnectionKindName,
  completeBaseUrl,
  connectionKind,
  kindOfKey,
  loopbackBaseUrl,
} from "../../model/connections/connectionKinds.ts";
import { t } from "../localize.ts";
import { askKey } from "../settings/apiKeys.ts";
import { allConnections } from "../settings/modelChoice.ts";
import { serverOf } from "../settings/server.ts";
import type { Settings } from "../settings/settings.ts";
import { freeName } from "./findModels.ts";

/** The kinds of servers that a key can be for. */
const KEY_KINDS: readonly ConnectionKindName[] = CONNECTION_KIND_NAMES.filter(
  (name) => connectionKind(name).needsKey || name === "litellm",
);

/** A connection that the user described. */
export interface NewConnection {
  readonly connection: Connection;
  /** To be stored for its origin; null to use a key that is there, or none. */
  readonly key: string | null;
}

/**
 * Asks for the kind, its address where only the user knows it, and a key where
 * one is needed and none is found. Undefined when canceled.
 */
export async function askConnection(
  connections: readonly Connection[],
  findKey: (connection: Connection) => Promise<string | null>,
): Promise<NewConnection | undefined> {
  const kind = await pickKind(t("Add a connection"), CONNECTION_KIND_NAMES);
  const connection = kind && (await describe(kind, connections));
  if (!connection) return undefined;
  const server = serverOf(connection);
  if (server?.loopback || (await findKey(connection)) !== null) return { connection, key: null };
  const key = await askKey(connection, {
    optional: !connectionKind(connection.kind).needsKey || (server?.local ?? false),
  });
  return key === undefined ? undefined : { connection, key: key || null };
}

/**
 * Asks for a key first, and for its provider where the key does not show it. Undefined when
 * canceled.
 */
export async function askKeyOfProvider(
  connections: readonly Connection[],
): Promise<NewConnection | undefined> {
  const key = await askKey(null, { optional: false });
  if (!key) return undefined;
  const kind =
    kindOfKey(key) ??
    (await pickKind(t("Which provider is this key from? Graft sends it nowhere else."), KEY_KINDS));
  const connection = kind && (await describe(kind, connections));
  return connection && { connection, key };
}

/** Asks where a connection that was not saved yet really is. Undefined when canceled. */
export async function askAddress(connection: Connection): Promise<Connection | undefined> {
  const baseUrl = await askBaseUrl(connection.kind, connection.baseUrl);
  return baseUrl === undefined ? undefined : { ...connection, baseUrl };
}

/**
 * Adds a connection to the user's graft.connections and gives its name; one for the same server is
 * kept as it is. Entries that Graft cannot use stay. Rejects when VS Code cannot write the
 * settings.
 */
export async function saveConnection(connection: Connection, settings: Settings): Promise<string> {
  const same = allConnections(settings).find(({ baseUrl }) => baseUrl === connection.baseUrl);
  if (same) return same.name;
  const section = vscode.workspace.getConfiguration("graft");
  const written: unknown = section.inspect("connections")?.globalValue;
  const kept: readonly unknown[] = Array.isArray(written) ? written : [];
  await section.update(
    "connections",
    [...kept, settingsEntry(connection)],
    vscode.ConfigurationTarget.Global,
  );
  return connection.name;
}

/** A connection as users write it: without the address that its kind has anyway. */
function settingsEntry({ baseUrl, ...entry }: Connection): ConnectionEntry {
  return connectionKind(entry.kind).baseUrl === baseUrl ? entry : { ...entry, baseUrl };
}

async function pickKind(
  title: string,
  kinds: readonly ConnectionKindName[],
): Promise<ConnectionKindName | undefined> {
  const items = kinds.map((kind) => ({
    chosen: kind,
    label: kind === "other" ? t("Another server") : connectionKind(kind).label,
    description:
      kind === "other"
        ? t("Any other server with OpenAI's API")
        : (connectionKind(kind).baseUrl ?? loopbackBaseUrl(kind) ?? ""),
  }));
  const picked = await vscode.window.showQuickPick(items, {
    title,
    placeHolder: t("Provider or server"),
    matchOnDescription: true,
    ignoreFocusOut: true,
  });
  return picked?.chosen;
}

/** A connection of this kind: the one that is there for a service, else a new one. */
async function describe(
  kind: ConnectionKindName,
  connections: readonly Connection[],
): Promise<Connection | undefined> {
  const { baseUrl: fixed, label } = connectionKind(kind);
  const baseUrl = fixed ?? (await askBaseUrl(kind));
  if (baseUrl === undefined) return undefined;
  const same = connections.find((each) => each.baseUrl === baseUrl);
  if (same) return same;
  const host = kind === "other" ? serverOf({ baseUrl })?.host : undefined;
  return { name: freeName(host ?? label, connections), kind, baseUrl };
}

async function askBaseUrl(
  kind: ConnectionKindName,
  value = loopbackBaseUrl(kind) ?? "",
): Promise<string | undefined> {
  const { label } = connectionKind(kind);
  const typed = await vscode.window.showInputBox({
    title: kind === "other" ? t("Address of the server") : t("Address of {label}", { label }),
    prompt:
      kind === "azure"
        ? t(
            "The endpoint of your resource, or the target URI of a deployment, from the Azure portal.",
          )
        : t("The base URL, such as https://llm.example.com/v1."),
    value,
    placeHolder:
      kind === "azure" ? "https://my-resource.openai.azure.com" : "https://llm.example.com/v1",
    ignoreFocusOut: true,
    validateInput: (text) =>
      serverOf({ baseUrl: completeBaseUrl(kind, text) }) && text.trim() !== ""
        ? null
        : t("Enter a web address without a user name and password."),
  });
  return typed === undefined ? undefined : completeBaseUrl(kind, typed);
}
