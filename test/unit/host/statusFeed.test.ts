import assert from "node:assert/strict";
import { apiKeyName } from "../../../src/host/endpoint.ts";
import { parseSettings } from "../../../src/host/settings.ts";
import { StatusFeed } from "../../../src/host/statusFeed.ts";
import type { PanelStatus } from "../../../src/protocol/messages.ts";

function feed(initial: Record<string, unknown>, get: (name: string) => Promise<string | undefined> = async () => undefined) {
  const shown: PanelStatus[] = [];
  const state = { settings: initial, busy: false };
  const status = new StatusFeed(
    {
      secrets: { get },
      environmentKey: null,
      settings: () => parseSettings((name) => state.settings[name]).settings,
      surroundings: () => ({ busy: state.busy, trusted: true, workspace: true, elsewhere: false, behind: [] }),
    },
    (next) => shown.push(next),
  );
  return { status, shown, state };
}

const openai = { baseUrl: "https://api.openai.com/v1", model: "gpt" };

describe("the panel's status", () => {
  it("names the demonstration, which needs no key", async () => {
    const { status, shown } = feed({});
    await status.changed();
    assert.deepEqual(shown, [
      { behind: [], busy: false, demo: true, elsewhere: false, keyMissing: false, model: "Demo", trusted: true, workspace: true },
    ]);
  });

  it("says when a key is missing and when it is there", async () => {
    const keys = new Map<string, string>();
    const { status } = feed(openai, async (name) => keys.get(name));
    await status.changed();
    assert.equal(status.status.keyMissing, true);
    keys.set(apiKeyName("https://api.openai.com"), "sk");
    await status.changed();
    assert.equal(status.status.keyMissing, false);
  });

  it("names no model where none is set, so that the panel says so", () => {
    assert.equal(feed({ baseUrl: "http://localhost:1234/v1" }).status.status.model, "");
  });

  it("asks for no key of a local server", async () => {
    const { status } = feed({ baseUrl: "http://localhost:1234/v1", model: "m" });
    await status.changed();
    assert.equal(status.status.keyMissing, false);
  });

  it("shows at once that a turn runs, however long the secret storage takes", () => {
    const { status, shown, state } = feed(openai, () => new Promise(() => {}));
    state.busy = true;
    void status.changed();
    assert.deepEqual(
      shown.map(({ busy }) => busy),
      [true],
    );
  });

  it("forgets what it learned about an endpoint that is not set any more", async () => {
    const late: ((key: string | undefined) => void)[] = [];
    const { status, state } = feed(openai, () => new Promise((resolve) => late.push(resolve)));
    const first = status.changed();
    state.settings = {};
    await status.changed();
    late[0]?.(undefined);
    await first;
    assert.equal(status.status.keyMissing, false);
  });
});
