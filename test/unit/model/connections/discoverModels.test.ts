import assert from "node:assert/strict";
import type { ConnectionKindName } from "../../../../src/model/connections/connectionKinds.ts";
import { discoverModels } from "../../../../src/model/connections/discoverModels.ts";
import { findLocalServers } from "../../../../src/model/connections/findLocalServers.ts";
import type { ModelInfo } from "../../../../src/model/modelInfo.ts";
import { type ListServer, startListServer } from "../../../fakes/model/listServer.ts";

const teamGpt = {
  mode: "chat",
  max_input_tokens: 272000,
  input_cost_per_token: 1.25e-6,
  output_cost_per_token: 1e-5,
  cache_read_input_token_cost: 1.25e-7,
  supports_function_calling: true,
  supports_vision: true,
  supports_reasoning: true,
};

type Routes = Parameters<typeof startListServer>[0];
const never = new AbortController().signal;

/** What each kind of server answers, by its documentation, and what Graft makes of it. */
const kinds: readonly {
  readonly kind: ConnectionKindName;
  readonly path?: string;
  readonly routes: Routes;
  readonly models: readonly Partial<ModelInfo>[];
}[] = [
  {
    kind: "openai",
    routes: {
      "GET /v1/models": {
        object: "list",
        data: [
          { id: "gpt-4.1", object: "model", created: 1, owned_by: "system" },
          { id: "text-embedding-3-small", object: "model", created: 3 },
          { id: "whisper-1", object: "model", created: 3 },
          { id: "gpt-4o-mini-realtime-preview", object: "model", created: 0 },
          { id: "gpt-5-mini", object: "model", created: 2 },
        ],
      },
    },
    models: [
      { id: "gpt-5-mini", label: "gpt-5-mini", contextWindow: null, tools: null, price: null },
      { id: "gpt-4.1" },
    ],
  },
  {
    kind: "openrouter",
    routes: {
      "GET /v1/models": {
        data: [
          {
            id: "qwen/qwen3-coder",
            name: "Qwen: Qwen3 Coder",
            created: 1753230546,
            context_length: 262144,
            architecture: { input_modalities: ["text"], output_modalities: ["text"] },
            pricing: {
              prompt: "0.00000022",
              completion: "0.00000095",
              input_cache_read: "0.000000022",
              image: "0",
            },
            supported_parameters: ["max_tokens", "tools", "temperature"],
          },
          {
            id: "openrouter/auto",
            name: "Auto Router",
            created: 1699401600,
            context_length: 2000000,
            architecture: { input_modalities: ["text", "image"] },
            pricing: { prompt: "-1", completion: "-1" },
            supported_parameters: [],
          },
        ],
      },
    },
    models: [
      {
        id: "qwen/qwen3-coder",
        label: "Qwen: Qwen3 Coder",
        contextWindow: 262144,
        tools: true,
        images: false,
        reasoning: false,
        price: { input: 0.22, output: 0.95, cachedInput: 0.022 },
      },
      { id: "openrouter/auto", tools: false, images: true, price: null },
    ],
  },
  {
    kind: "anthropic",
    routes: {
      "GET /v1/models": ({ headers }) =>
        headers["x-api-key"] === "the-key" && headers["anthropic-version"]
          ? {
              data: [
                {
                  type: "model",
                  id: "claude-sonnet-4-5",
                  display_name: "Claude Sonnet 4.5",
                  created_at: "2025-09-29T00:00:00Z",
                },
              ],
              has_more: false,
            }
          : {
              status: 401,
              text: '{"type":"error","error":{"type":"authentication_error","message":"x-api-key header is required"}}',
            },
    },
    models: [
      { id: "claude-sonnet-4-5", label: "Claude Sonnet 4.5", contextWindow: 200_000, tools: true },
    ],
  },
  {
    kind: "gemini",
    path: "/v1beta/openai",
    routes: {
      "GET /v1beta/openai/models": {
        object: "list",
        data: [
          { id: "models/gemini-2.5-pro", object: "model", owned_by: "google" },
          { id: "models/embedding-001" },
        ],
      },
    },
    models: [{ id: "gemini-2.5-pro", label: "gemini-2.5-pro" }],
  },
  {
    kind: "mistral",
    routes: {
      "GET /v1/models": {
        data: [
          {
            id: "codestral-latest",
            max_context_length: 256000,
            capabilities: { completion_chat: true, function_calling: true, vision: false },
          },
          { id: "mistral-ocr-latest", capabilities: { completion_chat: false } },
        ],
      },
    },
    models: [{ id: "codestral-latest", contextWindow: 256000, tools: true, images: false }],
  },
  {
    kind: "groq",
    path: "/openai/v1",
    routes: {
      "GET /openai/v1/models": {
        data: [
          { id: "llama-3.3-70b-versatile", context_window: 131072, active: true },
          { id: "whisper-large-v3" },
        ],
      },
    },
    models: [{ id: "llama-3.3-70b-versatile", contextWindow: 131072 }],
  },
  {
    kind: "ollama",
    routes: {
      "GET /api/tags": {
        models: [
          { name: "qwen3:8b", model: "qwen3:8b" },
          { name: "nomic-embed-text:latest" },
          { name: "bge-m3:latest" },
          { name: "all-minilm:33m" },
          { name: "gemma3:4b" },
          { name: "loaded:1b" },
        ],
      },
      "GET /api/ps": { models: [{ name: "loaded:1b", context_length: 4096 }] },
      "POST /api/show": ({ body }) =>
        body.includes("embed")
          ? { capabilities: ["embedding"], model_info: {} }
          : body.includes("gemma3")
            ? {
                capabilities: ["completion", "vision"],
                parameters: 'stop "<end>"\nnum_ctx                        16384',
                model_info: { "gemma3.context_length": 131072 },
              }
            : {
                capabilities: ["completion", "tools", "thinking"],
                model_info: { "general.architecture": "qwen3", "qwen3.context_length": 40960 },
              },
    },
    models: [
      { id: "qwen3:8b", contextWindow: 4096, tools: true, images: false, reasoning: true },
      { id: "gemma3:4b", contextWindow: 16384, tools: false, images: true },
      { id: "loaded:1b", contextWindow: 4096 },
    ],
  },
  {
    kind: "lm-studio",
    routes: {
      "GET /api/v0/models": {
        object: "list",
        data: [
          {
            id: "text-embedding-nomic",
            type: "embeddings",
            state: "not-loaded",
            max_context_length: 2048,
          },
          {
            id: "qwen2-vl-7b-instruct",
            type: "vlm",
            state: "not-loaded",
            max_context_length: 32768,
          },
          {
            id: "qwen3-8b",
            type: "llm",
            state: "loaded",
            max_context_length: 40960,
            loaded_context_length: 8192,
            capabilities: ["tool_use"],
          },
        ],
      },
    },
    models: [
      { id: "qwen3-8b", contextWindow: 8192, tools: true, images: false },
      { id: "qwen2-vl-7b-instruct", contextWindow: 32768, tools: null, images: true },
    ],
  },
  {
    kind: "llama.cpp",
    routes: {
      "GET /v1/models": {
        models: [],
        object: "list",
        data: [
          {
            id: "/models/Qwen3-8B-Q4_K_M.gguf",
            object: "model",
            created: 1,
            meta: { n_ctx_train: 40960 },
          },
        ],
      },
      "GET /props": {
        default_generation_settings: { n_ctx: 16384 },
        modalities: { vision: true, audio: false },
        chat_template_caps: { supports_tool_calls: true },
      },
    },
    models: [
      {
        id: "/models/Qwen3-8B-Q4_K_M.gguf",
        label: "Qwen3-8B-Q4_K_M.gguf",
        contextWindow: 16384,
        tools: true,
        images: true,
      },
    ],
  },
  {
    kind: "vllm",
    routes: {
      "GET /v1/models": {
        object: "list",
        data: [
          {
            id: "Qwen/Qwen3-Coder-30B",
            object: "model",
            created: 1,
            max_model_len: 65536,
            root: "/m",
            permission: [],
          },
        ],
      },
    },
    models: [{ id: "Qwen/Qwen3-Coder-30B", contextWindow: 65536, tools: null }],
  },
  {
    kind: "litellm",
    routes: {
      "GET /v1/model/info": {
        data: [
          {
            model_name: "team-gpt",
            litellm_params: { model: "openai/gpt-5" },
            model_info: teamGpt,
          },
          {
            model_name: "team-gpt",
            model_info: teamGpt,
          },
          { model_name: "embedder", model_info: { mode: "embedding" } },
        ],
      },
    },
    models: [
      {
        id: "team-gpt",
        contextWindow: 272000,
        tools: true,
        images: true,
        reasoning: true,
        price: { input: 1.25, output: 10, cachedInput: 0.125 },
      },
    ],
  },
  {
    kind: "litellm",
    routes: {
      "GET /v1/model/info": { status: 403, text: '{"error":{"message":"not allowed"}}' },
      "GET /v1/models": { data: [{ id: "team-gpt" }] },
    },
    models: [{ id: "team-gpt", contextWindow: null }],
  },
  {
    kind: "lm-studio",
    routes: {
      "GET /api/v0/models": { error: "Unexpected endpoint or method." },
      "GET /v1/models": { data: [{ id: "old" }] },
    },
    models: [{ id: "old" }],
  },
];

