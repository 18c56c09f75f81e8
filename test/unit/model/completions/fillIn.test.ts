import assert from "node:assert/strict";
import { fillIn } from "../../../../src/model/completions/fillIn.ts";
import { gapAt } from "../../../../src/model/completions/gapAt.ts";
import { createGapCache } from "../../../../src/model/completions/gapCache.ts";
import type { ConnectionKindName } from "../../../../src/model/connections/connectionKinds.ts";
import { type ListAnswer, startListServer } from "../../../fakes/model/listServer.ts";

const gap = { prefix: "const a = ", suffix: ";\n" };
const { signal } = new AbortController();

async function ask(
  kind: ConnectionKindName,
  routes: Readonly<Record<string, ListAnswer | (() => ListAnswer)>>,
  ms = 60_000,
  aborts = signal,
) {
  const server = await startListServer(routes);
  try {
    const baseUrl = `${server.origin}/v1`;
    const filled = await fillIn(
      { kind, baseUrl, model: "m", apiKey: "key-1", headers: undefined, unencryptedKey: undefined },
      gap,
      fetch,
      aborts,
      ms,
    );
    const [request] = server.requests;
    const body: unknown = request ? JSON.parse(request.body) : null;
    return { filled, path: request?.path, body, key: request?.headers.authorization };
  } finally {
    await server.close();
  }
}

const formats: readonly (readonly [
  kind: ConnectionKindName,
  path: string,
  answer: object,
  body: object,
])[] = [
  [
    "llama.cpp",
    "/infill",
    { content: "1", stop: true },
    { model: "m", input_prefix: gap.prefix, input_suffix: gap.suffix, cache_prompt: true },
  ],
  [
    "ollama",
    "/api/generate",
    { response: "1", done: true },
    { model: "m", prompt: gap.prefix, suffix: gap.suffix },
  ],
  [
    "mistral",
    "/v1/fim/completions",
    { choices: [{ message: { role: "assistant", content: "1" } }] },
    { model: "m", prompt: gap.prefix, suffix: gap.suffix },
  ],
  [
    "deepseek",
    "/beta/completions",
    { choices: [{ text: "1", index: 0 }] },
    { model: "m", prompt: gap.prefix, suffix: gap.suffix },
  ],
  ...(["vllm", "litellm", "openai", "other", "lm-studio"] as const).map(
    (kind) =>
      [
        kind,
        "/v1/completions",
        { choices: [{ text: "1" }] },
        { model: "m", prompt: gap.prefix, suffix: gap.suffix },
      ] as const,
  ),
];

