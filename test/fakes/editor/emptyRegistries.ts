import assert from "node:assert/strict";
import { StreamHub } from "../../../src/agent/loop/streamHub.ts";

/**
 * What the tests must leave of each hub that ran a turn: nobody who still receives the stream, and
 * an end for every edit session.
 */
interface Watched {
  readonly hub: StreamHub;
  readonly open: Set<string>;
}

const watched = new Map<StreamHub, Watched>();
const { turnStart } = StreamHub.prototype;

// Every turn begins here, so that no test can forget to ask.
StreamHub.prototype.turnStart = function (this: StreamHub, ...args): void {
  if (!watched.has(this)) {
    const open = new Set<string>();
    watched.set(this, { hub: this, open });
    this.subscribe((event) => {
      if (event.type === "edit-session-start") open.add(event.callId);
      else if (event.type === "edit-session-end") open.delete(event.callId);
    });
  }
  turnStart.apply(this, args);
};

/**
 * Mocha's root hooks: after every test, its own clean-up done, no turn has left a request or an
 * edit session behind.
 */
export const mochaHooks = {
  afterEach(): void {
    const left = [...watched.values()];
    watched.clear();
    for (const { hub, open } of left) {
      assert.equal(hub.activeRequests, 0, "a request still receives the stream after the test");
      assert.deepEqual([...open], [], "an edit session has not ended");
    }
  },
};
