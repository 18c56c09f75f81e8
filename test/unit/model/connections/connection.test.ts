import assert from "node:assert/strict";
import {
  describedModel,
  KEY_PLACEHOLDER,
  namedModel,
  parseConnections,
  requestHeaders,
} from "../../../../src/model/connections/connection.ts";
import {
  completeBaseUrl,
  kindOfKey,
  kindOfUrl,
  pastedKey,
} from "../../../../src/model/connections/connectionKinds.ts";
import {
  environmentConnections,
  environmentKey,
} from "../../../../src/model/connections/environmentConnections.ts";
import { parseBaseUrl } from "../../../../src/model/endpoint.ts";

describe("graft.connections", () => {
  it("keeps what can be used and names what cannot", () => {
    const { connections, problems } = parseConnections([
      {
        name: "Work",
        kind: "litellm",
        baseUrl: "https://llm.example.com",
        headers: { "X-Team": "blue", "x-api-key": KEY_PLACEHOLDER },
        contextWindow: 32000,
      },
      { name: "Cloud", kind: "openai" },
      { name: "Typo", kind: "openai", modles: [] },
      { name: "Where", kind: "other" },
      { name: "Leak", kind: "openai", headers: { Authorization: "Bearer sk-123" } },
      { name: "User", kind: "other", baseUrl: "https://me:secret@x.example/v1" },
      { name: "Cloud", kind: "gemini" },
      { kind: "nope" },
      7,
    ]);
    assert.deepEqual(
      connections.map(({ name, baseUrl }) => [name, baseUrl]),
      [
        ["Work", "https://llm.example.com/v1"],
        ["Cloud", "https://api.openai.com/v1"],
      ],
    );
    assert.deepEqual(
      problems.map(({ code, name, field }) => [code, name, field]),
      [
        ["invalid-connection", "Typo", "modles"],
        ["connection-without-url", "Where", "baseUrl"],
        ["connection-secret", "Leak", "headers.Authorization"],
        ["connection-url", "User", "baseUrl"],
        ["connection-name", "Cloud", "name"],
        ["invalid-connection", "8", "name"],
        ["invalid-connection", "9", null],
      ],
    );
    assert.ok(!JSON.stringify(problems).includes("sk-123"));
  });

  it("carries the key in the header that the kind or the user names, and nowhere else", () => {
    assert.deepEqual(requestHeaders({ kind: "openai" }, "k"), { Authorization: "Bearer k" });
    assert.deepEqual(requestHeaders({ kind: "azure" }, "k"), { "api-key": "k" });
    const headers = { "X-Auth": `Token ${KEY_PLACEHOLDER}`, "X-Team": "blue" };
    assert.deepEqual(requestHeaders({ kind: "other", headers }, "k"), {
      "X-Auth": "Token k",
      "X-Team": "blue",
    });
    assert.deepEqual(requestHeaders({ kind: "other", headers }, null), { "X-Team": "blue" });
  });

  it("takes no secret in a header, and no other header for one", () => {
    const problemOf = (header: string) =>
      parseConnections([{ name: "a", kind: "openai", headers: { [header]: "x" } }]).problems[0]
        ?.code;
    for (const header of [
      "Ocp-Apim-Subscription-Key",
      "x-functions-key",
      "X-Auth",
      "Helicone-Auth",
      "Proxy-Authorization",
      "X-Session-Token",
      "X-PAT",
      "X-Session-Id",
      "Cookie",
    ])
      assert.equal(problemOf(header), "connection-secret", header);
    const disguised = { name: "a", kind: "openai", headers: { "X-Team": "sk_live_4eC39HqLyjWD" } };
    assert.equal(parseConnections([disguised]).problems[0]?.code, "connection-secret");
    for (const header of ["X-Author", "x-portkey-provider", "X-Team", "anthropic-version"])
      assert.equal(problemOf(header), undefined, header);
  });

  it("lets the user correct what a server says", () => {
    const set = {
      name: "a",
      kind: "other",
      contextWindow: 16000,
      capabilities: { tools: false },
      price: { input: 1, output: 2 },
    } as const;
    const info = { ...namedModel("m"), tools: true, images: true, contextWindow: 99 };
    assert.deepEqual(describedModel(set, info), {
      ...info,
      contextWindow: 16000,
      tools: false,
      price: { input: 1, output: 2, cachedInput: null },
    });
  });
});

