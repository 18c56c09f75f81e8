import type { PanelStatus } from "../protocol/messages.ts";
import { parseEndpoint } from "./endpoint.ts";
import { type ConnectionSources, findApiKey } from "./modelConnection.ts";

/** What the panel shows beside the turns, as far as settings and keys decide it. */
export async function readPanelStatus(
  sources: Pick<ConnectionSources, "settings" | "secrets" | "environmentKey">,
  surroundings: Pick<PanelStatus, "busy" | "trusted" | "workspace">,
): Promise<PanelStatus> {
  const endpoint = parseEndpoint(sources.settings.baseUrl);
  const demo = endpoint.ok && endpoint.value.kind === "demo";
  const needsKey = endpoint.ok && endpoint.value.kind === "server" && !endpoint.value.local;
  const keyMissing = needsKey && (await findApiKey(endpoint.value, sources)) === null;
  return { ...surroundings, demo, keyMissing, model: demo ? "Demo" : sources.settings.model || "No model set" };
}