describe("the models of a server", () => {
  let server: ListServer | null = null;
  afterEach(async () => {
    await server?.close();
    server = null;
  });

  for (const { kind, path = "/v1", routes, models } of kinds) {
    it(`are listed as ${kind} lists them: ${models.map(({ id }) => id).join(", ")}`, async () => {
      server = await startListServer(routes);
      const listed = await discoverModels(
        { kind, baseUrl: server.origin + path },
        "the-key",
        fetch,
        never,
      );
      assert.ok(listed.ok, JSON.stringify(listed));
      assert.equal(listed.value.length, models.length);
      for (const [index, expected] of models.entries())
        assert.deepEqual({ ...listed.value[index], ...expected }, listed.value[index]);
    });
  }

  it("are listed by a server that moved them, if it is the same one", async () => {
    const moved = { status: 308, text: "", headers: { location: "/v2/models" } };
    server = await startListServer({
      "GET /v1/models": moved,
      "GET /v2/models": { data: [{ id: "a" }] },
    });
    const listed = await discoverModels(
      { kind: "other", baseUrl: `${server.origin}/v1` },
      null,
      fetch,
      never,
    );
    assert.deepEqual(listed.ok && listed.value.map(({ id }) => id), ["a"]);
  });

  it("are the first of an endless list, without names that no request can use", async () => {
    const many = Array.from({ length: 20_000 }, (_, index) => ({ id: `m${index}` }));
    server = await startListServer({
      "GET /v1/models": { data: [{ id: "" }, { id: "x".repeat(10_000) }, { id: 7 }, ...many] },
    });
    const listed = await discoverModels(
      { kind: "other", baseUrl: `${server.origin}/v1` },
      null,
      fetch,
      never,
    );
    assert.ok(listed.ok && listed.value.length < 10_000);
    assert.equal(listed.value[0]?.id, "m0");
  });

  it("have no price where the server's is none", async () => {
    const priced = (prompt: unknown) => ({
      id: String(prompt),
      pricing: { prompt, completion: "0" },
    });
    server = await startListServer({
      "GET /v1/models": { data: ["1e308", -1, "x", 2, "0.001"].map(priced) },
    });
    const listed = await discoverModels(
      { kind: "other", baseUrl: `${server.origin}/v1` },
      null,
      fetch,
      never,
    );
    assert.deepEqual(listed.ok && listed.value.map(({ price }) => price?.input ?? null), [
      null,
      null,
      null,
      null,
      1000,
    ]);
  });

  it("cannot be listed, for a reason that is data and holds no key", async () => {
    const routes: Routes = {
      "GET /key/models": ({ headers }) => ({
        status: 401,
        text: JSON.stringify({ error: { message: `Wrong key ${headers.authorization}` } }),
      }),
      "GET /page/models": { status: 200, text: "<html>Login</html>" },
      "GET /strange/models": { hello: "world" },
      "GET /moved/models": {
        status: 307,
        text: "",
        headers: { location: "http://other.example/v1/models" },
      },
      "GET /slow/models": "silence",
    };
    server = await startListServer(routes);
    const { origin } = server;
    const failure = async (path: string, signal = never, ms?: number) => {
      const listed = await discoverModels(
        { kind: "other", baseUrl: origin + path },
        "sk-very-secret",
        fetch,
        signal,
        ms,
      );
      assert.ok(!JSON.stringify(listed).includes("very-secret"), JSON.stringify(listed));
      return listed.ok ? null : listed.error.code;
    };
    assert.equal(await failure("/key"), "key-rejected");
    assert.equal(await failure("/page"), "web-page");
    assert.equal(await failure("/none"), "no-model-list", "it may answer all the same");
    assert.equal(await failure("/strange"), "unreadable");
    assert.equal(await failure("/moved"), "redirected");
    assert.equal(await failure("/slow", never, 50), "connect-timeout");
    assert.equal(await failure("/slow", AbortSignal.abort()), "aborted");
    await server.close();
    assert.match((await failure("/gone")) ?? "", /connection-(refused|closed)/);
    server = null;
  });
});

