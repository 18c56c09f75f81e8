import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import type { CandidateChat } from "../../../../src/agent/candidates/askModels.ts";
import { candidateRole } from "../../../../src/agent/candidates/candidateRole.ts";
import { candidateChat } from "../../../../src/agent/chat/candidateChat.ts";
import type { Chat } from "../../../../src/agent/chat/chat.ts";
import { combineAnswers, compareAnswers } from "../../../../src/edits/combine/compareAnswers.ts";
import { createPendingReviewer } from "../../../../src/edits/review/pendingReviewer.ts";
import { createNodeWorkspace } from "../../../../src/node/files/nodeWorkspace.ts";
import { applyTurnEvent, emptyTree } from "../../../../src/turns/turnReducer.ts";
import { testSyntax } from "../../../fakes/editor/testSyntax.ts";
import type { ModelHandler } from "../../../fakes/model/modelServer.ts";
import { another, chat, chatsIn, folder, lastAnswer, open, server } from "./chatHarness.ts";

const request = { text: "Change it.", attached: [] };
const { signal } = new AbortController();
const source = "function one() {\n  return 1;\n}\n\nfunction two() {\n  return 2;\n}\n";
const patch = (...edits: readonly (readonly [string, string])[]) => ({
  toolCalls: [
    {
      name: "patch_source_file",
      args: {
        file_path: "a.ts",
        edits: edits.map(([search, replace]) => ({ search, replace })),
      },
    },
  ],
});
/** Model `one` changes both functions, `two` the second one. */
const answers: ModelHandler = ({ body }) => {
  if (body.messages.at(-1)?.role === "tool") return { text: "Done." };
  if (body.model === "broken") return { status: 400, body: '{"error":{"message":"No."}}' };
  return body.model === "one"
    ? patch(["return 1;", "return 10;"], ["return 2;", "return 20;"])
    : patch(["return 2;", "return 22;"]);
};

/** Opens the chats of candidates, then the one that asks. */
async function asking(models: readonly string[], handler: ModelHandler = answers) {
  const workspace = await createNodeWorkspace(folder.root);
  const candidates: CandidateChat[] = [];
  const chats: Chat[] = [];
  for (const [at, model] of models.entries()) {
    const role = candidateRole();
    const given = { chatId: `candidate-${model}`, model, reviewer: role.reviewer };
    const own = at === 0 ? await open(handler, given) : await another(given);
    chats.push(own);
    candidates.push(candidateChat(own, model, role, { workspace }));
  }
  const reviewer = createPendingReviewer();
  await another({ reviewer });
  return { candidates, chats, reviewer, workspace };
}

describe("one request to several models", () => {
  chatsIn({ "a.ts": source });

  it("gives what each of them proposes, and changes nothing", async () => {
    const { candidates, chats, reviewer } = await asking(["one", "two"]);
    assert.equal(await chat.askModels(request, candidates), "done");
    const turn = lastAnswer();
    assert.deepEqual(
      turn.candidates.map(({ chatId, model, end }) => [chatId, model, end?.reason, end?.files]),
      [
        [
          ...["candidate-one", "one", "done"],
          [{ path: "a.ts", base: source, text: source.replace("1;", "10;").replace("2;", "20;") }],
        ],
        [
          ...["candidate-two", "two", "done"],
          [{ path: "a.ts", base: source, text: source.replace("2;", "22;") }],
        ],
      ],
    );
    assert.equal(turn.inputTokens, 400);
    assert.deepEqual(reviewer.allPending(), []);
    assert.equal(await readFile(`${folder.root}/a.ts`, "utf8"), source);
    // Nothing waits in their own chats.
    assert.deepEqual(
      chats.map((each) => [...lastAnswer(each).edits.values()].map(({ status }) => status)),
      [["withdrawn", "withdrawn"], ["withdrawn"]],
    );
    // Each was asked once, and once more with its call's result.
    const asked = server.requests.map(({ body }) => body.model).sort();
    assert.deepEqual(asked, ["one", "one", "two", "two"]);
  });

  it("is on record with what was chosen, which is one proposal of the chat that asked", async () => {
    const { candidates, reviewer, workspace } = await asking(["one", "two"]);
    await chat.askModels(request, candidates);
    const turn = lastAnswer();
    const files = await compareAnswers(turn.candidates, testSyntax, signal);
    const { rows = [] } = files[0]?.comparison ?? {};
    const chosen = new Map(rows.map(({ id, paths }) => [id, paths[0] === "one" ? 0 : 1] as const));
    const choices = new Map([["a.ts", chosen]]);
    const combined = await combineAnswers(files, choices, testSyntax, signal);
    const text = source.replace("1;", "10;").replace("2;", "22;");
    assert.deepEqual(combined, { ok: true, value: [{ path: "a.ts", base: source, text }] });
    assert.ok(combined.ok);
    assert.deepEqual(await chat.proposeCombination(turn.id, combined.value), []);
    const resolved = await workspace.resolve("a.ts");
    assert.ok(resolved.ok);
    assert.equal(reviewer.pending(resolved.value)?.text, text);
    assert.deepEqual(
      reviewer.pending(resolved.value)?.blocks.map(({ origin }) => origin.turnId),
      [turn.id, turn.id],
    );
    const again = emptyTree();
    for (const event of chat.events()) applyTurnEvent(again, event);
    assert.deepEqual(again, chat.tree);
    assert.deepEqual(
      [...lastAnswer().edits.values()].map(({ path, status }) => [path, status]),
      [["a.ts", "pending"]],
    );
  });

  it("keeps what was written to the file since, and refuses what meets it", async () => {
    const { candidates, reviewer, workspace } = await asking(["one", "two"]);
    await chat.askModels(request, candidates);
    const { id } = lastAnswer();
    await folder.write("a.ts", source.replace("return 1;", "return 1 + 1;"));
    const file = await workspace.resolve("a.ts");
    assert.ok(file.ok);
    const meets = { path: "a.ts", base: source, text: source.replace("return 1;", "return 3;") };
    const refused = await chat.proposeCombination(id, [meets]);
    assert.deepEqual(refused, [
      { path: "a.ts", error: { code: "changed-meanwhile", path: "a.ts" } },
    ]);
    const apart = { path: "a.ts", base: source, text: source.replace("return 2;", "return 3;") };
    assert.deepEqual(await chat.proposeCombination(id, [apart]), []);
    assert.equal(
      reviewer.pending(file.value)?.text,
      source.replace("return 1;", "return 1 + 1;").replace("return 2;", "return 3;"),
    );
  });

  it("shows the error of one beside the answer of the other", async () => {
    const { candidates } = await asking(["broken", "two"]);
    assert.equal(await chat.askModels(request, candidates), "done");
    assert.deepEqual(
      lastAnswer().candidates.map(({ end }) => [end?.reason, end?.error !== null]),
      [
        ["error", true],
        ["done", false],
      ],
    );
  });

  it("ends for all of them when it is stopped", async () => {
    const stalls: ModelHandler = () => ({ text: "Wait.", stallAfter: 1 });
    const { candidates } = await asking(["one", "two"], stalls);
    const asked = chat.askModels(request, candidates);
    await Promise.all([server.request(0), server.request(1)]);
    chat.stop();
    assert.equal(await asked, "cancelled");
    assert.deepEqual(
      lastAnswer().candidates.map(({ end }) => end?.reason),
      ["cancelled", "cancelled"],
    );
  });
});