describe("what a user types", () => {
  it("becomes a base URL", () => {
    assert.equal(completeBaseUrl("other", " gpu.example.com/ "), "https://gpu.example.com/v1");
    assert.equal(completeBaseUrl("ollama", "localhost:11434"), "http://localhost:11434/v1");
    assert.equal(completeBaseUrl("vllm", "10.0.0.5:8000"), "http://10.0.0.5:8000/v1");
    assert.equal(
      completeBaseUrl("azure", "https://x.openai.azure.com/"),
      "https://x.openai.azure.com/openai/v1",
    );
    const deployment =
      "https://x.openai.azure.com/openai/deployments/d/chat/completions?api-version=2024-10-21";
    assert.equal(
      completeBaseUrl("azure", deployment),
      "https://x.openai.azure.com/openai/deployments/d?api-version=2024-10-21",
    );
    assert.equal(
      completeBaseUrl("other", '"https://gw.example.com/v1/chat/completions/"'),
      "https://gw.example.com/v1",
    );
    assert.equal(
      completeBaseUrl("anthropic", "https:/gw.example.com/v1/messages"),
      "https://gw.example.com/v1",
    );
    assert.equal(
      completeBaseUrl("other", "https://gw.example.com/models"),
      "https://gw.example.com/models",
    );
    assert.equal(
      completeBaseUrl("other", "https://gw.example.com/api/v3"),
      "https://gw.example.com/api/v3",
    );
  });

  it("is refused where its scheme is none that models answer by", () => {
    for (const typed of [
      ...["htp:/nonsense", "htps://gw.example.com", "http//gw.example.com", "ftp://gw.example.com"],
      ...["file:/etc/passwd", "gw:nonsense", "https://user:pass@gw.example.com", "http://"],
    ])
      assert.ok(!parseBaseUrl(completeBaseUrl("other", typed)).ok, typed);
    for (const typed of ["gw.example.com:8443", "localhost:1234", "[::1]:11434", "HTTP://gw"])
      assert.ok(parseBaseUrl(completeBaseUrl("other", typed)).ok, typed);
  });

  it("becomes a key, whatever was copied along, or is refused", () => {
    const pasted = [
      "  k-1\n",
      '"k-1"',
      "'k-1';",
      "Bearer k-1",
      "Authorization: Bearer k-1",
      'export OPENAI_API_KEY="k-1"',
      "HF_TOKEN=k-1",
    ];
    assert.deepEqual(
      pasted.map(pastedKey),
      pasted.map(() => "k-1"),
    );
    assert.deepEqual(["", "aKEY==", "two words", "sk-…", "k\u200b1"].map(pastedKey), [
      "",
      "aKEY==",
      null,
      null,
      null,
    ]);
  });

  it("shows by a key's beginning whose it is, where no other provider's keys begin like it", () => {
    assert.deepEqual(
      ["sk-ant-1", "sk-or-v1-1", "sk-proj-1", "gsk_1", "xai-1", "AIzaX", "sk-1234", "abc"].map(
        kindOfKey,
      ),
      ["anthropic", "openrouter", "openai", "groq", "xai", "gemini", null, null],
    );
    assert.equal(kindOfUrl(new URL("http://localhost:11434/v1")), "ollama");
    assert.equal(kindOfUrl(new URL("https://api.openai.com/v1")), "openai");
    assert.equal(kindOfUrl(new URL("http://gpu:11434/v1")), "other");
  });
});

describe("keys of the environment", () => {
  it("go only to the provider they are for", () => {
    const environment = { OPENAI_API_KEY: "o", GEMINI_API_KEY: "g", AZURE_OPENAI_API_KEY: "a" };
    assert.deepEqual(
      environmentConnections(environment).map(({ kind, key }) => [kind, key]),
      [
        ["openai", "o"],
        ["gemini", "g"],
      ],
    );
    assert.equal(environmentKey(environment, "https://api.openai.com"), "o");
    assert.equal(environmentKey(environment, "https://generativelanguage.googleapis.com"), "g");
    assert.equal(environmentKey(environment, "https://openrouter.ai"), null);
    assert.equal(environmentKey(environment, "http://localhost:1"), null);
    assert.equal(environmentKey(null, "https://api.openai.com"), null);
  });

  it("follow the base URL of the environment", () => {
    const environment = { OPENAI_API_KEY: "o", OPENAI_BASE_URL: "https://gw.example.com/v1" };
    assert.equal(environmentKey(environment, "https://gw.example.com"), "o");
    assert.equal(environmentKey(environment, "https://api.openai.com"), null);
    assert.equal(environmentKey(environment, "http://localhost:1"), null);
  });
});
