import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer, type IncomingHttpHeaders } from "node:http";
import { apiKeyName } from "../../../../src/host/settings/server.ts";
import { parseSettings } from "../../../../src/host/settings/settings.ts";
import { createChosenVoice, type VoiceSources } from "../../../../src/host/voice/chosenVoice.ts";
import { KEY_PLACEHOLDER, namedModel } from "../../../../src/model/connections/connection.ts";

const sound = new Int16Array(2_400);
const signal = new AbortController().signal;

describe("who hears and speaks", () => {
  const voiceOf = (values: Record<string, unknown>, more: Partial<VoiceSources> = {}) => {
    const { settings } = parseSettings((name) => values[name]);
    return createChosenVoice(() => ({
      settings,
      chosen: null,
      secrets: { get: async () => undefined },
      environment: null,
      ...more,
    }))();
  };
  const code = async (voice: ReturnType<typeof voiceOf>) => {
    const result = await voice.transcribe(sound, signal);
    return result.ok ? result.value : result.error.code;
  };

  it("is the demonstration in demo mode only", async () => {
    assert.equal(voiceOf({}).isDemo, true);
    assert.equal(voiceOf({}, { chosen: { source: "demo" } }).isDemo, true);
    const editor = voiceOf(
      {},
      { chosen: { source: "vscode-lm", vendor: "copilot", model: namedModel("gpt") } },
    );
    assert.equal(editor.isDemo ?? false, false);
    assert.equal(await code(editor), "no-voice");
    assert.equal(await code(voiceOf({ "voice.connection": "Gone" })), "no-voice");
    assert.equal(
      (await voiceOf({ "voice.connection": "Gone" }).speak("Hi.", signal).next()).done,
      true,
    );
  });

  it("gets the key of its own connection, as that connection sends keys", async () => {
    const seen: IncomingHttpHeaders[] = [];
    const server = createServer((request, response) => {
      seen.push(request.headers);
      request.resume();
      request.on("end", () =>
        response.writeHead(200, { "content-type": "application/json" }).end('{"text":"hello"}'),
      );
    }).listen(0, "127.0.0.1");
    await once(server, "listening");
    try {
      const address = server.address();
      assert.ok(address !== null && typeof address === "object");
      const origin = `http://127.0.0.1:${address.port}`;
      const connections = [
        {
          name: "Voice",
          kind: "other",
          baseUrl: `${origin}/v1`,
          headers: { "x-team": "a", "x-key": `k ${KEY_PLACEHOLDER}` },
        },
        { name: "Away", kind: "other", baseUrl: "http://voice.example/v1" },
      ];
      const keys = new Map([
        [apiKeyName(origin, "Voice"), "secret"],
        [apiKeyName("http://voice.example", "Away"), "other"],
      ]);
      const secrets = { get: async (name: string) => keys.get(name) };
      assert.equal(
        await code(voiceOf({ connections, "voice.connection": "Voice" }, { secrets })),
        "hello",
      );
      assert.deepEqual(
        [seen[0]?.["x-team"], seen[0]?.["x-key"], seen[0]?.authorization],
        ["a", "k secret", undefined],
      );
      const [connection] = parseSettings((name) =>
        name === "connections" ? connections : undefined,
      ).settings.connections;
      assert.ok(connection);
      const chosen = { source: "connection", connection, model: namedModel("m") } as const;
      assert.equal(
        await code(voiceOf({ connections }, { secrets, chosen })),
        "hello",
        "the chat's connection where none is named",
      );
      assert.equal(
        await code(voiceOf({ connections, "voice.connection": "Away" }, { secrets })),
        "unencrypted-key",
      );
      assert.equal(seen.length, 2);
    } finally {
      server.close();
      server.closeAllConnections();
    }
  });
});
