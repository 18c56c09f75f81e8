import assert from "node:assert/strict";
import { english } from "../../../../src/base/localize.ts";
import { err } from "../../../../src/base/result.ts";
import { modelsOf } from "../../../../src/host/models/findModels.ts";
import {
  allConnections,
  chosenModel,
  type ModelChoice,
  type RememberedChoice,
} from "../../../../src/host/settings/modelChoice.ts";
import {
  type ConnectionSources,
  connectModel,
  findApiKey,
} from "../../../../src/host/settings/modelConnection.ts";
import { apiKeyName, serverOf } from "../../../../src/host/settings/server.ts";
import { parseSettings } from "../../../../src/host/settings/settings.ts";
import { KEY_PLACEHOLDER, namedModel } from "../../../../src/model/connections/connection.ts";
import { CONNECTION_KIND_NAMES } from "../../../../src/model/connections/connectionKinds.ts";
import { discoverModels } from "../../../../src/model/connections/discoverModels.ts";
import { measureModel } from "../../../../src/model/connections/measureModel.ts";
import { parseBaseUrl } from "../../../../src/model/endpoint.ts";
import { memoryStore } from "../../../../src/model/learnedCapabilities.ts";
import { failureMessage } from "../../../../src/model/messages.ts";
import { modelError } from "../../../../src/model/modelFailure.ts";
import { noSyntax } from "../../../fakes/editor/noSyntax.ts";
import { startListServer } from "../../../fakes/model/listServer.ts";
import { startModelServer } from "../../../fakes/model/modelServer.ts";
import { memoryWorkspace } from "../../../fakes/workspace/memoryWorkspace.ts";
import { answerOf, HELLO } from "../../model/collect.ts";

function sources(
  settings: Record<string, unknown>,
  keys: Record<string, string> = {},
  environmentKey: string | null = null,
  choice: ModelChoice | null = null,
): ConnectionSources {
  const stored = new Map(Object.entries(keys).map(([origin, key]) => [apiKeyName(origin), key]));
  const parsed = parseSettings((name) => settings[name]).settings;
  const chosen = chosenModel(parsed, choice);
  return {
    settings: parsed,
    chosen: chosen?.source === "agent" ? null : chosen,
    secrets: { get: async (name) => stored.get(name) },
    environment: environmentKey === null ? {} : { OPENAI_API_KEY: environmentKey },
    languageModel: async ({ vendor }) =>
      err(modelError({ code: "lm-model-gone" }, { baseUrl: vendor, model: "" })),
    demo: { workspace: memoryWorkspace(new Map()), syntax: noSyntax },
    learned: memoryStore(),
  };
}

async function keyFor(
  baseUrl: string,
  keys: Record<string, string>,
  environmentKey: string | null,
): Promise<string | null> {
  return findApiKey({ name: "a", baseUrl }, sources({}, keys, environmentKey));
}

describe("API keys", () => {
  const keys = {
    "https://api.openai.com": "sk-openai",
    "https://api.example.com:8443": "sk-example",
  };

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
    it(`never go to ${elsewhere}`, async () =>
      assert.equal(await keyFor(elsewhere, keys, null), null));
  }

  it("from the environment go only to OpenAI, unless one is stored", async () => {
    assert.equal(await keyFor("https://api.openai.com/v1", {}, "sk-env"), "sk-env");
    assert.equal(await keyFor("http://127.0.0.1:8080/v1", {}, "sk-env"), null);
    assert.equal(await keyFor("https://api.openai.com/v1", keys, "sk-env"), "sk-openai");
    assert.equal(await keyFor("https://openrouter.ai/api/v1", {}, "sk-env"), null);
    assert.equal(await keyFor("http://192.168.1.5/v1", {}, "sk-env"), null);
    assert.equal(await keyFor("demo", {}, "sk-env"), null);
  });
});

describe("an address with a query, which may hold a key", () => {
  it("is shown and remembered without it", async () => {
    const connected = await connectModel(
      sources({ baseUrl: "http://127.0.0.1:1/v1?key=sk-1", model: "m" }),
    );
    assert.equal(connected.ok && connected.value.client.baseUrl, "http://127.0.0.1:1/v1");
  });
});

