import assert from "node:assert/strict";
import type { ComparedAnswers, ComparedPart } from "../../../src/protocol/candidateMessages.ts";
import type { TurnCandidate } from "../../../src/turns/turn.ts";
import { firstChoices, rowKey, rowVersions, takeAll } from "../../../webview/candidates/choices.ts";
import { candidateState } from "../../../webview/candidates/messages.ts";

const row = (id: string, effects: ComparedPart["effects"], sameAs: number[]): ComparedPart => ({
  ...{ id, part: "element", paths: [id] },
  ...{ effects, sameAs },
});
const both = row("both", ["changed", "changed", "same"], [0, 1, 2]);
const alike = row("alike", ["same", "added", "added"], [0, 1, 1]);
const files: ComparedAnswers[] = [
  { path: "a.ts", rows: [both, alike], whole: null, leftOut: [] },
  {
    path: "b.ts",
    rows: [row("both", ["same", "removed", "same"], [0, 1, 0])],
    whole: null,
    leftOut: [],
  },
];
const proposing = (chatId: string, count: number): TurnCandidate => ({
  ...{ chatId, model: chatId },
  end: {
    ...{ chatId, reason: "done", error: null, left: [] },
    files: Array.from({ length: count }, (_, at) => ({ path: `${at}`, base: null, text: null })),
  },
});

describe("what can be taken from several answers", () => {
  it("is the file as it is, and each version once", () => {
    assert.deepEqual(rowVersions(both), [
      { candidate: null, effect: "same", candidates: [2] },
      { candidate: 0, effect: "changed", candidates: [0] },
      { candidate: 1, effect: "changed", candidates: [1] },
    ]);
    assert.deepEqual(rowVersions(alike), [
      { candidate: null, effect: "same", candidates: [0] },
      { candidate: 1, effect: "added", candidates: [1, 2] },
    ]);
  });

  it("is all of one model, also where it has the version of another one", () => {
    const [key, other, third] = [
      rowKey("a.ts", both),
      rowKey("a.ts", alike),
      rowKey("b.ts", { id: "both" }),
    ];
    assert.deepEqual([...takeAll(files, 0)], [[key, 0]]);
    assert.deepEqual(
      [...takeAll(files, 1)],
      [
        [key, 1],
        [other, 1],
        [third, 1],
      ],
    );
    assert.deepEqual([...takeAll(files, 2)], [[other, 1]]);
  });

  it("is nothing at first, unless only one model proposes something", () => {
    const none = [0, 1, 2].map((at) => proposing(`chat-${at}`, 0));
    assert.deepEqual([...firstChoices(files, none)], []);
    const several = [0, 1, 2].map((at) => proposing(`chat-${at}`, at));
    assert.deepEqual([...firstChoices(files, several)], []);
    const only = [0, 1, 2].map((at) => proposing(`chat-${at}`, at === 1 ? 2 : 0));
    assert.deepEqual(firstChoices(files, only), takeAll(files, 1));
  });
});

describe("the state of a model that answers beside others", () => {
  const ended = (reason: "done" | "error" | "cancelled" | "length", count = 0): TurnCandidate => {
    const { end, ...candidate } = proposing("chat-1", count);
    return { ...candidate, end: end && { ...end, reason } };
  };
  const open: TurnCandidate = { chatId: "chat-1", model: "one", end: null };
  for (const [what, candidate, endReason, chat, tone] of [
    ["answers", open, null, "running", "busy"],
    ["asks the user", open, null, "waiting", "wait"],
    ["was cut off by a crash", open, "interrupted", null, "soft"],
    ["proposes changes", ended("done", 2), "done", null, "good"],
    ["proposes nothing", ended("done"), "done", null, "soft"],
    ["failed", ended("error"), "error", null, "bad"],
    ["was stopped", ended("cancelled"), "cancelled", null, "soft"],
    ["was cut off at its limit", ended("length", 1), "done", null, "wait"],
  ] as const)
    it(`tells one that ${what}`, () => {
      assert.equal(candidateState(candidate, { endReason }, chat).tone, tone);
    });
});
