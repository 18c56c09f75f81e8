import type { ModelInfo } from "../modelInfo.ts";
import {
  CONNECTION_KIND_NAMES,
  type ConnectionKindName,
  loopbackBaseUrl,
} from "./connectionKinds.ts";
import { discoverModels } from "./discoverModels.ts";

/** A server on this machine that answered. */
interface LocalServer {
  readonly kind: ConnectionKindName;
  readonly baseUrl: string;
  readonly models: readonly ModelInfo[];
}

/**
 * Milliseconds within which a server on this machine answers. A closed port answers at once; a busy
 * machine needs more than 1000.
 */
const PROBE_MS = 3_000;

/**
 * Asks the usual ports of this machine, all at once and without a key. Servers without a model are
 * left out.
 */
export async function findLocalServers(
  send: typeof fetch,
  signal: AbortSignal,
  ports: ReadonlyMap<ConnectionKindName, number> = new Map(),
): Promise<readonly LocalServer[]> {
  // The first request of a process loads certificates and more, which can take longer than a probe
  // may. This one leaves no machine.
  await send("data:,", { signal }).catch(() => undefined);
  const probes = CONNECTION_KIND_NAMES.map(async (kind): Promise<readonly LocalServer[]> => {
    const baseUrl = loopbackBaseUrl(kind, ports.get(kind));
    if (baseUrl === null) return [];
    const listed = await discoverModels({ kind, baseUrl }, null, send, signal, PROBE_MS);
    return listed.ok && listed.value.length > 0 ? [{ kind, baseUrl, models: listed.value }] : [];
  });
  return (await Promise.all(probes)).flat();
}
