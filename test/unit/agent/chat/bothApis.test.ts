import assert from "node:assert/strict";
import { once } from "node:events";
import { readdirSync, readFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import { resolve } from "node:path";
import { ok } from "../../../../src/base/result.ts";
import { createOpenaiClient } from "../../../../src/model/openai/openaiClient.ts";
import type { TurnEvent } from "../../../../src/turns/turnEvent.ts";
import { campaignRuns } from "../../../fakes/campaignRuns.ts";
import { asResponses } from "../../../fakes/model/asResponses.ts";
import { GENEROUS, HELLO, partsOf } from "../../model/collect.ts";
import { type Recording, recordedAnswers } from "../../model/recordedAnswers.ts";
import { chatsIn, folder, openChat } from "./chatHarness.ts";

const fixtures = resolve(import.meta.dirname, "../../../fixtures/sse");
const own: readonly Recording[] = readdirSync(fixtures)
  .filter((name) => /\.(?:sse|json)$/.test(name))
  .map((name) => ({ name, body: readFileSync(resolve(fixtures, name), "utf8") }));

const CHAT_END =
  'data: {"choices":[{"index":0,"delta":{"content":"Done."},"finish_reason":"stop"}]}\n\ndata: [DONE]\n\n';
const RESPONSES_END =
  'data: {"type":"response.output_text.delta","delta":"Done."}\n\ndata: {"type":"response.completed","response":{"status":"completed"}}\n\n';

describe("The same answers through chat completions and through Responses", () => {
  chatsIn({ "a.ts": "export const a = 1;\n" });
  let server: Server;
  let url: string;
  let bodies: string[];

  beforeEach(async () => {
    server = createServer((request, response) => {
      request.resume().on("end", () => {
        const body = bodies.length > 1 ? bodies.shift() : bodies[0];
        const type = body?.startsWith("{") ? "application/json" : "text/event-stream";
        response.writeHead(200, { "content-type": type }).end(body);
      });
    });
    server.listen(0, "127.0.0.1");
    await once(server, "listening");
    const address = server.address();
    assert.ok(address !== null && typeof address === "object");
    url = `http://127.0.0.1:${address.port}/v1`;
  });
  afterEach(() => {
    server.close();
    server.closeAllConnections();
  });

  const clientOf = (api: "chat" | "responses") =>
    createOpenaiClient({ baseUrl: url, apiKey: null, limits: GENEROUS, request: { api } });

  /** What a turn shows and records of an answer. */
  async function turnOf(api: "chat" | "responses", served: readonly string[]) {
    bodies = [...served];
    const chat = await openChat({ url }, folder.root, {
      connect: async () => ok({ client: clientOf(api), model: "m", info: null }),
    });
    const reason = await chat.send("Look.");
    const told = new Map<string, string[]>();
    for (const event of chat.events()) {
      const [kind, text] = toldOf(event) ?? [];
      if (kind !== undefined) told.set(kind, [...(told.get(kind) ?? []), text ?? ""]);
    }
    await chat.dispose();
    const all = (kind: string) => told.get(kind) ?? [];
    return {
      reason,
      ...{ text: all("text").join(""), reasoning: all("reasoning").join("") },
      ...{ calls: all("call"), usage: all("usage"), end: all("end") },
      // Calls that run side by side end in any order.
      results: all("result").toSorted(),
    };
  }

  async function compare(recordings: readonly Recording[]): Promise<number> {
    let compared = 0;
    for (const { name, body } of recordings) {
      bodies = [body];
      const parts = await partsOf(clientOf("chat"), HELLO, new AbortController().signal);
      const other = asResponses(parts);
      if (other === null) continue;
      const chat = await turnOf("chat", [body, CHAT_END]);
      assert.deepEqual(await turnOf("responses", [other, RESPONSES_END]), chat, name);
      compared++;
    }
    return compared;
  }

  it("give the same turn: those beside the tests", async () => {
    assert.equal(await compare(own), own.length);
  });

  it("give the same turn: those of real providers", async function () {
    const recordings = recordedAnswers();
    if (recordings === null) this.skip();
    const step = Math.ceil(recordings.length / campaignRuns(23, recordings.length));
    const played = recordings.filter((_, at) => at % step === 0);
    const compared = await compare(played);
    console.log(`      ${compared} of ${played.length} can be said in both`);
    assert.ok(compared > played.length * 0.8);
  });
});

/** An id that Graft gave to a call without one. */
const MADE_ID = /^call-[0-9a-f]{8}-[0-9a-f]{4}$/;

/** What a user sees of an event, or null. */
function toldOf(event: TurnEvent): readonly [kind: string, text: string] | null {
  switch (event.type) {
    case "text-delta":
      return ["text", event.text];
    case "reasoning-delta":
      return ["reasoning", event.text];
    case "tool-call":
      return ["call", `${event.callId.replace(MADE_ID, "*")} ${event.name} ${event.argsText}`];
    case "tool-result":
      return ["result", JSON.stringify(event.error ?? event.output)];
    case "usage":
      // An estimate is of the request, which thinking goes back with in one of them.
      return event.usage.estimated ? null : ["usage", JSON.stringify(event.usage)];
    case "turn-end":
      return ["end", JSON.stringify([event.reason, event.error])];
    default:
      return null;
  }
}
