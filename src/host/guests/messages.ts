import type { Localize } from "../../base/localize.ts";

/** Says whose proposal waits; `name` is what the agent calls itself. */
export function guestProposedMessage(t: Localize, name: string, path: string): string {
  return name === ""
    ? t("Another agent proposes changes to {path}.", { path })
    : t("{agent} proposes changes to {path}.", { agent: name, path });
}
