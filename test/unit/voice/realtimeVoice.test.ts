import assert from "node:assert/strict";
import { setImmediate } from "node:timers/promises";
import { english } from "../../../src/base/localize.ts";
import { ok } from "../../../src/base/result.ts";
import { createRealtimeModels, isAskedAloud } from "../../../src/host/models/realtimeModels.ts";
import { openRealtimeSocket } from "../../../src/node/voice/openRealtimeSocket.ts";
import { VoiceSession } from "../../../src/voice/voiceSession.ts";
import { startModelServer } from "../../fakes/model/modelServer.ts";
import { startRealtimeServer } from "../../fakes/model/realtimeServer.ts";
import { words } from "../../fakes/sound.ts";
import { testTool } from "../../fakes/testTool.ts";
import { MemoryLine } from "../../fakes/voice/memoryLine.ts";
import { ScriptedVoice } from "../../fakes/voice/scriptedVoice.ts";
import { voiceChat } from "../../fakes/voice/voiceChat.ts";
import { tempFolder } from "../../fakes/workspace/tempFolder.ts";
import { openChat } from "../agent/chat/chatHarness.ts";
import { GENEROUS } from "../model/collect.ts";

const sound = (length: number) => Buffer.from(new Int16Array(length).buffer).toString("base64");
const spoken = (id: string, text: string, length: number) => [
  { type: "response.created", response: { id } },
  { type: "response.output_audio_transcript.delta", response_id: id, item_id: `m-${id}`, delta: text },
  { type: "response.output_audio.delta", response_id: id, item_id: `m-${id}`, delta: sound(length) },
];
const call = (id: string, callId: string) => {
  const item = { id: `i-${callId}`, type: "function_call", name: "look", call_id: callId, arguments: `{"text":"${callId}"}` };
  return { type: "response.output_item.done", response_id: id, item };
};
const done = (id: string) => ({ type: "response.done", response: { id, status: "completed" } });

describe("a chat with a model that speaks", () => {
  it("runs every call before its own sound is heard, and is asked for text where the user types", async () => {
    const server = await startRealtimeServer([
      [...spoken("r1", "I will look.", 2_400), call("r1", "a"), call("r1", "b"), done("r1")],
      [...spoken("r2", "All is well. Bye.", 4_800), done("r2")],
      [{ type: "response.output_text.delta", response_id: "r3", delta: "Typed." }, done("r3")],
    ]);
    const unused = await startModelServer([]);
    const folder = await tempFolder({});
    const line = new MemoryLine();
    const voice = new ScriptedVoice("Look at both");
    const ran: string[] = [];
    const look = testTool("look", async (text) => {
      ran.push(`${text} after ${line.played.length} sounds`);
      return { ok: true, output: text };
    });
    const models = createRealtimeModels(openRealtimeSocket, () => (isAskedAloud(chat.tree) ? "marin" : null));
    const client = models.client({ baseUrl: server.url, apiKey: null, limits: GENEROUS });
    const chat = await openChat(unused, folder.root, {
      tools: [look],
      connect: async () => ok({ client, model: "gpt-realtime", info: null }),
    });
    const session = new VoiceSession({
      chat: voiceChat(chat),
      openLine: async () => ok(line),
      voice: () => voice,
      ownSound: { isExpected: () => true, take: models.take },
      isHandsFree: () => false,
      t: english,
    });
    await session.open();
    session.press();
    line.say(words(600, -20));
    await session.release();
    while (line.played.length === 0) await setImmediate();
    assert.deepEqual(ran.toSorted(), ["a after 0 sounds", "b after 0 sounds"]);
    assert.deepEqual(
      line.played.map(({ pcm }) => pcm.length),
      [4_800],
    );
    line.listenTo();
    await chat.send("Now in writing");
    const asked = server.connections.flatMap(({ sent }) => sent).filter(({ type }) => type === "response.create");
    assert.deepEqual(
      asked.map(({ response }) => response),
      ["audio", "audio", "text"].map((modality) => ({ output_modalities: [modality] })),
    );
    assert.equal(server.connections.length, 3);
    assert.deepEqual(voice.prepared, []);
    assert.equal(line.played.length, 1);
    const ends = chat
      .events()
      .flatMap((event) => (event.type === "speech-end" ? [[event.step, event.heard, event.total, event.reason]] : []));
    assert.deepEqual(ends, [[1, 17, 17, "done"]]);
    session.dispose();
    await chat.dispose();
    await Promise.all([server.close(), unused.close(), folder.remove()]);
  });
});