describe("Filling in code", () => {
  for (const [kind, path, answer, body] of formats)
    it(`asks ${kind} at ${path}, with the key`, async () => {
      const asked = await ask(kind, { [`POST ${path}`]: answer });
      assert.deepEqual(asked.filled, { ok: true, value: "1" });
      assert.equal(asked.path, path);
      assert.equal(asked.key, "Bearer key-1");
      for (const [name, value] of Object.entries(body))
        assert.deepEqual(Object(asked.body)[name], value, name);
    });

  const failures: readonly (readonly [
    what: string,
    kind: ConnectionKindName,
    routes: Readonly<Record<string, ListAnswer>>,
    code: string,
  ])[] = [
    ["a server without the address", "other", {}, "no-fill-in"],
    [
      "a model of Ollama that cannot",
      "ollama",
      {
        "POST /api/generate": {
          status: 400,
          text: '{"error":"registry.ollama.ai/library/llama3 does not support insert"}',
        },
      },
      "no-fill-in",
    ],
    [
      "llama.cpp with a model that has no such tokens",
      "llama.cpp",
      {
        "POST /infill": {
          status: 501,
          text: '{"error":{"code":501,"message":"Infill is not supported by this model","type":"not_supported_error"}}',
        },
      },
      "no-fill-in",
    ],
    [
      "vLLM, which refuses a suffix",
      "vllm",
      {
        "POST /v1/completions": {
          status: 400,
          text: '{"error":{"message":"suffix is not currently supported"}}',
        },
      },
      "no-fill-in",
    ],
    ["a kind that has none", "anthropic", {}, "no-fill-in"],
    [
      "a refused key",
      "mistral",
      { "POST /v1/fim/completions": { status: 401, text: '{"message":"Unauthorized"}' } },
      "key-rejected",
    ],
    [
      "an unknown model",
      "ollama",
      { "POST /api/generate": { status: 404, text: `{"error":"model 'm' not found"}` } },
      "model-not-found",
    ],
    ["an odd answer", "ollama", { "POST /api/generate": { done: true } }, "unreadable"],
    [
      "a web page",
      "other",
      { "POST /v1/completions": { status: 200, text: "<!doctype html>" } },
      "web-page",
    ],
  ];
  for (const [what, kind, routes, code] of failures)
    it(`says ${code} of ${what}`, async () => {
      const { filled } = await ask(kind, routes);
      assert.equal(filled.ok ? "filled" : filled.error.code, code);
    });

  it("gives up on a server that is silent, and at once when it is not wanted any more", async () => {
    const silent = { "POST /api/generate": "silence" as const };
    const late = await ask("ollama", silent, 50);
    assert.equal(late.filled.ok ? "" : late.filled.error.code, "connect-timeout");
    const unwanted = new AbortController();
    const asked = () => {
      unwanted.abort();
      return "silence" as const;
    };
    const aborted = await ask("ollama", { "POST /api/generate": asked }, 60_000, unwanted.signal);
    assert.equal(aborted.filled.ok ? "" : aborted.filled.error.code, "aborted");
  });

  it("follows no redirect to another server, which would get the text and the key", async () => {
    const other = await startListServer({ "POST /v1/completions": { choices: [{ text: "x" }] } });
    try {
      const headers = { location: `${other.origin}/v1/completions` };
      const { filled } = await ask("other", {
        "POST /v1/completions": { status: 307, text: "", headers },
      });
      assert.equal(filled.ok ? "" : filled.error.code, "redirected");
      assert.equal(other.requests.length, 0);
    } finally {
      await other.close();
    }
  });

  it("keeps what was filled in, also where the user types its beginning", () => {
    const cache = createGapCache();
    cache.keep(gap, "compute(1)");
    const typed = (text: string, suffix = gap.suffix) =>
      cache.find({ prefix: gap.prefix + text, suffix });
    assert.equal(typed(""), "compute(1)");
    assert.equal(typed("comp"), "ute(1)");
    assert.equal(typed("compute(1)"), "");
    assert.equal(typed("con"), null);
    assert.equal(typed("", ")"), null);
    for (let at = 0; at < 100; at++) cache.keep({ prefix: `${at}`, suffix: "" }, "x");
    assert.equal(typed(""), null, "old ones make room");
  });

  it("sends whole lines around the cursor, and begins at the same line for many keys", () => {
    const text = Array.from({ length: 2_000 }, (_, at) => `line ${at}\n`).join("");
    const at = text.indexOf("line 1500") + 4;
    const near = gapAt(text, at);
    assert.ok(near.prefix.length <= 6_100 && near.suffix.length <= 2_000);
    assert.match(near.prefix, /^line \d+\n[\s\S]*\nline$/);
    assert.ok(text.includes(near.prefix + near.suffix));
    assert.equal(near.suffix.split("\n").at(-1)?.startsWith("line"), true);
    const typed = gapAt(`${text.slice(0, at)}abc${text.slice(at)}`, at + 3);
    assert.equal(typed.prefix, `${near.prefix}abc`);
    assert.deepEqual(gapAt("ab", 1), { prefix: "a", suffix: "b" });
    const long = "x".repeat(20_000);
    const one = gapAt(long, 10_000);
    assert.ok(one.prefix.length + one.suffix.length <= 12_000);
  });
});
