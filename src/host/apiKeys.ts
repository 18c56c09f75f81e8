import * as vscode from "vscode";
import { failureMessage } from "../model/messages.ts";
import { openGraftSettings } from "./configuration.ts";
import { apiKeyName, type Endpoint, parseEndpoint } from "./endpoint.ts";
import { t } from "./localize.ts";

type Server = Extract<Endpoint, { kind: "server" }>;

/** Asks for the key of the endpoint in the settings and stores it in the editor's secret storage. */
export async function askApiKey(baseUrl: string, secrets: vscode.SecretStorage): Promise<void> {
  const server = await configuredServer(baseUrl);
  if (!server) return;
  const key = await vscode.window.showInputBox({
    title: `API key for ${server.host}`,
    prompt: `Kept in the secret storage of the editor and sent to ${server.origin} only.`,
    password: true,
    ignoreFocusOut: true,
    validateInput: (text) => (text.trim() === "" ? "Paste the key, or press Escape to keep things as they are." : null),
  });
  if (key === undefined) return;
  await secrets.store(apiKeyName(server.origin), key.trim());
  void vscode.window.showInformationMessage(`The API key for ${server.host} is stored.`);
}

/** Forgets the key of the endpoint in the settings. */
export async function clearApiKey(baseUrl: string, secrets: vscode.SecretStorage): Promise<void> {
  const server = await configuredServer(baseUrl);
  if (!server) return;
  const name = apiKeyName(server.origin);
  const stored = (await secrets.get(name)) !== undefined;
  await secrets.delete(name);
  const outcome = stored ? `The API key for ${server.host} is deleted.` : `No API key is stored for ${server.host}.`;
  void vscode.window.showInformationMessage(outcome);
}

/** The server in the settings, or null after telling the user why a key would belong to nothing. */
async function configuredServer(baseUrl: string): Promise<Server | null> {
  const endpoint = parseEndpoint(baseUrl);
  if (endpoint.ok && endpoint.value.kind === "server") return endpoint.value;
  const why = endpoint.ok
    ? "The built-in demonstration needs no key. To connect a model, first set graft.baseUrl to its endpoint (such as https://api.openai.com/v1) and graft.model to its name; the key is stored for that endpoint."
    : failureMessage({ ...endpoint.error, baseUrl: "", model: "" }, t);
  const choice = await vscode.window.showInformationMessage(why, "Open Settings");
  if (choice) await openGraftSettings();
  return null;
}
