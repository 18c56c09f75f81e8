import assert from "node:assert/strict";
import { apiKeyName, parseEndpoint } from "../../../../src/host/settings/endpoint.ts";
import { type ConnectionSources, connectModel, findApiKey } from "../../../../src/host/settings/modelConnection.ts";
import { parseSettings } from "../../../../src/host/settings/settings.ts";
import { noSyntax } from "../../../fakes/editor/noSyntax.ts";
import { startModelServer } from "../../../fakes/model/modelServer.ts";
import { memoryWorkspace } from "../../../fakes/workspace/memoryWorkspace.ts";

function sources(
  settings: Record<string, unknown>,
  keys: Record<string, string> = {},
  environmentKey: string | null = null,
): ConnectionSources {
  const stored = new Map(Object.entries(keys).map(([origin, key]) => [apiKeyName(origin), key]));
  return {
    settings: parseSettings((name) => settings[name]).settings,
    secrets: { get: async (name) => stored.get(name) },
    environmentKey,
    demo: { workspace: memoryWorkspace(new Map()), syntax: noSyntax },
  };
}

async function keyFor(baseUrl: string, keys: Record<string, string>, environmentKey: string | null): Promise<string | null> {
  const endpoint = parseEndpoint(baseUrl);
  assert.ok(endpoint.ok);
  return findApiKey(endpoint.value, sources({}, keys, environmentKey));
}

describe("API keys", () => {
  const keys = { "https://api.openai.com": "sk-openai", "https://api.example.com:8443": "sk-example" };

  it("go only to the origin they were stored for, on any path", async () => {
    assert.equal(await keyFor("https://api.openai.com/v1", keys, null), "sk-openai");
    assert.equal(await keyFor("https://API.openai.com/other/", keys, null), "sk-openai");
    assert.equal(await keyFor("https://api.example.com:8443/v1", keys, null), "sk-example");
  });

  for (const elsewhere of [
    "http://api.openai.com/v1",
    "https://api.openai.com:444/v1",
    "https://api.openai.com.evil.example/v1",
    "https://evil.example/api.openai.com",
    "https://api.example.com/v1",
    "http://localhost:1234/v1",
  ]) {
    it(`never go to ${elsewhere}`, async () => assert.equal(await keyFor(elsewhere, keys, null), null));
  }

  it("from the environment go only to OpenAI and this machine, unless one is stored", async () => {
    assert.equal(await keyFor("https://api.openai.com/v1", {}, "sk-env"), "sk-env");
    assert.equal(await keyFor("http://127.0.0.1:8080/v1", {}, "sk-env"), "sk-env");
    assert.equal(await keyFor("https://api.openai.com/v1", keys, "sk-env"), "sk-openai");
    assert.equal(await keyFor("https://openrouter.ai/api/v1", {}, "sk-env"), null);
    assert.equal(await keyFor("http://192.168.1.5/v1", {}, "sk-env"), null);
    assert.equal(await keyFor("demo", {}, "sk-env"), null);
  });
});

describe("the endpoint setting", () => {
  for (const wrong of ["", "localhost:11434", "ftp://models.example/v1", "javascript:alert(1)", "https://user:secret@models.example/v1"]) {
    it(`is refused by name when it is "${wrong}"`, () => {
      const endpoint = parseEndpoint(wrong);
      assert.ok(!endpoint.ok);
      assert.equal(endpoint.error.code, wrong.includes("@") ? "url-with-credentials" : "invalid-url");
      assert.ok(!JSON.stringify(endpoint.error).includes("secret"));
    });
  }

  it("knows which hosts need no key", () => {
    const local = (baseUrl: string) => {
      const endpoint = parseEndpoint(baseUrl);
      return endpoint.ok && endpoint.value.kind === "server" && endpoint.value.local;
    };
    for (const host of ["localhost", "127.0.0.2", "[::1]", "10.1.2.3", "172.31.0.1", "192.168.0.9", "gpu-box", "gpu.local", "[fd00::1]"]) {
      assert.ok(local(`http://${host}:8000/v1`), host);
    }
    for (const host of ["api.openai.com", "172.32.0.1", "11.0.0.1", "localhost.evil.example", "127.0.0.1.evil.example", "[2001:db8::1]"]) {
      assert.ok(!local(`http://${host}:8000/v1`), host);
    }
  });
});

describe("connecting to a model", () => {
  it("asks for a key before anything is sent to a host that needs one", async () => {
    const connection = await connectModel(sources({ baseUrl: "https://api.openai.com/v1", model: "gpt" }));
    assert.ok(!connection.ok);
    assert.deepEqual([connection.error.code, connection.error.baseUrl], ["no-key", "api.openai.com"]);
  });

  it("asks for a model's name", async () => {
    const connection = await connectModel(sources({ baseUrl: "http://localhost:1/v1" }));
    assert.ok(!connection.ok);
    assert.equal(connection.error.code, "no-model");
  });

  it("does not send a key unencrypted over the internet", async () => {
    const keys = { "http://models.example": "sk-1" };
    const connection = await connectModel(sources({ baseUrl: "http://models.example/v1", model: "m" }, keys));
    assert.ok(!connection.ok);
    assert.equal(connection.error.code, "unencrypted-key");
    assert.ok(!JSON.stringify(connection.error).includes("sk-1"));
  });

  it("reaches a local server, with the key stored for it and the model of the settings", async () => {
    const server = await startModelServer(() => ({ text: "Hello." }));
    try {
      const origin = new URL(server.url).origin;
      const connection = await connectModel(sources({ baseUrl: `${origin}/v1/`, model: "tiny" }, { [origin]: "sk-local" }));
      assert.ok(connection.ok);
      assert.equal(connection.value.model, "tiny");
      let text = "";
      const request = { model: "tiny", messages: [{ role: "user" as const, text: "Hi" }], tools: [] };
      for await (const part of connection.value.client.stream(request, new AbortController().signal)) {
        assert.notEqual(part.type, "error", JSON.stringify(part));
        if (part.type === "text-delta") text += part.text;
      }
      assert.equal(text, "Hello.");
      assert.equal(server.requests[0]?.headers.authorization, "Bearer sk-local");
    } finally {
      await server.close();
    }
  });
});
