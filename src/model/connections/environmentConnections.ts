import { parseBaseUrl } from "../endpoint.ts";
import {
  CONNECTION_KIND_NAMES,
  type ConnectionKindName,
  completeBaseUrl,
  connectionKind,
} from "./connectionKinds.ts";

/** The variables of the environment; null in the browser. */
export type Environment = Readonly<Record<string, string | undefined>> | null;

/** A key in the environment and the only server it is for. */
interface EnvironmentConnection {
  readonly kind: ConnectionKindName;
  readonly baseUrl: string;
  readonly key: string;
}

/**
 * The providers whose keys the environment holds. A base URL in the environment says where its key
 * goes.
 */
export function environmentConnections(environment: Environment): readonly EnvironmentConnection[] {
  return CONNECTION_KIND_NAMES.flatMap((kind) => {
    const { keyVariables, baseUrlVariable, baseUrl } = connectionKind(kind);
    const key = keyVariables.map((name) => environment?.[name]).find((value) => value);
    const given = baseUrlVariable === null ? undefined : environment?.[baseUrlVariable];
    const address = given ? completeBaseUrl(kind, given) : baseUrl;
    return !key || address === null || !parseBaseUrl(address).ok
      ? []
      : [{ kind, baseUrl: address, key }];
  });
}

/** The environment's key for a server, or null. */
export function environmentKey(environment: Environment, origin: string): string | null {
  return (
    environmentConnections(environment).find(({ baseUrl }) => new URL(baseUrl).origin === origin)
      ?.key ?? null
  );
}
