import assert from "node:assert/strict";
import { findModels, type ModelGroup } from "../../../../src/host/models/findModels.ts";
import { modelOffers } from "../../../../src/host/models/modelOffers.ts";
import { apiKeyName } from "../../../../src/host/settings/server.ts";
import { type Connection, namedModel } from "../../../../src/model/connections/connection.ts";
import { startListServer } from "../../../fakes/model/listServer.ts";

describe("the models that are found", () => {
  it("come from each place, with keys sent only to their own servers, and none from the environment before it is picked", async () => {
    const team = await startListServer({ "GET /v1/models": { data: [{ id: "big" }] } });
    const closed = await startListServer({
      "GET /v1/models": { status: 401, text: '{"error":{"message":"no"}}' },
    });
    const groups: ModelGroup[] = [];
    const asked: string[] = [];
    try {
      const connections: readonly Connection[] = [
        { name: "Team", kind: "vllm", baseUrl: `${team.origin}/v1`, contextWindow: 9000 },
        { name: "Closed", kind: "other", baseUrl: `${closed.origin}/v1` },
        { name: "Cloud", kind: "mistral", baseUrl: "https://api.mistral.ai/v1" },
        {
          name: "Fixed",
          kind: "azure",
          baseUrl: "https://x.openai.azure.com/openai/v1",
          models: ["mine"],
        },
      ];
      const keys = new Map([
        [apiKeyName(team.origin, "Team"), "sk-team"],
        [apiKeyName("https://x.openai.azure.com", "Fixed"), "sk-azure"],
      ]);
      const places = {
        connections,
        connectionsOnly: false,
        secrets: { get: async (name: string) => keys.get(name) },
        environment: { GEMINI_API_KEY: "sk-gemini", OPENAI_BASE_URL: "https://gw.example/v1" },
        findAgents: async () => [],
        listLanguageModels: async () => [{ vendor: "copilot", info: namedModel("gpt") }],
        fetch: (async (input, init) => {
          const url = String(input);
          if (url.startsWith("data:")) return new Response();
          asked.push(new URL(url).origin);
          if (new URL(url).hostname === "127.0.0.1") return fetch(input, init);
          throw new Error("no request leaves this machine");
        }) satisfies typeof fetch,
      };
      await findModels(places, new AbortController().signal, (group) => groups.push(group));
      const allowed: ModelGroup[] = [];
      await findModels(
        { ...places, connectionsOnly: true },
        new AbortController().signal,
        (group) => allowed.push(group),
      );
      assert.ok(
        allowed.length > 0 && allowed.every(({ source }) => source === "connection"),
        "a company allows its connections only",
      );
    } finally {
      await team.close();
      await closed.close();
    }
    const found = groups
      .filter(({ source }) => source !== "local")
      .map(({ source, name, models, failure }) => [
        source,
        name,
        models.map(({ id }) => id).join(),
        failure?.code ?? null,
      ]);
    assert.deepEqual(
      found.sort((a, b) => String(a[1]).localeCompare(String(b[1]))),
      [
        ["connection", "Closed", "", "no-key"],
        ["connection", "Cloud", "", "no-key"],
        ["vscode-lm", "copilot", "gpt", null],
        ["connection", "Fixed", "mine", null],
        ["environment", "Google Gemini", "", null],
        ["connection", "Team", "big", null],
      ],
    );
    assert.equal(groups.find(({ name }) => name === "Team")?.models[0]?.contextWindow, 9000);
    assert.equal(team.requests[0]?.headers.authorization, "Bearer sk-team");
    assert.ok(closed.requests.every(({ headers }) => headers.authorization === undefined));
    assert.ok(asked.every((origin) => origin.startsWith("http://127.0.0.1:")));
    assert.deepEqual(
      modelOffers(
        groups.filter(
          ({ source, name }) => source !== "local" && (source !== "connection" || name === "Team"),
        ),
      ).map(({ source, from, model }) => [source, from, model]),
      [
        ["connection", "Team", ""],
        ["vscode-lm", "copilot", "gpt"],
        ["environment", "Google Gemini", ""],
      ],
    );
  });
});
