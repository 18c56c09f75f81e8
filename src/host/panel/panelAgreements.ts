import { Emitter } from "../../base/emitter.ts";
import { untilAborted } from "../../base/untilAborted.ts";
import type { McpOffer } from "../../protocol/messages.ts";

/** Asks in the panel, in one list, which MCP servers of the workspace may start. */
export class PanelAgreements {
  private waiting: { readonly offers: readonly McpOffer[]; settle(keys: ReadonlySet<string>): void }[] = [];
  private readonly changes = new Emitter<readonly McpOffer[]>();
  /** Fires with the servers that wait for an answer, whenever that changes. */
  readonly onOpen = this.changes.on.bind(this.changes);

  /** The servers that wait for an answer now. */
  get open(): readonly McpOffer[] {
    return this.waiting[0]?.offers ?? [];
  }

  /** The keys of the servers that the user starts, perhaps none; null when `signal` aborts before the answer. */
  async ask(offers: readonly McpOffer[], signal: AbortSignal): Promise<ReadonlySet<string> | null> {
    if (signal.aborted) return null;
    const answer = new Promise<ReadonlySet<string>>((settle) => this.waiting.push({ offers, settle }));
    this.changes.fire(this.open);
    const answered = await untilAborted(answer, signal);
    this.waiting = this.waiting.filter((each) => each.offers !== offers);
    this.changes.fire(this.open);
    return answered.ok ? answered.value : null;
  }

  /** The user starts the servers with these keys, of those that are open, and no other. Ignored where it answers an earlier list. */
  answer(open: readonly string[], start: readonly string[]): void {
    const keys = this.open.map(({ key }) => key);
    if (keys.length === 0 || keys.join() !== open.join()) return;
    this.waiting[0]?.settle(new Set(start.filter((key) => keys.includes(key))));
  }
}