describe("models of a server without encryption", () => {
  it("are listed without a key, on this machine, or where the connection allows it", async () => {
    const sent: string[] = [];
    const send: typeof fetch = async (url) => {
      sent.push(String(url));
      return Response.json({ data: [] });
    };
    const list = (baseUrl: string, key: string | null, unencryptedKey?: boolean) =>
      modelsOf(
        { name: "a", kind: "other", baseUrl, unencryptedKey },
        key,
        send,
        new AbortController().signal,
      );
    assert.equal(
      (await list("HTTP://llm.example.com/v1", "sk-1")).failure?.code,
      "unencrypted-key",
    );
    assert.deepEqual(sent, []);
    assert.equal((await list("http://llm.example.com/v1", null)).failure, null);
    for (const host of [
      "192.168.1.5",
      "gpu-box",
      "box.local",
      "[fd00::1]",
      "127.0.0.1.example.com",
    ])
      assert.equal(
        (await list(`http://${host}/v1`, "sk-1")).failure?.code,
        "unencrypted-key",
        host,
      );
    assert.equal(
      (await list("http://llm.example.com/v1?api-key=sk-1", null)).failure?.code,
      "unencrypted-key",
    );
    assert.equal((await list("http://localhost:8000/v1", "sk-1")).failure, null);
    assert.equal((await list("http://192.168.1.5/v1", "sk-1", true)).failure, null);
    assert.equal(sent.length, 3);
  });
});

describe("the endpoint setting", () => {
  for (const wrong of [
    "",
    "localhost:11434",
    "ftp://models.example/v1",
    "javascript:alert(1)",
    "https://user:secret@models.example/v1",
  ]) {
    it(`is refused by name when it is "${wrong}"`, () => {
      const endpoint = parseBaseUrl(wrong);
      assert.ok(!endpoint.ok);
      assert.equal(serverOf({ baseUrl: wrong }), null);
      assert.equal(
        endpoint.error.code,
        wrong.includes("@") ? "url-with-credentials" : "invalid-url",
      );
      assert.ok(!JSON.stringify(endpoint.error).includes("secret"));
    });
  }

  it("knows which hosts need no key", () => {
    const local = (baseUrl: string) => serverOf({ baseUrl })?.local;
    for (const host of [
      "localhost",
      "127.0.0.2",
      "[::1]",
      "10.1.2.3",
      "172.31.0.1",
      "192.168.0.9",
      "gpu-box",
      "gpu.local",
      "[fd00::1]",
    ]) {
      assert.ok(local(`http://${host}:8000/v1`), host);
    }
    for (const host of [
      "api.openai.com",
      "172.32.0.1",
      "11.0.0.1",
      "localhost.evil.example",
      "127.0.0.1.evil.example",
      "[2001:db8::1]",
    ]) {
      assert.ok(!local(`http://${host}:8000/v1`), host);
    }
  });
});

describe("a key of each kind of connection", () => {
  for (const kind of CONNECTION_KIND_NAMES) {
    it(`of ${kind} reaches its server and no error, although the server repeats what it got`, async () => {
      const key = "sk-secret-key-0815";
      const server = await startModelServer(({ headers }) => ({
        status: 401,
        body: JSON.stringify({ error: { message: JSON.stringify(headers) } }),
      }));
      try {
        const connections = [{ name: "Mine", kind, baseUrl: server.url }];
        const choice: ModelChoice = {
          source: "connection",
          connection: "Mine",
          model: namedModel("m"),
        };
        const connected = await connectModel(
          sources({ connections }, { [new URL(server.url).origin]: key }, null, choice),
        );
        assert.ok(connected.ok);
        const measured = await measureModel(
          connected.value.client,
          "m",
          new AbortController().signal,
        );
        const listed = await discoverModels(
          { kind, baseUrl: server.url },
          key,
          fetch,
          new AbortController().signal,
        );
        assert.ok(!measured.ok && measured.error.said?.includes("[key]"), JSON.stringify(measured));
        assert.ok(!JSON.stringify([measured, listed, connected.value.info]).includes(key));
        const [request] = server.requests;
        assert.equal(
          request?.headers[kind === "azure" ? "api-key" : "authorization"],
          kind === "azure" ? key : `Bearer ${key}`,
        );
      } finally {
        await server.close();
      }
    });
  }
});

