import { parseBaseUrl } from "../endpoint.ts";
import { CONNECTION_KIND_NAMES, type ConnectionKindName, completeBaseUrl, kindOf } from "./connectionKinds.ts";

/** The variables of the environment; null in the browser. */
export type Environment = Readonly<Record<string, string | undefined>> | null;

/** A key in the environment and the only server it is for. */
interface EnvironmentConnection {
  readonly kind: ConnectionKindName;
  readonly baseUrl: string;
  /** The variable that holds the key. */
  readonly variable: string;
  readonly key: string;
}

/** The providers whose keys the environment holds. A base URL in the environment says where its key goes. */
export function environmentConnections(environment: Environment): readonly EnvironmentConnection[] {
  return CONNECTION_KIND_NAMES.flatMap((kind) => {
    const { keyVariables, baseUrlVariables, baseUrl } = kindOf(kind);
    const variable = keyVariables.find((name) => environment?.[name]);
    const key = variable === undefined ? undefined : environment?.[variable];
    const given = baseUrlVariables.map((name) => environment?.[name]).find((value) => value);
    const address = given === undefined ? baseUrl : completeBaseUrl(kind, given);
    return variable === undefined || !key || address === null || !parseBaseUrl(address).ok
      ? []
      : [{ kind, baseUrl: address, variable, key }];
  });
}

/** The environment's key for a server, or null. */
export function environmentKey(environment: Environment, origin: string): string | null {
  return environmentConnections(environment).find(({ baseUrl }) => new URL(baseUrl).origin === origin)?.key ?? null;
}
