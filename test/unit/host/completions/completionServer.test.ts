import assert from "node:assert/strict";
import { completionServer } from "../../../../src/host/completions/completionServer.ts";
import { parseSettings } from "../../../../src/host/settings/settings.ts";

const connections = [
  { name: "local", kind: "ollama", baseUrl: "http://127.0.0.1:11434/v1" },
  { name: "local/big", kind: "llama.cpp", baseUrl: "http://127.0.0.1:8080/v1" },
  { name: "codestral", kind: "mistral", baseUrl: "https://codestral.example/v1" },
  { name: "plain", kind: "other", baseUrl: "http://models.example.com/v1" },
];

function serverFor(model: string, stored: Readonly<Record<string, string>> = {}) {
  const values: Readonly<Record<string, unknown>> = { connections, "completions.model": model };
  const { settings } = parseSettings((name) => values[name]);
  return completionServer(settings, {
    secrets: { get: async (name) => stored[name] },
    environment: {},
  });
}

describe("The server of completions", () => {
  it("is the connection that the setting names, with its own key", async () => {
    const local = await serverFor("local/qwen2.5-coder:1.5b");
    assert.ok(local.ok);
    assert.deepEqual(
      [local.value.kind, local.value.model, local.value.apiKey],
      ["ollama", "qwen2.5-coder:1.5b", null],
    );
    const longer = await serverFor("local/big");
    assert.deepEqual(longer.ok && [longer.value.kind, longer.value.model], ["llama.cpp", ""]);
    const key = { "graft.apiKey:https://codestral.example": "own" };
    const mistral = await serverFor("codestral/codestral-latest", key);
    assert.equal(mistral.ok && mistral.value.apiKey, "own");
  });

  const refused: readonly (readonly [
    model: string,
    stored: Readonly<Record<string, string>>,
    code: string,
  ])[] = [
    ["gone/model", {}, "connection-gone"],
    ["codestral/m", { "graft.apiKey:https://api.mistral.ai": "another's" }, "no-key"],
    ["plain/m", { "graft.apiKey:http://models.example.com": "secret" }, "unencrypted-key"],
  ];
  for (const [model, stored, code] of refused)
    it(`is none for ${model}: ${code}`, async () => {
      const server = await serverFor(model, stored);
      assert.equal(server.ok ? "reached" : server.error.code, code);
    });
});