describe("the model that answers", () => {
  const chosen = (settings: Record<string, unknown>, choice: RememberedChoice = null) => {
    const model = chosenModel(parseSettings((name) => settings[name]).settings, choice);
    if (model?.source === "gone") return ["gone", model.label, model.error.code];
    return model?.source === "connection"
      ? [model.connection.name, model.connection.kind, model.model.id]
      : (model?.source ?? null);
  };
  const cloud = { name: "Cloud", kind: "openai" };
  const team = {
    name: "Team",
    kind: "vllm",
    baseUrl: "https://llm.example.com/v1",
    models: ["big", "small"],
  };
  const choice: ModelChoice = {
    source: "connection",
    connection: "Cloud",
    model: namedModel("gpt-5"),
  };

  it("is nobody's choice at first, the former settings', or a company's first", () => {
    assert.equal(chosen({}), null);
    assert.deepEqual(chosen({ baseUrl: "http://localhost:11434/v1/", model: "qwen3" }), [
      "localhost:11434",
      "ollama",
      "qwen3",
    ]);
    assert.deepEqual(chosen({ connections: [cloud, team] }), ["Team", "vllm", "big"]);
    assert.deepEqual(
      chosen({ connections: [team], baseUrl: "https://api.openai.com/v1", model: "gpt" }),
      ["api.openai.com", "openai", "gpt"],
    );
  });

  it("is the user's choice, or nobody where its connection does not exist any more", () => {
    assert.deepEqual(chosen({ connections: [cloud, team] }, choice), ["Cloud", "openai", "gpt-5"]);
    const wasThere = ["gone", "gpt-5", "connection-gone"];
    assert.deepEqual(chosen({ connections: [team] }, choice), wasThere);
    assert.deepEqual(chosen({}, choice), wasThere, "not demo mode");
    const former = { baseUrl: "http://localhost:11434/v1", model: "qwen3" };
    assert.deepEqual(chosen(former, choice), wasThere, "not the former setting");
    assert.deepEqual(chosen({ connections: [team] }, "unreadable"), [
      "gone",
      "",
      "choice-unreadable",
    ]);
    assert.equal(chosen({ connections: [team] }, { source: "demo" }), "demo");
    const there = { ...choice, origin: "https://api.openai.com" };
    assert.deepEqual(chosen({ connections: [cloud, team] }, there), ["Cloud", "openai", "gpt-5"]);
    const elsewhere = { ...cloud, baseUrl: "https://evil.example/v1" };
    assert.deepEqual(
      chosen({ connections: [elsewhere, team] }, there),
      ["gone", "gpt-5", "connection-moved"],
      "not another one of its name",
    );
  });

  it("is one of a company's connections where only those are allowed", () => {
    const company = { connections: [team], connectionsOnly: true };
    assert.deepEqual(chosen(company), ["Team", "vllm", "big"]);
    const former = { baseUrl: "https://api.openai.com/v1", model: "gpt" };
    assert.deepEqual(chosen({ ...company, ...former }), ["gone", "gpt", "not-allowed"]);
    assert.deepEqual(
      chosen(company, { source: "vscode-lm", vendor: "copilot", model: namedModel("gpt") }),
      ["gone", "gpt", "not-allowed"],
    );
    const agent = { name: "Claude Code", command: "claude", args: [], env: {} };
    assert.deepEqual(chosen(company, { source: "agent", agent }), [
      "gone",
      "Claude Code",
      "not-allowed",
    ]);
    assert.equal(chosen(company, { source: "demo" }), "demo");
  });

  it("keeps the former server once, also among connections", () => {
    const former = { baseUrl: "https://llm.example.com/v1", model: "big" };
    const { settings } = parseSettings((name) => ({ ...former, connections: [team] })[name]);
    assert.deepEqual(
      allConnections(settings).map(({ name }) => name),
      ["Team"],
    );
    assert.deepEqual(chosen({ ...former, connections: [team] }), ["Team", "vllm", "big"]);
  });
});

