import * as vscode from "vscode";
import type { Connection } from "../../model/connections/connection.ts";
import { connectionKind, pastedKey } from "../../model/connections/connectionKinds.ts";
import { t } from "../localize.ts";
import { apiKeyName, serverOf } from "./server.ts";

/**
 * Asks for the key of a connection, or with null for one whose provider is not known yet. Undefined
 * when canceled, "" for none.
 */
export async function askKey(
  connection: Connection | null,
  { optional }: { readonly optional: boolean },
): Promise<string | undefined> {
  const server = connection && serverOf(connection);
  const page = connection && connectionKind(connection.kind).keysPage;
  const stored = server
    ? t("Stored in VS Code's secret storage and sent only to {origin}.", { origin: server.origin })
    : t("Stored in VS Code's secret storage and sent only to the provider it is from.");
  const key = await vscode.window.showInputBox({
    title: connection ? t("API key for {host}", { host: connection.name }) : t("Enter an API key"),
    prompt: [
      stored,
      page ? t("Create one at {page}.", { page }) : "",
      optional ? t("Leave it empty if the server needs none.") : "",
    ]
      .filter((sentence) => sentence !== "")
      .join(" "),
    password: true,
    ignoreFocusOut: true,
    validateInput: (text) => {
      const pasted = pastedKey(text);
      if (pasted === null) return t("A key has no spaces or special characters. Copy it again.");
      return pasted === "" && !optional ? t("Paste the key, or press Escape to cancel.") : null;
    },
  });
  return key === undefined ? undefined : (pastedKey(key) ?? undefined);
}

/** Stores a key for one connection and its origin only. */
export async function storeKey(
  connection: Connection,
  key: string,
  secrets: vscode.SecretStorage,
): Promise<void> {
  const server = serverOf(connection);
  if (server) await secrets.store(apiKeyName(server.origin, connection.name), key);
}

/** Asks for the key of a connection and stores it. */
export async function setApiKey(
  connection: Connection,
  secrets: vscode.SecretStorage,
): Promise<boolean> {
  const key = await askKey(connection, { optional: false });
  if (!key) return false;
  await storeKey(connection, key, secrets);
  void vscode.window.showInformationMessage(
    t("Stored the API key for {host}.", { host: connection.name }),
  );
  return true;
}

/**
 * Deletes the keys of a connection, also the one that its origin had before there were connections.
 */
export async function clearApiKey(
  connection: Connection,
  secrets: vscode.SecretStorage,
): Promise<void> {
  const server = serverOf(connection);
  const names = server
    ? [apiKeyName(server.origin, connection.name), apiKeyName(server.origin)]
    : [];
  const stored = (await Promise.all(names.map((name) => secrets.get(name)))).some(
    (key) => key !== undefined,
  );
  for (const name of names) await secrets.delete(name);
  const { name: host } = connection;
  const message = stored
    ? t("Deleted the API key for {host}.", { host })
    : t("No API key is stored for {host}.", { host });
  void vscode.window.showInformationMessage(message);
}
