import type { McpOffer } from "../../protocol/messages.ts";
import { OpenRequests } from "./openRequests.ts";

/** Asks in the panel which of the workspace's MCP servers may start, all in one list. */
export class PanelAgreements {
  /** The answer holds the keys of the servers to start, possibly none. */
  readonly open = new OpenRequests<readonly McpOffer[], ReadonlySet<string>>();

  /** The servers that await an answer. */
  get shown(): readonly McpOffer[] {
    return this.open.all[0] ?? [];
  }

  /**
   * Starts the servers with the keys `start` out of `shown`, and no others. Ignored if the list has
   * changed since.
   */
  answer(shown: readonly string[], start: readonly string[]): void {
    const asked = this.open.all.find(
      (offers) => offers.map(({ key }) => key).join() === shown.join(),
    );
    this.open.answer(asked, new Set(start.filter((key) => shown.includes(key))));
  }
}