describe("a key that is stored for one connection", () => {
  it("opens this connection only, and only while it has the same address", async () => {
    const stored = new Map([[apiKeyName("https://a.example", "Mine"), "sk-mine"]]);
    const keys = { secrets: { get: async (name: string) => stored.get(name) }, environment: {} };
    assert.equal(
      await findApiKey({ name: "Mine", baseUrl: "https://a.example/v1" }, keys),
      "sk-mine",
    );
    assert.equal(await findApiKey({ name: "Other", baseUrl: "https://a.example/v1" }, keys), null);
    assert.equal(await findApiKey({ name: "Mine", baseUrl: "https://b.example/v1" }, keys), null);
    assert.equal(await findApiKey({ name: "Mine", baseUrl: "http://a.example/v1" }, keys), null);
  });
});

describe("connecting to a model", () => {
  it("sends the key, headers and settings of its connection, and knows what was found out about the model", async () => {
    const server = await startModelServer(() => ({ text: "Hello." }));
    try {
      const origin = new URL(server.url).origin;
      const headers = { "X-Team": "blue", "X-Auth": `Token ${KEY_PLACEHOLDER}` };
      const connections = [
        {
          name: "Team",
          kind: "other",
          baseUrl: server.url,
          headers,
          temperature: 0.2,
          reasoningEffort: "low",
          contextWindow: 9000,
        },
      ];
      const choice: ModelChoice = {
        source: "connection",
        connection: "Team",
        model: { ...namedModel("tiny"), tools: true },
      };
      const connected = await connectModel(
        sources({ connections }, { [origin]: "sk-team" }, null, choice),
      );
      assert.ok(connected.ok);
      assert.deepEqual(connected.value.info, {
        ...namedModel("tiny"),
        tools: true,
        contextWindow: 9000,
      });
      const measured = await measureModel(
        connected.value.client,
        "tiny",
        new AbortController().signal,
      );
      assert.ok(measured.ok);
      assert.equal(measured.value.tools, false);
      const [first] = server.requests;
      assert.deepEqual(
        [first?.headers["x-team"], first?.headers["x-auth"], first?.headers.authorization],
        ["blue", "Token sk-team", undefined],
      );
      assert.deepEqual([first?.body.temperature, first?.body.reasoning_effort], [0.2, "low"]);
    } finally {
      await server.close();
    }
  });

  it("sends the reasoning effort that the user chose, in place of the connection's", async () => {
    const server = await startModelServer(() => ({ text: "Hello." }));
    try {
      const connections = [
        { name: "Team", kind: "other", baseUrl: server.url, reasoningEffort: "low" },
      ];
      const model = { ...namedModel("tiny"), reasoning: true };
      for (const effort of [undefined, "high"]) {
        const choice = { source: "connection" as const, connection: "Team", model };
        const chosen = effort === undefined ? choice : { ...choice, effort };
        const connected = await connectModel(sources({ connections }, {}, null, chosen));
        assert.ok(connected.ok);
        await answerOf(connected.value.client, HELLO);
      }
      const efforts = server.requests.map(({ body }) => body.reasoning_effort);
      assert.deepEqual(efforts, ["low", "high"]);
    } finally {
      await server.close();
    }
  });

  it("asks for a key before anything is sent to a host that needs one", async () => {
    const connection = await connectModel(
      sources({ baseUrl: "https://api.openai.com/v1", model: "gpt" }),
    );
    assert.ok(!connection.ok);
    assert.deepEqual(
      [connection.error.code, connection.error.baseUrl],
      ["no-key", "api.openai.com"],
    );
  });

  it("sends nothing to any server where the chosen model is gone", async () => {
    const other = await startModelServer(() => ({ text: "I was not chosen." }));
    try {
      const connections = [{ name: "Other", kind: "other", baseUrl: other.url, models: ["m"] }];
      const gone: ModelChoice = {
        source: "connection",
        connection: "Atlas",
        origin: "https://atlas.example",
        model: namedModel("atlas-large"),
      };
      for (const settings of [{ connections }, { baseUrl: other.url, model: "m" }, {}]) {
        const connected = await connectModel(sources(settings, {}, null, gone));
        assert.ok(!connected.ok);
        assert.deepEqual(
          [connected.error.code, connected.error.model, connected.error.baseUrl],
          ["connection-gone", "atlas-large", "Atlas"],
        );
        assert.match(failureMessage(connected.error, english), /^atlas-large is not available: /);
      }
      assert.equal(other.requests.length, 0);
    } finally {
      await other.close();
    }
  });

  it("asks for a model's name", async () => {
    const connection = await connectModel(sources({ baseUrl: "http://localhost:1/v1" }));
    assert.ok(!connection.ok);
    assert.equal(connection.error.code, "no-model");
  });

  it("does not send a key unencrypted over the internet", async () => {
    const keys = { "http://models.example": "sk-1" };
    const connection = await connectModel(
      sources({ baseUrl: "http://models.example/v1", model: "m" }, keys),
    );
    assert.ok(!connection.ok);
    assert.equal(connection.error.code, "unencrypted-key");
    assert.ok(!JSON.stringify(connection.error).includes("sk-1"));
    const listed = await modelsOf(
      { name: "a", kind: "other", baseUrl: "http://models.example/v1" },
      "sk-1",
      fetch,
      new AbortController().signal,
    );
    assert.deepEqual(listed.failure, { code: "unencrypted-key" });
  });

  it("reaches a local server, with the key stored for it and the model of the settings", async () => {
    const server = await startModelServer(() => ({ text: "Hello." }));
    try {
      const origin = new URL(server.url).origin;
      const connection = await connectModel(
        sources({ baseUrl: `${origin}/v1/`, model: "tiny" }, { [origin]: "sk-local" }),
      );
      assert.ok(connection.ok);
      assert.equal(connection.value.model, "tiny");
      let text = "";
      const request = {
        model: "tiny",
        messages: [{ role: "user" as const, text: "Hi" }],
        tools: [],
      };
      for await (const part of connection.value.client.stream(
        request,
        new AbortController().signal,
      )) {
        assert.notEqual(part.type, "error", JSON.stringify(part));
        if (part.type === "text-delta") text += part.text;
      }
      assert.equal(text, "Hello.");
      assert.equal(server.requests[0]?.headers.authorization, "Bearer sk-local");
    } finally {
      await server.close();
    }
  });

  for (const [what, isOllama] of [
    ["an Ollama that its address does not tell", true],
    ["another server", false],
  ] as const)
    it(`tells the window that the user set to ${what}, where it can be told`, async () => {
      const chunk = { choices: [{ index: 0, delta: { content: "Hi." }, finish_reason: "stop" }] };
      const server = await startListServer({
        ...(isOllama && { "GET /api/ps": { models: [] } }),
        "POST /api/chat": { message: { content: "Hi." }, done: true, done_reason: "stop" },
        "POST /v1/chat/completions": {
          status: 200,
          text: `data: ${JSON.stringify(chunk)}\n\ndata: [DONE]\n\n`,
          headers: { "content-type": "text/event-stream" },
        },
      });
      try {
        const connections = [
          { name: "lan", kind: "other", baseUrl: `${server.origin}/v1`, contextWindow: 32_768 },
        ];
        const model = namedModel("qwen3");
        const chosen = { source: "connection", connection: "lan", model } as const;
        const connection = await connectModel(sources({ connections }, {}, null, chosen));
        assert.ok(connection.ok, JSON.stringify(connection));
        const { client } = connection.value;
        assert.deepEqual(server.requests, [], "nothing is sent yet");
        for (let asked = 0; asked < 2; asked++)
          assert.equal((await answerOf(client, { ...HELLO, model: "qwen3" })).text, "Hi.");
        const bodies = server.requests.filter(({ body }) => body !== "");
        const windows = bodies.map(({ body }) => JSON.parse(body).options?.num_ctx ?? null);
        assert.deepEqual(windows, isOllama ? [32_768, 32_768] : [null, null]);
        assert.equal(server.requests.length, 3, "asked once");
      } finally {
        await server.close();
      }
    });
});
