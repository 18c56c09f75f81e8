import { modelsOf } from "../../src/host/models/findModels.ts";
import { connectModel } from "../../src/host/settings/modelConnection.ts";
import { createOpenaiClient } from "../../src/model/openai/openaiClient.ts";
import { resolveEntry } from "../../src/tools/mcp/resolveEntry.ts";
import { GENEROUS, HELLO, partsOf } from "../unit/model/collect.ts";
import { attacks } from "./attacks.ts";

const never = new AbortController().signal;
const addresses = [
  ...[
    "http://models.example/v1",
    "HTTP://models.example/v1",
    "http://192.168.1.5/v1",
    "http://10.0.0.5:8000/v1",
    "http://gpu-box/v1",
  ],
  ...[
    "http://box.local/v1",
    "http://[fd00::1]/v1",
    "http://127.0.0.1.example.com/v1",
    "http://localhost.example.com/v1",
  ],
  ...[
    "http://172.16.0.1/v1",
    "http://169.254.1.1/v1",
    "http://llm.internal/v1",
    "http://[::ffff:10.0.0.1]/v1",
  ],
];

/** Says where a key went. */
function listening(): { readonly send: typeof fetch; sent(): string | null } {
  let seen: string | null = null;
  const send: typeof fetch = async (url, init) => {
    const headers = JSON.stringify([...new Headers(init?.headers)]);
    if (`${headers} ${String(url)}`.includes("sk-1")) seen = `the key went to ${String(url)}`;
    return Response.json({ data: [], choices: [] });
  };
  return { send, sent: () => seen };
}

attacks(
  "a key over http",
  addresses.flatMap((baseUrl) => [
    {
      name: `lists the models of ${baseUrl}`,
      async play() {
        const { send, sent } = listening();
        await modelsOf({ name: "a", kind: "other", baseUrl }, "sk-1", send, never);
        await modelsOf({ name: "a", kind: "anthropic", baseUrl }, "sk-1", send, never);
        return sent();
      },
    },
    {
      name: `asks ${baseUrl}`,
      async play() {
        const { send, sent } = listening();
        await partsOf(
          createOpenaiClient({ baseUrl, apiKey: "sk-1", limits: GENEROUS, fetch: send }),
          HELLO,
          never,
        );
        return sent();
      },
    },
    {
      name: `asks ${baseUrl} with the key in the address`,
      async play() {
        const { send, sent } = listening();
        await partsOf(
          createOpenaiClient({
            baseUrl: `${baseUrl}?api-key=sk-1`,
            apiKey: null,
            limits: GENEROUS,
            fetch: send,
          }),
          HELLO,
          never,
        );
        return sent();
      },
    },
    ...["Authorization", "x-api-key", "Cookie", "X-Auth-Token", "X-PAT", "X-Session-Id"].map(
      (header) => ({
        name: `asks ${baseUrl} with the key in the header ${header} of the connection`,
        async play() {
          const { send, sent } = listening();
          const headers = { [header]: "sk-1" };
          await modelsOf({ name: "a", kind: "other", baseUrl, headers }, null, send, never);
          await partsOf(
            createOpenaiClient({ baseUrl, apiKey: null, headers, limits: GENEROUS, fetch: send }),
            HELLO,
            never,
          );
          return sent();
        },
      }),
    ),
    {
      name: `connects to ${baseUrl}`,
      async play() {
        const settings = { baseUrl, model: "m", timeouts: { connect: 1, firstToken: 1, idle: 1 } };
        const connection = { name: "a", kind: "other" as const, baseUrl };
        const chosen = { source: "connection" as const, connection, model: { id: "m" } };
        const secrets = { get: async () => "sk-1" };
        const connected = await connectModel({
          settings,
          chosen,
          secrets,
          environment: {},
        } as never);
        return connected.ok ? "it was connected to" : null;
      },
    },
  ]),
);

attacks(
  "a key to an MCP server over http",
  addresses
    .filter((url) => /^http:/i.test(url))
    .flatMap((url) => [
      { name: `${url}, in a header`, entry: { url, headers: { Authorization: "Bearer sk-1" } } },
      {
        name: `${url}, entered`,
        entry: { url, headers: { "X-Team": ["$", "{input:token}"].join("") } },
      },
      {
        name: `${url}, in a header of another name`,
        entry: { url, headers: { "X-Team": "ghp_0123456789abcdef" } },
      },
      { name: `${url}, in the address`, entry: { url: `${url}?token=sk-1` } },
      {
        name: `${url}, entered for the address`,
        entry: { url: `${url}?${["$", "{input:token}"].join("")}` },
      },
      { name: `${url}, before the address`, entry: { url: url.replace("://", "://user:sk-1@") } },
    ])
    .map(({ name, entry }) => ({
      name,
      play: async () =>
        resolveEntry("a", entry, () => "sk-1").ok ? "it was resolved to be started" : null,
    })),
);
