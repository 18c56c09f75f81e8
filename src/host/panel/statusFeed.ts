import type { PanelStatus } from "../../protocol/messages.ts";
import { type Endpoint, parseEndpoint } from "../settings/endpoint.ts";
import { type ConnectionSources, findApiKey } from "../settings/modelConnection.ts";
import type { Settings } from "../settings/settings.ts";

/** Where the panel's status comes from. */
export interface StatusSources extends Pick<ConnectionSources, "secrets" | "environmentKey"> {
  settings(): Settings;
  surroundings(): Pick<PanelStatus, "busy" | "trusted" | "workspace" | "elsewhere" | "behind" | "pending">;
}

/** What the panel shows beside the turns. Nothing waits for the secret storage: the key counts as present until it is known to be missing. */
export class StatusFeed {
  private readonly sources: StatusSources;
  private readonly show: (status: PanelStatus) => void;
  private keyMissing = false;
  private reads = 0;

  constructor(sources: StatusSources, show: (status: PanelStatus) => void) {
    this.sources = sources;
    this.show = show;
  }

  /** The status as far as known. */
  get status(): PanelStatus {
    const settings = this.sources.settings();
    const demo = endpointOf(settings)?.kind === "demo";
    const model = demo ? "Demo" : settings.model;
    return { ...this.sources.surroundings(), demo, model, keyMissing: this.keyMissing };
  }

  /** Shows the status now, and again if the key turns out to be missing or present. Rejects when the keys cannot be read. */
  async changed(): Promise<void> {
    this.show(this.status);
    const read = ++this.reads;
    const keyMissing = await this.isKeyMissing();
    if (read !== this.reads || keyMissing === this.keyMissing) return;
    this.keyMissing = keyMissing;
    this.show(this.status);
  }

  private async isKeyMissing(): Promise<boolean> {
    const endpoint = endpointOf(this.sources.settings());
    return endpoint?.kind === "server" && !endpoint.local && (await findApiKey(endpoint, this.sources)) === null;
  }
}

function endpointOf(settings: Settings): Endpoint | null {
  const endpoint = parseEndpoint(settings.baseUrl);
  return endpoint.ok ? endpoint.value : null;
}
