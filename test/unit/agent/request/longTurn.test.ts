import assert from "node:assert/strict";
import type { Chat } from "../../../../src/agent/chat/chat.ts";
import type { AgentTurn } from "../../../../src/turns/turn.ts";
import { campaignRuns } from "../../../fakes/campaignRuns.ts";
import {
  type ModelServer,
  type ModelStep,
  type RecordedRequest,
  startModelServer,
} from "../../../fakes/model/modelServer.ts";
import { seededRandom } from "../../../fakes/seededRandom.ts";
import { testTool } from "../../../fakes/testTool.ts";
import { MemoryEventLog } from "../../../fakes/turns/memoryEventLog.ts";
import { answerAll, RecordingReviewer } from "../../../fakes/turns/recordingReviewer.ts";
import { strictModel } from "../../../fakes/turns/strictHistory.ts";
import { type TempFolder, tempFolder } from "../../../fakes/workspace/tempFolder.ts";
import { openChat } from "../chat/chatHarness.ts";

/** Enough for several summaries. */
const stepsIn = (size: number) => campaignRuns(size / 200, 200);
const REQUEST = "Check every module, one by one.";
const MEANWHILE = "And leave the legacy folder alone.";

const tokens = ({ body }: RecordedRequest) =>
  Math.ceil(JSON.stringify([body.messages, body.tools ?? []]).length / 3.5);
const isSummary = ({ body }: RecordedRequest) =>
  (body.messages[0]?.content ?? "").startsWith("You sum up");
const textOf = ({ body }: RecordedRequest) => JSON.stringify(body.messages);

/**
 * A model that looks at something else in each step, silently or with words, and proposes one edit
 * early on.
 */
function worker(seed: number, steps: number): (step: number) => ModelStep {
  const random = seededRandom(seed);
  return (step) => {
    if (step === 2)
      return {
        toolCalls: [{ name: "edit_mode", args: { file_path: "a.ts", use_line_numbers: true } }],
      };
    if (step === 3) return { text: "```ts:1:1\nexport const a = 2;\n```\n" };
    if (step >= steps) return { text: "All modules are checked." };
    const text =
      random(3) === 0 ? `Step ${step}: ${"the module looks right. ".repeat(random(40))}` : "";
    const calls = Array.from({ length: 1 + random(3) }, (_, index) => ({
      name: "look",
      args: { text: `module ${step}.${index} ${random(4_000)} ${"x".repeat(random(60))}` },
    }));
    return { text, toolCalls: calls };
  };
}

describe("a single turn that outgrows the context window", () => {
  let folder: TempFolder;
  let server: ModelServer;
  let chat: Chat;

  beforeEach(async () => {
    folder = await tempFolder({ "a.ts": "export const a = 1;\n", "AGENTS.md": "Use tabs." });
  });

  afterEach(async () => {
    await chat.dispose();
    await server.close();
    await folder.remove();
  });

  for (const [size, seed] of [
    [16_000, 1],
    [16_000, 2],
    [32_000, 3],
  ] as const) {
    const steps = stepsIn(size);
    it(`goes on with a summary of its own steps, ${steps} steps in ${size} tokens (${seed})`, async () => {
      const log = new MemoryEventLog();
      const work = worker(seed, steps);
      let step = 0;
      let summaries = 0;
      server = await startModelServer(
        strictModel((request) => {
          if (tokens(request) > size)
            return {
              status: 400,
              body: '{"error":{"code":"context_length_exceeded","message":"Too long."}}',
            };
          const counted = { promptTokens: tokens(request) };
          if (isSummary(request))
            return { ...counted, text: `SUMMARY ${++summaries}: looked at modules up to ${step}.` };
          if (step === 50) void chat.send(MEANWHILE);
          return { ...counted, ...work(step++) };
        }),
      );
      const look = testTool("look", async (text) => {
        const length = Number(text.split(" ")[2]);
        return { ok: true, output: `${text}\n${"a line of the module\n".repeat(length / 20)}` };
      });
      const options = {
        log,
        contextWindow: () => size,
        maxSteps: () => steps + 50,
        tools: [look],
        reviewer: new RecordingReviewer(answerAll("pending")),
      };
      chat = await openChat(server, folder.root, options);
      assert.equal(await chat.send(REQUEST), "done");

      const requests = [...server.requests];
      const asked = requests.filter((request) => !isSummary(request));
      assert.deepEqual(
        requests.map(tokens).filter((count) => count > size),
        [],
      );
      assert.ok(summaries >= 2 && summaries < steps / 8, `${summaries} summaries`);
      for (const request of asked) {
        assert.ok(
          textOf(request).includes(REQUEST) && textOf(request).includes("Use tabs."),
          textOf(request),
        );
      }
      assert.ok(asked.slice(51).every((request) => textOf(request).includes(MEANWHILE)));
      for (const [step, request] of asked.entries())
        if (step > 4) assert.match(textOf(request), new RegExp(`module ${step - 1}\\.0 `));
      for (const request of requests
        .slice(requests.findIndex(isSummary))
        .filter((one) => !isSummary(one)))
        assert.ok(
          /SUMMARY \d+/.test(textOf(request)) && /'a\.ts'[^\n]{0,80}pending/.test(textOf(request)),
        );
      const turn = [...chat.tree.turns.values()].find(
        (one): one is AgentTurn => one.role === "agent",
      );
      assert.equal(turn?.parts.filter(({ type }) => type === "compaction").length, summaries);
      assert.equal(
        turn?.parts.filter(({ type }) => type === "tool-call").length,
        new Set(turn?.toolCalls.keys()).size,
      );

      await chat.dispose();
      chat = await openChat(server, folder.root, options);
      assert.equal(await chat.send("Sure?"), "done");
      const [after] = server.requests.slice(requests.length);
      assert.ok(
        after &&
          textOf(after).includes(`SUMMARY ${summaries}:`) &&
          !textOf(after).includes("module 10.0"),
      );
      assert.ok(textOf(after).includes(REQUEST) && textOf(after).includes(MEANWHILE));
    });
  }
});
