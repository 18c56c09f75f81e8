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
 * without asking their servers. `vendorName` says what a vendor of VS Code's models is called.
 */
export function modelOffers(
  groups: readonly ModelGroup[],
  vendorName: (vendor: string) => string = (vendor) => vendor,
): readonly ModelOffer[] {
  return PLACES.flatMap(([source, most]) =>
    groups
      .filter((group) => group.source === source)
      .flatMap(({ name: from, models }): readonly ModelOffer[] =>
        source === "environment" || source === "connection"
          ? [{ source, from, model: "", label: "" }]
          : models.slice(0, most).map(({ id, label }) => {
              const offer = { source, from, model: id, label };
              return source === "vscode-lm" ? { ...offer, fromName: vendorName(from) } : offer;
            }),
      ),
  );
}
