import type { McpOffer } from "../../protocol/messages.ts";
import { OpenRequests } from "./openRequests.ts";

/** Asks in the panel, in one list, which MCP servers of the workspace may start. */
export class PanelAgreements {
  /** Answered with the keys of the servers that the user starts, perhaps none. */
  readonly open = new OpenRequests<readonly McpOffer[], ReadonlySet<string>>();

  /** The servers that wait for an answer now. */
  get shown(): readonly McpOffer[] {
    return this.open.all[0] ?? [];
  }

  /** The user starts the servers with these keys, of those that are `shown`, and no other. Ignored where it answers an earlier list. */
  answer(shown: readonly string[], start: readonly string[]): void {
    const asked = this.open.all.find((offers) => offers.map(({ key }) => key).join() === shown.join());
    this.open.answer(asked, new Set(start.filter((key) => shown.includes(key))));
  }
}
