import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer, type IncomingHttpHeaders } from "node:http";
import { buffer } from "node:stream/consumers";
import { discoverModels } from "../../../src/model/connections/discoverModels.ts";
import { createOpenaiClient } from "../../../src/model/openai/openaiClient.ts";
import { speak, transcribe } from "../../../src/model/speech/speechServer.ts";
import { answerOf, GENEROUS } from "./collect.ts";

const never = new AbortController().signal;
const JSON_TYPE = "application/json";
/** What OpenAI's package reads from the environment by itself. */
const environment = {
  OPENAI_API_KEY: "sk-environment",
  OPENAI_BASE_URL: "http://environment.invalid",
  OPENAI_ORG_ID: "org",
  OPENAI_PROJECT_ID: "project",
  OPENAI_LOG: "debug",
  OPENAI_ADMIN_KEY: "sk-admin-environment",
  OPENAI_CUSTOM_HEADERS: "X-Environment: secret\nX-Api-Key: environment\nAuthorization: Bearer it",
};

describe("a request carries what its connection and its body need, and no more:", () => {
  const received: { readonly target: string; readonly headers: IncomingHttpHeaders }[] = [];
  const inherited = { ...process.env };
  const server = createServer(async (request, response) => {
    await buffer(request);
    received.push({ target: `${request.method} ${request.url}`, headers: request.headers });
    response.writeHead(404).end("{}");
  });
  let origin = "";

  before(async () => {
    Object.assign(process.env, environment);
    server.listen(0, "127.0.0.1");
    await once(server, "listening");
    const address = server.address();
    origin = `http://127.0.0.1:${typeof address === "object" ? address?.port : ""}`;
  });
  after(() => {
    for (const name of Object.keys(environment)) {
      if (inherited[name] === undefined) delete process.env[name];
      else process.env[name] = inherited[name];
    }
    server.close();
    server.closeAllConnections();
  });

  /** Where each request went, with the headers that `fetch` by itself does not send. */
  async function sent() {
    const requests = received.splice(0);
    await fetch(origin);
    const bare = new Map(Object.entries(received.pop()?.headers ?? {}));
    return requests.map(({ target, headers }) => {
      const added = Object.entries(headers).filter(
        ([name, value]) => name !== "content-length" && bare.get(name) !== value,
      );
      return [
        target,
        Object.fromEntries(
          added.map(([name, value]) => [name, String(value).replace(/boundary=.*/, "boundary")]),
        ),
      ];
    });
  }

  it("a chat", async () => {
    const baseUrl = `${origin}/v1?version=1&flag&part[]=a+b&part[]=c`;
    await answerOf(createOpenaiClient({ baseUrl, apiKey: null, limits: GENEROUS }));
    await answerOf(createOpenaiClient({ baseUrl, apiKey: "sk-1", limits: GENEROUS }));
    const headers = { "X-Team": "blue", "OpenAI-Organization": "ours", "user-agent": "gateway/1" };
    await answerOf(createOpenaiClient({ baseUrl, apiKey: "sk-1", headers, limits: GENEROUS }));
    const target = "POST /v1/chat/completions?version=1&flag&part[]=a+b&part[]=c";
    const needed = { accept: JSON_TYPE, "content-type": JSON_TYPE };
    assert.deepEqual(await sent(), [
      [target, needed],
      [target, { ...needed, authorization: "Bearer sk-1" }],
      [
        target,
        { ...needed, "x-team": "blue", "openai-organization": "ours", "user-agent": "gateway/1" },
      ],
    ]);
  });

  it("a list of models", async () => {
    const baseUrl = `${origin}/v1?version=1`;
    await discoverModels({ kind: "other", baseUrl }, null, fetch, never);
    await discoverModels(
      { kind: "azure", baseUrl, headers: { "X-Team": "blue" } },
      "sk-1",
      fetch,
      never,
    );
    await discoverModels(
      { kind: "other", baseUrl, headers: { "X-Team": "blue" } },
      "sk-1",
      fetch,
      never,
    );
    await discoverModels({ kind: "anthropic", baseUrl }, "sk-1", fetch, never);
    await discoverModels({ kind: "lm-studio", baseUrl }, null, fetch, never);
    const needed = { accept: JSON_TYPE };
    const bearer = { ...needed, authorization: "Bearer sk-1" };
    assert.deepEqual(await sent(), [
      ["GET /v1/models?version=1", needed],
      ["GET /v1/models?version=1", { ...bearer, "x-team": "blue" }],
      [
        "GET /v1/models?version=1&limit=1000",
        { ...bearer, "x-api-key": "sk-1", "anthropic-version": "2023-06-01" },
      ],
      ["GET /api/v0/models?version=1", needed],
      ["GET /v1/models?version=1", needed],
    ]);
  });

  it("speech", async () => {
    const names = {
      transcriptionModel: "hears",
      speechModel: "speaks",
      voice: "alloy",
      language: "",
      speed: 1,
    };
    const server = {
      ...names,
      baseUrl: `${origin}/v1?version=1`,
      apiKey: "sk-1",
      headers: { "api-key": "sk-1" },
      limits: GENEROUS,
    };
    await transcribe(server, new Int16Array(10), never);
    await speak(server, "Hello.", never).next();
    assert.deepEqual(await sent(), [
      [
        "POST /v1/audio/transcriptions?version=1",
        { "api-key": "sk-1", "content-type": "multipart/form-data; boundary" },
      ],
      ["POST /v1/audio/speech?version=1", { "api-key": "sk-1", "content-type": JSON_TYPE }],
    ]);
  });
});
