import assert from "node:assert/strict";
import { DEFAULT_RETRY } from "../../../../src/agent/loop/retry.ts";
import type { ContextUse } from "../../../../src/turns/turnEvent.ts";
import {
  type ModelHandler,
  type ModelStep,
  type RecordedRequest,
  scripted,
} from "../../../fakes/model/modelServer.ts";
import { testTool } from "../../../fakes/testTool.ts";
import { MemoryEventLog } from "../../../fakes/turns/memoryEventLog.ts";
import { another, chat, chatsIn, open as serve, server } from "../chat/chatHarness.ts";

/** A server that counts a token for every three and a half characters. */
const counting =
  (answer: ModelHandler): ModelHandler =>
  (request, index) => ({
    promptTokens: Math.ceil(JSON.stringify(request.body).length / 3.5),
    ...answer(request, index),
  });

const open = (answer: ModelHandler, options: Parameters<typeof another>[0] = {}) =>
  serve(counting(answer), options);

const isSummary = ({ body }: RecordedRequest) =>
  (body.messages[0]?.content ?? "").startsWith("You sum up");
const texts = ({ body }: RecordedRequest) =>
  body.messages.slice(1).map(({ role, content }) => `${role}: ${content ?? ""}`);
const parts = () =>
  [...chat.tree.turns.values()].flatMap((turn) =>
    turn.role === "agent"
      ? turn.parts.map((part) => (part.type === "notice" ? part.code : part.type))
      : [],
  );
const read = (path: string): ModelStep => ({
  toolCalls: [{ name: "read_file", args: { file_path: path } }],
});
const lastTurn = () => [...chat.tree.turns.values()].findLast((turn) => turn.role === "agent");
const largest = () => {
  const error = lastTurn()?.error;
  return error?.code === "request-too-large" ? error.largest.of : error?.code;
};

/**
 * A server whose window holds `limit` characters of messages; it sums up in a sentence and
 * otherwise says `answer`.
 */
const smallWindow =
  (limit: number, answer: ModelStep = { text: "An answer." }): ModelHandler =>
  (request) => {
    if (JSON.stringify(request.body.messages).length > limit)
      return {
        status: 400,
        body: JSON.stringify({
          error: {
            message: "This model's maximum context length is 8192 tokens.",
            code: "context_length_exceeded",
          },
        }),
      };
    return isSummary(request) ? { text: "SUMMARY of it all" } : answer;
  };

