import assert from "node:assert/strict";
import { PanelQuestion } from "../../../../src/host/panel/panelQuestion.ts";
import type { QuestionRequest } from "../../../../src/ports/question.ts";

const CHAT = { tree: { turns: { has: () => true } } };

const never = new AbortController().signal;

function request(kind: QuestionRequest["kind"], options: readonly string[] = []): QuestionRequest {
  return { turnId: "t", callId: "c", kind, question: "Which?", options };
}

describe("a question in the panel", () => {
  it("takes the answer to an open question only", async () => {
    const panel = new PanelQuestion();
    const counts: number[] = [];
    panel.open.onChange((open) => counts.push(open.length));
    const answer = panel.ask(request("choice", ["a", "b"]), never);
    assert.deepEqual(counts, [1]);
    panel.answer(CHAT, "another", ["a"]);
    panel.answer(CHAT, "c", ["b"]);
    assert.deepEqual(await answer, { answered: true, values: ["b"] });
    assert.deepEqual(counts, [1, 0]);
    panel.answer(CHAT, "c", ["late"]);
  });

  it("can be skipped, and ends with the turn", async () => {
    const panel = new PanelQuestion();
    const skipped = panel.ask(request("confirm"), never);
    panel.answer(CHAT, "c", null);
    assert.deepEqual(await skipped, { answered: false, why: "skipped" });
    const stop = new AbortController();
    const stopped = panel.ask(request("confirm"), stop.signal);
    stop.abort();
    assert.equal((await stopped).answered, false);
    assert.equal((await panel.ask(request("confirm"), stop.signal)).answered, false);
  });
});
