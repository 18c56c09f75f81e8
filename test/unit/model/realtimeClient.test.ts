import assert from "node:assert/strict";
import type { Message } from "../../../src/model/message.ts";
import type { ModelRequest } from "../../../src/model/modelClient.ts";
import { createRealtimeClient, type RealtimeClientOptions } from "../../../src/model/realtime/realtimeClient.ts";
import type { StreamPart } from "../../../src/model/streamPart.ts";
import { openRealtimeSocket } from "../../../src/node/voice/openRealtimeSocket.ts";
import { type RealtimeServer, type RealtimeStep, startRealtimeServer } from "../../fakes/model/realtimeServer.ts";
import { GENEROUS } from "./collect.ts";

const system: Message = { role: "system", text: "Be brief." };
const user = (text: string): Message => ({ role: "user", text });
const tools = [{ name: "look", description: "Looks", parameters: { type: "object" } }];
const request = (...messages: Message[]): ModelRequest => ({ model: "speaks", messages: [system, ...messages], tools });
const base64 = (...samples: number[]) => Buffer.from(Int16Array.from(samples).buffer).toString("base64");

const created = (id: string) => ({ type: "response.created", response: { id } });
const transcript = (id: string, delta: string) => ({
  type: "response.output_audio_transcript.delta",
  response_id: id,
  item_id: `m-${id}`,
  delta,
});
const audio = (id: string, ...samples: number[]) => ({
  type: "response.output_audio.delta",
  response_id: id,
  item_id: `m-${id}`,
  delta: base64(...samples),
});
const callItem = (callId: string, args = "") => ({
  id: `i-${callId}`,
  type: "function_call",
  name: "look",
  call_id: callId,
  arguments: args,
});
const added = (id: string, callId: string) => ({ type: "response.output_item.added", response_id: id, item: callItem(callId) });
const argument = (id: string, callId: string, delta: string) => {
  return { type: "response.function_call_arguments.delta", response_id: id, item_id: `i-${callId}`, delta };
};
const itemDone = (id: string, callId: string, args: string) => ({
  type: "response.output_item.done",
  response_id: id,
  item: callItem(callId, args),
});
const done = (id: string, more: object = {}) => ({ type: "response.done", response: { id, status: "completed", output: [], ...more } });
const answers = (id: string, text: string): RealtimeStep => [created(id), audio(id, 1, 2), transcript(id, text), audio(id, 3), done(id)];

let server: RealtimeServer;
let client: ReturnType<typeof createRealtimeClient>;
let played: number[][];

async function start(steps: readonly RealtimeStep[], options: Partial<RealtimeClientOptions> & { session?: object } = {}): Promise<void> {
  const { session, ...more } = options;
  server = await startRealtimeServer(steps, session && { ...session });
  played = [];
  client = createRealtimeClient({
    baseUrl: server.url,
    apiKey: "secret-key",
    headers: { Authorization: "Bearer secret-key" },
    limits: GENEROUS,
    openSocket: openRealtimeSocket,
    sound: { voice: () => "marin", answer: (pcm) => void played.push(pcm.flatMap((piece) => [...piece])) },
    ...more,
  });
}

async function ask(of: ModelRequest, signal = new AbortController().signal): Promise<StreamPart[]> {
  const parts: StreamPart[] = [];
  for await (const part of client.stream(of, signal)) parts.push(part);
  return parts;
}

const textOf = (parts: readonly StreamPart[]) => parts.map((part) => (part.type === "text-delta" ? part.text : "")).join("");
const callsOf = (parts: readonly StreamPart[]) =>
  parts.flatMap((part) => (part.type === "tool-call-end" ? [[part.callId, part.argsText]] : []));
const endOf = (parts: readonly StreamPart[]) => {
  const last = parts.at(-1);
  return last?.type === "finish" ? last.reason : last?.type === "error" ? last.error.code : null;
};
const sent = (connection = 0) => (server.connections[connection]?.sent ?? []).map((event) => event);
const items = (connection = 0) => sent(connection).flatMap((event) => (event.type === "conversation.item.create" ? [event.item] : []));