describe("a conversation that outgrows the context window", () => {
  chatsIn({
    "long.txt": "a line of the long file\n".repeat(600),
    "other.txt": "another line\n".repeat(600),
  });

  it("summarizes the turns so far when the user asks for it, and sends the summary with the next request", async () => {
    await open(
      scripted([{ text: "It is 1." }, { text: "The user asked for a." }, { text: "Again 1." }]),
    );
    await chat.send("What is a?");
    assert.equal(await chat.compact(), "done");
    assert.ok(server.requests[1] && isSummary(server.requests[1]));
    assert.deepEqual(parts().slice(-2), ["compaction", "compacted"]);
    await chat.send("And now?");
    const [request] = server.requests.slice(2);
    assert.ok(request);
    assert.match(texts(request).join("\n"), /The user asked for a\.[\s\S]*And now\?/);
    assert.doesNotMatch(texts(request).join("\n"), /What is a\?|\/compact/);
  });

  it("says what the parts of each request take, as the server counts them, and less after a summary", async () => {
    const steps = [
      read("other.txt"),
      { text: "It is long." },
      { text: "The user read a file." },
      { text: "Yes." },
    ];
    await open(scripted(steps), { contextWindow: () => 20_000 });
    const attached = { kind: "file", path: "long.txt", lines: null, name: "", text: null } as const;
    const uses = () =>
      chat.events().flatMap((event) => (event.type === "context-use" ? [event.use] : []));
    const tokens = ({ system, tools, attachments, history }: ContextUse) =>
      system + tools + attachments + history;
    await chat.send("Read it", [attached]);
    const [first, second, end] = uses();
    assert.ok(first && second && end);
    assert.equal(uses().length, 3);
    assert.deepEqual([first.window, first.reserve], [20_000, 5_000]);
    assert.ok(
      first.system > 0 && first.tools > 0 && first.attachments > 2_000,
      JSON.stringify(first),
    );
    assert.ok(second.history > first.history + 1_000, JSON.stringify(second));
    const counted = JSON.stringify(server.requests[1]?.body).length / 3.5;
    assert.ok(Math.abs(tokens(second) / counted - 1) < 0.2, `${tokens(second)} of ${counted}`);
    assert.ok(end.history > second.history, "the answer is in the next request");
    await chat.compact();
    const compacted = uses().at(-1);
    assert.ok(compacted && tokens(compacted) < tokens(end) / 2, JSON.stringify(compacted));
    assert.equal(compacted.attachments, 0);
  });

  it("clips its oldest results first and keeps the latest whole", async () => {
    const steps = [read("long.txt"), read("other.txt"), read("long.txt"), { text: "Read." }];
    await open(scripted(steps), { contextWindow: () => 20_000 });
    assert.equal(await chat.send("Read them"), "done");
    const [, , , last] = server.requests;
    assert.ok(last);
    const results = last.body.messages
      .filter(({ role }) => role === "tool")
      .map(({ content }) => content ?? "");
    assert.equal(results.length, 3);
    assert.match(results[0] ?? "", /\n\[clipped: \d{3} lines in all; read again to see them\]$/);
    assert.match(results[1] ?? "", /another line/);
    assert.match(results[2] ?? "", /a line of the long file/);
    assert.ok(!server.requests.some(isSummary));
  });

  it("summarizes its earlier turns once, shows that, and continues with the summary, also after a reload", async () => {
    const log = new MemoryEventLog();
    await open(
      (request) => (isSummary(request) ? { text: "SUMMARY of it all" } : { text: "An answer." }),
      {
        log,
        contextWindow: () => 8_000,
      },
    );
    await chat.send(`First ${"word ".repeat(2000)}`);
    await chat.send(`Second ${"word ".repeat(2000)}`);
    await chat.send("Third");
    const asked = server.requests.filter(isSummary);
    assert.equal(asked.length, 1);
    assert.equal(asked[0]?.body.tools, undefined);
    assert.match(texts(asked[0] as RecordedRequest).join("\n"), /user: First word/);
    assert.deepEqual(
      parts().filter((part) => part !== "text"),
      ["compaction", "compacted"],
    );
    assert.deepEqual(
      chat.events().flatMap(({ type }) => (type.startsWith("compaction") ? [type] : [])),
      ["compaction-start", "compaction"],
    );
    const last = server.requests.at(-1);
    assert.ok(last && !JSON.stringify(last.body).includes("First word"));
    assert.match(texts(last)[0] ?? "", /^user: .*SUMMARY of it all.*Second word/s);
    await chat.dispose();
    await another({ log, contextWindow: () => 8_000 });
    await chat.send("Fourth");
    assert.match(JSON.stringify(server.requests.at(-1)?.body), /SUMMARY of it all/);
    assert.equal(server.requests.filter(isSummary).length, 1);
    assert.equal(chat.tree.turns.size, 8);
  });

  for (const [what, contextWindow, summaries] of [
    ["the model's own window where the user set none", null, 1],
    ["the user's setting before that", 100_000, 0],
  ] as const) {
    it(`takes ${what}`, async () => {
      const info = {
        id: "test-model",
        label: "Test",
        contextWindow: 8_000,
        tools: null,
        images: null,
        reasoning: null,
        price: null,
      };
      await open(smallWindow(1_000_000), { info, contextWindow: () => contextWindow });
      await chat.send(`First ${"word ".repeat(2000)}`);
      assert.equal(await chat.send(`Second ${"word ".repeat(2000)}`), "done");
      await chat.send("Third");
      assert.equal(server.requests.filter(isSummary).length, summaries);
    });
  }

  it("shrinks when the server refuses its length, and is sent again once", async () => {
    await open(smallWindow(20_000));
    await chat.send(`First ${"word ".repeat(2000)}`);
    assert.equal(await chat.send(`Second ${"word ".repeat(2200)}`), "done");
    assert.equal(server.requests.filter(isSummary).length, 1);
    assert.deepEqual(
      server.requests.map((request) => (isSummary(request) ? "summary" : "answer")),
      ["answer", "answer", "summary", "answer"],
    );
    assert.equal(await chat.send("Third"), "done");
    assert.equal(server.requests.length, 5);
  });

  it("ends with the largest part when nothing can be clipped, without a summary or retries", async () => {
    await open(smallWindow(20_000));
    assert.equal(await chat.send("word ".repeat(6000)), "error");
    assert.equal(server.requests.length, 1);
    assert.equal(lastTurn()?.error?.kind, "context-length");
    assert.equal(largest(), "user");
  });

  it("ends after one summary when the request is still too large", async () => {
    await open((request) => (isSummary(request) ? { text: "Short." } : { text: "An answer." }), {
      contextWindow: () => 8_000,
    });
    await chat.send("First");
    assert.equal(await chat.send("word ".repeat(8_000)), "error");
    assert.deepEqual(server.requests.filter(isSummary).length, 1);
    assert.equal(lastTurn()?.error?.code, "request-too-large");
    assert.equal(server.requests.length, 2);
  });

  for (const [counts, perToken, summaries] of [
    ["fewer tokens than estimated", 4.5, 0],
    ["more tokens than estimated", 2, 1],
  ] as const) {
    it(`uses the server's count when it is ${counts}`, async () => {
      await open(
        (request) => ({
          text: isSummary(request) ? "Short." : "An answer.",
          promptTokens: Math.ceil(JSON.stringify(request.body).length / perToken),
        }),
        { contextWindow: () => 16_000 },
      );
      await chat.send(`First ${"word ".repeat(4000)}`);
      assert.equal(await chat.send(`Second ${"word ".repeat(3000)}`), "done");
      assert.equal(server.requests.filter(isSummary).length, summaries);
    });
  }

  it("retries the summary when the server is busy, and shows that", async () => {
    let asked = 0;
    await open(
      (request) =>
        !isSummary(request)
          ? { text: "An answer." }
          : ++asked === 1
            ? { status: 503 }
            : { text: "SUMMARY of it all" },
      {
        contextWindow: () => 8_000,
      },
    );
    await chat.send(`First ${"word ".repeat(2000)}`);
    assert.equal(await chat.send(`Second ${"word ".repeat(2500)}`), "done");
    assert.ok(parts().includes("retry"));
    assert.ok(parts().includes("compaction"));
  });

  it("continues with the beginning of a summary that is too long", async () => {
    const handler: ModelHandler = (request) =>
      isSummary(request) ? { text: `SUMMARY ${"word ".repeat(20_000)}` } : { text: "Answer." };
    await open(handler, { contextWindow: () => 12_000 });
    assert.equal(await chat.send(`Remember ${"this ".repeat(3_500)}`), "done");
    assert.equal(await chat.send(`And ${"that ".repeat(2_000)}`), "done");
    const [, told] = server.requests.at(-1)?.body.messages ?? [];
    assert.match(told?.content ?? "", /SUMMARY (word )+\w* ?\[The summary is cut off here\.\]/);
  });

  it("leaves out tools that alone exceed the context window", async () => {
    const tool = testTool("large", async () => ({ ok: true, output: "" }));
    await open(() => ({ text: "Hello." }), {
      contextWindow: () => 4_000,
      tools: [{ ...tool, description: "word ".repeat(8_000) }],
    });
    assert.equal(await chat.send("Hi"), "done");
    const offered = server.requests[0]?.body.tools?.map((each) => each.function.name) ?? [];
    assert.ok(offered.includes("read_file") && !offered.includes("large"));
    assert.deepEqual(parts(), ["small-window", "text"]);
  });

  it("reports why the earlier turns could not be summarized", async () => {
    await open((request) => (isSummary(request) ? { status: 503 } : { text: "An answer." }), {
      contextWindow: () => 8_000,
    });
    await chat.send(`First ${"word ".repeat(2000)}`);
    assert.equal(await chat.send(`Second ${"word ".repeat(2500)}`), "error");
    const error = lastTurn()?.error;
    assert.ok(error?.code === "compaction-failed");
    assert.deepEqual([error.cause.code, error.cause.status], ["server-error", 503]);
    assert.ok(!parts().includes("compacted"));
    assert.equal(server.requests.filter(isSummary).length, 1 + DEFAULT_RETRY.maxRetries);
    assert.equal(lastTurn()?.compacting, false);
  });

  it("can be stopped during the summary, and leaves no request open", async () => {
    await open(
      (request) =>
        isSummary(request) ? { text: "Long in coming.", stallAfter: 1 } : { text: "An answer." },
      {
        contextWindow: () => 8_000,
      },
    );
    await chat.send(`First ${"word ".repeat(2000)}`);
    const turn = chat.send(`Second ${"word ".repeat(2500)}`);
    const summary = await server.request(1);
    assert.equal(lastTurn()?.compacting, true);
    chat.stop();
    assert.equal(await turn, "cancelled");
    await summary.closed;
    assert.ok(summary.closedEarly);
    assert.deepEqual(
      parts().filter((part) => part !== "text"),
      [],
    );
  });
});
