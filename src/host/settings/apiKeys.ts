import * as vscode from "vscode";
import { failureMessage } from "../../model/messages.ts";
import { t } from "../localize.ts";
import { openGraftSettings } from "./configuration.ts";
import { apiKeyName, type Endpoint, parseEndpoint } from "./endpoint.ts";

type Server = Extract<Endpoint, { kind: "server" }>;

/** Asks for the key of the configured endpoint and stores it in VS Code's secret storage. */
export async function askApiKey(baseUrl: string, secrets: vscode.SecretStorage): Promise<void> {
  const server = await configuredServer(baseUrl);
  if (!server) return;
  const { host, origin } = server;
  const key = await vscode.window.showInputBox({
    title: t("API key for {host}", { host }),
    prompt: t("Stored in VS Code's secret storage and sent only to {origin}.", { origin }),
    password: true,
    ignoreFocusOut: true,
    validateInput: (text) => (text.trim() === "" ? t("Paste the key, or press Escape to cancel.") : null),
  });
  if (key === undefined) return;
  await secrets.store(apiKeyName(origin), key.trim());
  void vscode.window.showInformationMessage(t("Stored the API key for {host}.", { host }));
}

/** Deletes the key of the configured endpoint. */
export async function clearApiKey(baseUrl: string, secrets: vscode.SecretStorage): Promise<void> {
  const server = await configuredServer(baseUrl);
  if (!server) return;
  const { host } = server;
  const name = apiKeyName(server.origin);
  const stored = (await secrets.get(name)) !== undefined;
  await secrets.delete(name);
  const message = stored ? t("Deleted the API key for {host}.", { host }) : t("No API key is stored for {host}.", { host });
  void vscode.window.showInformationMessage(message);
}

/** The configured server; null after telling the user why there is none. */
async function configuredServer(baseUrl: string): Promise<Server | null> {
  const endpoint = parseEndpoint(baseUrl);
  if (endpoint.ok && endpoint.value.kind === "server") return endpoint.value;
  const why = endpoint.ok
    ? t("Demo mode needs no API key. To use a model, set graft.baseUrl and graft.model first.")
    : failureMessage({ ...endpoint.error, baseUrl: "", model: "" }, t);
  const choice = await vscode.window.showInformationMessage(why, t("Open Settings"));
  if (choice) await openGraftSettings();
  return null;
}