describe("servers on this machine", () => {
  it("are found on their ports without a key, also beside one that is silent and one that is none", async () => {
    const ollama = await startListServer({ "GET /api/tags": { models: [{ name: "qwen3:8b" }] } });
    const silent = await startListServer({
      "GET /v1/models": "silence",
      "GET /api/v0/models": "silence",
    });
    const website = await startListServer({
      "GET /v1/models": { status: 200, text: "<html></html>" },
    });
    const vllm = await startListServer({
      "GET /v1/models": { data: [{ id: "big", max_model_len: 1000 }] },
    });
    const closed = await startListServer({});
    await closed.close();
    try {
      const ports = new Map([
        ["ollama", ollama.port],
        ["lm-studio", silent.port],
        ["llama.cpp", website.port],
        ["vllm", vllm.port],
        ["litellm", closed.port],
      ] as const);
      const found = await findLocalServers(fetch, never, ports);
      assert.deepEqual(
        found.map(({ kind, baseUrl, models }) => [kind, baseUrl, models.map(({ id }) => id)]),
        [
          ["ollama", `${ollama.origin}/v1`, ["qwen3:8b"]],
          ["vllm", `${vllm.origin}/v1`, ["big"]],
        ],
      );
      for (const { requests } of [ollama, silent, website, vllm]) {
        for (const { headers } of requests) assert.equal(headers.authorization, undefined);
      }
    } finally {
      for (const each of [ollama, silent, website, vllm]) await each.close();
    }
  });
});
