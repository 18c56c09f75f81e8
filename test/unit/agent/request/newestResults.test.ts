import assert from "node:assert/strict";
import type { ModelHandler, RecordedRequest } from "../../../fakes/model/modelServer.ts";
import { strictModel } from "../../../fakes/turns/strictHistory.ts";
import { chat, chatsIn, open as serve, server } from "../chat/chatHarness.ts";

const CHARS_PER_TOKEN = 3.5;
const NAMES = ["a.txt", "b.txt", "c.txt", "d.txt"];
/** A file whose every line tells where it is. */
const file = (name: string) =>
  Array.from({ length: 2_600 }, (_, line) => `${name} line ${line + 1} of many`).join("\n");

const tokens = ({ body }: RecordedRequest) =>
  Math.ceil(JSON.stringify([body.messages, body.tools ?? []]).length / CHARS_PER_TOKEN);
const results = ({ body }: RecordedRequest) =>
  body.messages.filter(({ role }) => role === "tool").map(({ content }) => content ?? "");
const isSummary = ({ body }: RecordedRequest) =>
  (body.messages[0]?.content ?? "").startsWith("You sum up");

/** A server that refuses what is larger than its window, and counts as it refuses. */
const windowOf =
  (size: number, answer: ModelHandler): ModelHandler =>
  (request, index) => {
    if (tokens(request) <= size)
      return {
        promptTokens: tokens(request),
        ...(isSummary(request) ? { text: "Short." } : answer(request, index)),
      };
    return {
      status: 400,
      body: JSON.stringify({
        error: { message: "The prompt is too long.", code: "context_length_exceeded" },
      }),
    };
  };

describe("results of one message that are larger than the context window", () => {
  chatsIn({
    ...Object.fromEntries(NAMES.map((name) => [name, file(name)])),
    "small.txt": "one small file\n",
  });

  const open = (handler: ModelHandler, size: number) =>
    serve(strictModel(handler), { contextWindow: () => size });

  const readAll = {
    toolCalls: [...NAMES, "small.txt"].map((name) => ({
      name: "read_file",
      args: { file_path: name },
    })),
  };

  for (const size of [4_000, 6_000, 8_000, 32_000]) {
    it(`are clipped to fit into ${size} tokens, only the largest, and can be read further`, async () => {
      let read = 0;
      await open(
        windowOf(size, (request, index) => {
          if (index === 0) return readAll;
          const [, id, offset] =
            /\{"result_id":"(r\d+)","offset":(\d+)\}, or ask for less\.\]$/.exec(
              results(request)[0] ?? "",
            ) ?? [];
          if (index > 1 || id === undefined) return { text: "Done." };
          read = Number(offset);
          return { toolCalls: [{ name: "read_result", args: { result_id: id, offset: read } }] };
        }),
        size,
      );
      assert.equal(await chat.send("Read them"), "done");
      assert.ok(!server.requests.some(isSummary));
      const [, first, second] = server.requests;
      assert.ok(first && second && server.requests.length === 3);
      for (const [index, name] of NAMES.entries()) {
        const text = results(first)[index] ?? "";
        assert.ok(
          text.includes(`1\t${name} line 1 of many\n`) && text.includes("\n[Clipped: "),
          text.slice(0, 200),
        );
      }
      assert.match(results(first)[4] ?? "", /one small file/);
      const used = tokens(first) / size;
      assert.ok(used > 0.3 && used < 0.8, `${used} of the window`);
      // What is read on begins where the first part was cut.
      const lines = results(second).at(-1)?.split("\n") ?? [];
      const before = results(first)[0]?.slice(0, read).trimEnd().split("\n").at(-1) ?? "";
      assert.equal(Number(/^\d+/.exec(lines[0] ?? "")?.[0]), Number(/^\d+/.exec(before)?.[0]) + 1);
    });
  }

  it("stay clipped, so that the beginning of requests does not change", async () => {
    const small = { toolCalls: [{ name: "read_file", args: { file_path: "small.txt" } }] };
    await open(
      windowOf(
        32_000,
        (_request, index) => [readAll, small, small, { text: "Done." }][index] ?? { text: "More." },
      ),
      32_000,
    );
    assert.equal(await chat.send("Read them"), "done");
    const [, second, third, fourth] = server.requests.map(({ body }) =>
      body.messages.map((message) => JSON.stringify(message)),
    );
    assert.deepEqual(third?.slice(0, second?.length), second);
    assert.deepEqual(fourth?.slice(0, third?.length), third);
  });

  it("are clipped without a summary that could not make room for them", async () => {
    await open(
      windowOf(16_000, (_request, index) => (index === 1 ? readAll : { text: "Done." })),
      16_000,
    );
    await chat.send(`Remember this: ${"word ".repeat(1_000)}`);
    assert.equal(await chat.send("Read them"), "done");
    assert.ok(!server.requests.some(isSummary));
    assert.match(JSON.stringify(server.requests.at(-1)?.body), /Remember this/);
  });

  it("are clipped after a summary that does not make enough room", async () => {
    await open(
      windowOf(16_000, (_request, index) =>
        index === 1 ? { toolCalls: readAll.toolCalls.slice(3) } : { text: "Done." },
      ),
      40_000,
    );
    await chat.send(`Remember this: ${"word ".repeat(3_000)}`);
    assert.equal(await chat.send("Read them"), "done");
    assert.equal(server.requests.filter(isSummary).length, 1);
  });

  it("shrink until a server with a much smaller window accepts them", async () => {
    await open(
      windowOf(8_000, (_request, index) => (index === 0 ? readAll : { text: "Done." })),
      128_000,
    );
    assert.equal(await chat.send("Read them"), "done");
    assert.ok(server.requests.length <= 6);
  });

  it("are clipped before the user's message, which is never clipped", async () => {
    await open(
      windowOf(8_000, (_request, index) => (index === 0 ? readAll : { text: "Done." })),
      8_000,
    );
    assert.equal(await chat.send(`Read them ${"word ".repeat(1_500)}`), "done");
    assert.equal(await chat.send("word ".repeat(8_000)), "error");
    const turn = [...chat.tree.turns.values()].findLast(({ role }) => role === "agent");
    const error = turn?.role === "agent" ? turn.error : null;
    assert.ok(error?.code === "request-too-large" && error.largest.of === "user");
  });
});
