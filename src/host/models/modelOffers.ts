import {
  CONNECTION_KIND_NAMES,
  type ConnectionKindName,
  connectionKind,
} from "../../model/connections/connectionKinds.ts";
import type { ModelOffer } from "../../protocol/messages.ts";
import type { ModelGroup } from "./findModels.ts";

/** Where offers come from, most useful first, and how many models each place offers. */
const PLACES = [
  ["connection", 1],
  ["vscode-lm", 2],
  ["local", 3],
  ["environment", 1],
] as const;

/**
 * What an empty chat offers of what was found. Connections and keys of the environment are offered
 * without asking their servers.
 */
export function modelOffers(groups: readonly ModelGroup[]): readonly ModelOffer[] {
  return PLACES.flatMap(([source, most]) =>
    groups
      .filter((group) => group.source === source)
      .flatMap(({ name: from, models }): readonly ModelOffer[] =>
        source === "environment" || source === "connection"
          ? [{ source, from, model: "", label: "" }]
          : models.slice(0, most).map(({ id, label }) => ({ source, from, model: id, label })),
      ),
  );
}

/** The kinds of servers that a key can be for. */
export const KEY_KINDS: readonly ConnectionKindName[] = CONNECTION_KIND_NAMES.filter(
  (name) => connectionKind(name).needsKey || name === "litellm",
);

/** The providers to enter a key for: naming one first saves the question whose key it is. */
export function providerOffers(): readonly ModelOffer[] {
  return KEY_KINDS.map((from) => ({
    source: "provider",
    from,
    model: "",
    label: connectionKind(from).label,
  }));
}