describe("a Realtime model", () => {
  afterEach(async () => {
    await server.close();
  });

  it("is told the conversation and the tools, and its answer is heard once it is over", async () => {
    await start([answers("r1", "Hello.")]);
    const parts = await ask(request(user("Hi")));
    assert.deepEqual([textOf(parts), endOf(parts), played], ["Hello.", "stop", [[1, 2, 3]]]);
    const [connection] = server.connections;
    assert.equal(connection?.path, "/v1/realtime?model=speaks");
    assert.equal(connection?.headers.authorization, "Bearer secret-key");
    const output = { format: { type: "audio/pcm", rate: 24_000 }, voice: "marin" };
    assert.deepEqual(sent(), [
      {
        type: "session.update",
        session: {
          type: "realtime",
          instructions: "Be brief.",
          audio: { input: { turn_detection: null }, output },
          tools: [{ type: "function", ...tools[0] }],
        },
      },
      { type: "conversation.item.create", item: { type: "message", role: "user", content: [{ type: "input_text", text: "Hi" }] } },
      { type: "response.create", response: { output_modalities: ["audio"] } },
    ]);
  });

  it("gets every call of an answer run and answered, and what it said before them is never heard", async () => {
    const calls = [
      added("r1", "c1"),
      added("r1", "c2"),
      argument("r1", "c1", '{"a":'),
      argument("r1", "c2", "{}"),
      argument("r1", "c1", "1}"),
    ];
    const first = [
      created("r1"),
      transcript("r1", "I look."),
      audio("r1", 1),
      ...calls,
      itemDone("r1", "c2", "{}"),
      itemDone("r1", "c1", '{"a":1}'),
      done("r1"),
    ];
    await start([first, answers("r2", "Two.")]);
    const parts = await ask(request(user("Look")));
    assert.deepEqual(callsOf(parts), [
      ["c2", "{}"],
      ["c1", '{"a":1}'],
    ]);
    assert.deepEqual([endOf(parts), played], ["tool-calls", []]);
    const toolCalls = [
      { callId: "c1", name: "look", argsText: '{"a":1}' },
      { callId: "c2", name: "look", argsText: "{}" },
    ];
    const told = await ask(
      request(
        user("Look"),
        { role: "assistant", text: "I look.", toolCalls },
        ...toolCalls.map(({ callId }): Message => ({ role: "tool", callId, text: `Result of ${callId}` })),
      ),
    );
    assert.deepEqual([textOf(told), played], ["Two.", [[1, 2, 3]]]);
  });

  it("is told the whole conversation on each request's own connection", async () => {
    await start([answers("r1", "One."), answers("r2", "Two.")]);
    await ask(request(user("A")));
    await server.connections[0]?.closed;
    const reply: Message = { role: "assistant", text: "One.", toolCalls: [{ callId: "c", name: "look", argsText: "{}" }] };
    await ask(request(user("A"), reply, { role: "tool", callId: "c", text: "42" }, user("B")));
    await server.connections[1]?.closed;
    assert.deepEqual(items(1), [
      { type: "message", role: "user", content: [{ type: "input_text", text: "A" }] },
      { type: "message", role: "assistant", content: [{ type: "output_text", text: "One." }] },
      { type: "function_call", call_id: "c", name: "look", arguments: "{}" },
      { type: "function_call_output", call_id: "c", output: "42" },
      { type: "message", role: "user", content: [{ type: "input_text", text: "B" }] },
    ]);
  });

  it("answers in text while blocks are file content, and when nobody listens", async () => {
    const text: RealtimeStep = [created("r1"), { type: "response.output_text.delta", response_id: "r1", delta: "Code" }, done("r1")];
    await start([text, text]);
    const parts = await ask({ ...request(user("Edit")), blocksAreContent: true });
    assert.deepEqual([textOf(parts), played], ["Code", []]);
    assert.deepEqual(sent().at(-1)?.response, { output_modalities: ["text"] });
  });

  it("may speak the names of the beta", async () => {
    const old: RealtimeStep = [
      created("r1"),
      { type: "response.audio_transcript.delta", response_id: "r1", item_id: "m", delta: "Old" },
      { type: "response.audio.delta", response_id: "r1", item_id: "m", delta: base64(7) },
      { type: "response.text.delta", response_id: "r1", item_id: "m", delta: " times" },
      { type: "rate_limits.updated", rate_limits: [] },
      done("r1"),
    ];
    await start([old], { session: { modalities: ["audio", "text"] } });
    const parts = await ask(request(user("Hi")));
    assert.deepEqual([textOf(parts), played], ["Old times", [[7]]]);
    assert.deepEqual(sent().at(-1)?.response, { modalities: ["audio", "text"] });
    assert.equal(sent()[0] && "type" in Object(sent()[0]?.session), false);
  });

  it("may send events twice, in another order, or not at all", async () => {
    const jumbled: RealtimeStep = [
      transcript("r1", "Early "),
      created("r1"),
      argument("r1", "c9", "{}"),
      { type: "response.output_audio.delta", response_id: "r1", item_id: "m", delta: "%%%" },
      { type: "response.surprise", delta: 1 },
      itemDone("r1", "c1", "{}"),
      added("r1", "c1"),
      done("r1", {
        output: [callItem("c1", "{}"), callItem("c2", '{"late":true}'), { id: "m", type: "message", content: [{ transcript: "Early " }] }],
      }),
    ];
    await start([jumbled, [created("r2"), done("r2", { output: [{ type: "message", content: [{ text: "Whole." }] }] })]]);
    const parts = await ask(request(user("Go")));
    assert.equal(textOf(parts), "Early ");
    assert.deepEqual(callsOf(parts), [
      ["c1", "{}"],
      ["c2", '{"late":true}'],
    ]);
    assert.equal(textOf(await ask(request(user("And?")))), "Whole.");
  });

  const failed = (error: object) => done("r1", { status: "failed", status_details: { type: "failed", error } });
  const begun = [created("r1"), transcript("r1", "Half"), audio("r1", 1)];
  const ends: Record<string, readonly [step: RealtimeStep, end: string, text: string]> = {
    "was canceled by the server": [
      [...begun, done("r1", { status: "cancelled", status_details: { reason: "turn_detected" } })],
      "interrupted",
      "Half",
    ],
    failed: [[...begun, failed({ code: "server_error", message: "GPU lost" })], "stream-error", "Half"],
    "met a rate limit": [[created("r1"), failed({ code: "rate_limit_exceeded", message: "Slow down" })], "rate-limited", ""],
    "spent the quota": [[created("r1"), failed({ code: "insufficient_quota" })], "quota-spent", ""],
    "was too long": [
      [
        ...begun,
        added("r1", "c1"),
        argument("r1", "c1", '{"a'),
        done("r1", { status: "incomplete", status_details: { reason: "max_output_tokens" } }),
      ],
      "length",
      "Half",
    ],
    "was filtered": [
      [...begun, done("r1", { status: "incomplete", status_details: { reason: "content_filter" } })],
      "content-filter",
      "Half",
    ],
    "was cut off": [[...begun, "drop"], "interrupted", "Half"],
    "never began": [["drop"], "connection-closed", ""],
    "was refused": [[{ type: "error", error: { code: "invalid_value", message: "No such tool secret-key" } }], "stream-error", ""],
    "was empty": [[created("r1"), done("r1")], "empty", ""],
  };
  for (const [what, [step, end, text]] of Object.entries(ends)) {
    it(`is silent when its answer ${what}, and can be asked again`, async () => {
      await start([step, answers("r2", "Again.")]);
      const parts = await ask(request(user("Hi")));
      assert.deepEqual([endOf(parts), textOf(parts), callsOf(parts), played], [end, text, [], []]);
      assert.ok(!JSON.stringify(parts).includes("secret-key"));
      assert.equal(textOf(await ask(request(user("Hi")))), "Again.");
      assert.equal(server.connections.length, 2);
    });
  }

  it("is hung up on when the user stops it or it takes too long", async () => {
    await start(
      [
        [...begun, "wait"],
        [created("r2"), "wait"],
      ],
      { limits: { connectMs: 5_000, firstTokenMs: 100, idleMs: 5_000 } },
    );
    const abort = new AbortController();
    const parts: StreamPart[] = [];
    for await (const part of client.stream(request(user("Hi")), abort.signal)) {
      parts.push(part);
      abort.abort();
    }
    assert.equal(endOf(parts), "aborted");
    await server.connections[0]?.closed;
    assert.equal(endOf(await ask(request(user("Hi")))), "first-token-timeout");
    await server.connections[1]?.closed;
    assert.deepEqual(played, []);
  });

  it("says so where there is no such server", async () => {
    await start([]);
    await server.close();
    const parts = await ask(request(user("Hi")));
    assert.equal(endOf(parts), "connection-refused");
    await start([]);
  });
});
