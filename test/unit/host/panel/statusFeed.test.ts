import assert from "node:assert/strict";
import { StatusFeed } from "../../../../src/host/panel/statusFeed.ts";
import { chosenModel } from "../../../../src/host/settings/modelChoice.ts";
import { apiKeyName } from "../../../../src/host/settings/server.ts";
import { contextWindowOf, parseSettings } from "../../../../src/host/settings/settings.ts";
import { learnedCapabilities, memoryStore } from "../../../../src/model/learnedCapabilities.ts";
import type { PanelStatus } from "../../../../src/protocol/messages.ts";

function feed(
  initial: Record<string, unknown>,
  get: (name: string) => Promise<string | undefined> = async () => undefined,
) {
  const shown: PanelStatus[] = [];
  const state = { settings: initial, busy: false, learned: memoryStore() };
  const status = new StatusFeed(
    {
      secrets: { get },
      environment: {},
      learned: state.learned,
      canSendImages: false,
      contextWindow: (model) =>
        contextWindowOf(parseSettings((name) => state.settings[name]).settings, model),
      chosen: () => chosenModel(parseSettings((name) => state.settings[name]).settings, null),
      surroundings: () => ({
        agentOffers: null,
        busy: state.busy,
        trusted: true,
        workspace: true,
        behind: [],
        pending: [],
        offers: null,
      }),
    },
    (next) => shown.push(next),
  );
  return { status, shown, state };
}

const openai = { baseUrl: "https://api.openai.com/v1", model: "gpt" };

describe("the panel's status", () => {
  it("shows demo mode, which needs no key", async () => {
    const { status, shown } = feed({});
    await status.statusChanged();
    assert.deepEqual(shown, [
      {
        behind: [],
        busy: false,
        chosen: false,
        demo: true,
        keyMissing: false,
        model: "Demo",
        noImages: "model",
        offers: null,
        pending: [],
        trusted: true,
        workspace: true,
      },
    ]);
  });

  it("shows whether the key is missing", async () => {
    const keys = new Map<string, string>();
    const { status } = feed(openai, async (name) => keys.get(name));
    await status.statusChanged();
    assert.equal(status.status.keyMissing, true);
    keys.set(apiKeyName("https://api.openai.com"), "sk");
    await status.statusChanged();
    assert.equal(status.status.keyMissing, false);
  });

  for (const [what, model, set, effort] of [
    ["that is known to reason", "o3", {}, "default"],
    ["that is said to reason", "m", { capabilities: { reasoning: true } }, "default"],
    ["whose connection sets it", "m", { reasoningEffort: "low" }, "low"],
    ["that is said not to reason", "o3", { capabilities: { reasoning: false } }, undefined],
    ["of which nobody knows", "m", {}, undefined],
  ] as const)
    it(`${effort === undefined ? "offers no" : "offers the"} reasoning effort of a model ${what}`, () => {
      const server = { name: "Shop", kind: "other", baseUrl: "http://localhost:1234/v1" };
      const { status } = feed({ connections: [{ ...server, models: [model], ...set }] });
      assert.equal(status.status.effort, effort);
    });

  it("says the reasoning effort that is sent where the model refused another one", () => {
    const server = { name: "Shop", kind: "other", baseUrl: "http://localhost:1234/v1" };
    const { status, state } = feed({
      connections: [{ ...server, models: ["m"], reasoningEffort: "high" }],
    });
    const learned = learnedCapabilities(state.learned, server.baseUrl, "m");
    assert.equal(status.status.effort, "high");
    learned.refuse("reasoning-effort");
    assert.equal(status.status.effort, "default");
    learned.refuse("reasoning-with-tools");
    assert.equal(status.status.effort, "none");
  });

  it("says where images are not sent: as the connection says, else once the server has refused them", async () => {
    const connection = {
      name: "Shop",
      kind: "other",
      baseUrl: "http://localhost:1234/v1",
      models: ["m"],
    };
    const { status, state } = feed({ connections: [connection] });
    assert.equal(status.status.noImages, undefined);
    learnedCapabilities(state.learned, "http://localhost:1234/v1", "m").refuse("images");
    assert.equal(status.status.noImages, "model");
    state.settings = { connections: [{ ...connection, capabilities: { images: true } }] };
    assert.equal(status.status.noImages, undefined);
  });

  it("knows the context window of the model that answers next: as the settings say, else the connection, else the usual one", () => {
    const connection = {
      name: "Shop",
      kind: "other",
      baseUrl: "http://localhost:1234/v1",
      models: ["m"],
    };
    const { status, state } = feed({ connections: [connection] });
    assert.deepEqual(status.status.next, { model: "m", window: 128_000 });
    state.settings = { connections: [{ ...connection, contextWindow: 32_000 }] };
    assert.deepEqual(status.status.next, { model: "m", window: 32_000 });
    state.settings = { ...state.settings, contextWindow: { "m*": 8_000 } };
    assert.deepEqual(status.status.next, { model: "m", window: 8_000 });
  });

  it("has an empty model name when none is set", () => {
    assert.equal(feed({ baseUrl: "http://localhost:1234/v1" }).status.status.model, "");
  });

  it("needs no key for a local server", async () => {
    const { status } = feed({ baseUrl: "http://localhost:1234/v1", model: "m" });
    await status.statusChanged();
    assert.equal(status.status.keyMissing, false);
  });

  it("shows a running turn without waiting for the secret storage", () => {
    const { status, shown, state } = feed(openai, () => new Promise(() => {}));
    state.busy = true;
    void status.statusChanged();
    assert.deepEqual(
      shown.map(({ busy }) => busy),
      [true],
    );
  });

  it("ignores a late answer about an earlier endpoint", async () => {
    const late: ((key: string | undefined) => void)[] = [];
    const { status, state } = feed(openai, () => new Promise((resolve) => late.push(resolve)));
    const first = status.statusChanged();
    state.settings = {};
    await status.statusChanged();
    for (const answer of late) answer(undefined);
    await first;
    assert.equal(status.status.keyMissing, false);
  });
});
