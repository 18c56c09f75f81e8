import assert from "node:assert/strict";
import { contextUsage } from "../../../webview/composer/contextUsage.ts";
import { turnFacts, usageDetails, usageLines } from "../../../webview/messages.ts";
import { TurnScript } from "../../fakes/turns/turnScript.ts";
import { answersOf, shownTurn } from "./shownTurn.ts";

const use = {
  window: 128_000,
  reserve: 16_000,
  system: 900,
  tools: 6_200,
  attachments: 2_100,
  history: 30_000,
};
const turn = shownTurn(new TurnScript().ask("Go").add({ type: "context-use", use }));
const next = { model: "test-model", next: undefined, draft: 0 };
const small = { ...next, model: "Small", next: { model: "small-1", window: 20_000 } };
const short = { ...use, system: 1_000, tools: 6_000, attachments: 0, history: 3_000 };

describe("how full the context window is", () => {
  it("is not known before the first request", () => {
    assert.equal(contextUsage(null, next), null);
    assert.equal(contextUsage(shownTurn(new TurnScript().ask("Go")), next), null);
  });

  it("says what takes the window, and what is left", () =>
    assert.deepEqual(contextUsage(turn, next), {
      percent: 31,
      isNearlyFull: false,
      total: "39k of 128k tokens",
      parts: [
        ["System prompt", 900],
        ["Tools", 6_200],
        ["Attachments", 2_100],
        ["Conversation", 30_000],
        ["Reserved for the answer", 16_000],
        ["Left", 72_800],
      ],
      answered: null,
      model: "test-model",
    }));

  it("is that of the model chosen now, with what is attached to the draft", () => {
    const last = { ...turn, contextUse: short };
    assert.equal(contextUsage(last, next)?.percent, 8);
    assert.equal(
      contextUsage(last, { ...next, next: { model: turn.model, window: 9 } })?.percent,
      8,
    );
    const usage = contextUsage(last, small);
    assert.equal(usage?.percent, 50);
    assert.deepEqual([usage?.total, usage?.model], ["10k of 20k tokens", "Small"]);
    assert.equal(usage?.answered, "Last answer: demo");
    assert.deepEqual(usage?.parts.slice(-2), [
      ["Reserved for the answer", 5_000],
      ["Left", 5_000],
    ]);
    const attached = contextUsage(last, { ...small, draft: 4_000 });
    assert.equal(attached?.percent, 70);
    assert.deepEqual(attached?.parts.slice(-3), [
      ["Attached to the draft", 4_000],
      ["Reserved for the answer", 5_000],
      ["Left", 1_000],
    ]);
  });

  it("warns from four fifths of what a request may take, and is never more than full", () => {
    const draft = (tokens: number) =>
      contextUsage({ ...turn, contextUse: short }, { ...small, draft: tokens });
    assert.equal(draft(2_000)?.isNearlyFull, false);
    assert.equal(draft(2_001)?.isNearlyFull, true);
    assert.deepEqual([draft(20_000)?.percent, draft(20_000)?.parts.at(-1)], [100, ["Left", 0]]);
  });
});

describe("what an answer used", () => {
  const used = (more: object = {}) => ({
    type: "usage" as const,
    usage: { inputTokens: 9_000, outputTokens: 1_000, ...more },
  });
  const asked = (...usages: readonly ReturnType<typeof used>[]) => {
    const script = new TurnScript();
    for (const usage of usages) script.ask("Go").add(usage).text("Yes.").end();
    return answersOf(script).map((each) => ({ ...each, endedAt: each.startedAt + 75_000 }));
  };
  const paid = used({ cachedInputTokens: 6_300, cost: 0.042 });
  const rows: readonly [what: string, usage: typeof paid, line: string, details: string][] = [
    [
      "tokens",
      used(),
      "75 s · 10,000 tokens",
      "demo\nInput 9,000, output 1,000\nThis chat: 20,000 tokens",
    ],
    [
      "cached share and cost",
      paid,
      "75 s · 10,000 tokens · 70% cached · $0.04",
      "demo\nInput 9,000 (6,300 from the cache), output 1,000\nThis chat: 20,000 tokens · 70% cached · $0.08",
    ],
    [
      "thinking and estimates",
      used({ reasoningTokens: 400, estimated: "tokens" }),
      "75 s · ≈10,000 tokens",
      "demo\nInput ≈9,000, output ≈1,000\n400 of the output for thinking\nThis chat: ≈20,000 tokens\n≈ estimated by Graft: the server did not say",
    ],
  ];
  for (const [what, usage, line, details] of rows)
    it(`is on one line with ${what}, and the whole chat's in its details`, () => {
      const answers = asked(usage, usage);
      const [, last] = answers;
      assert.ok(last);
      assert.equal(turnFacts(last), line);
      assert.equal(usageDetails(last, answers), details);
      assert.deepEqual(usageLines(last, answers), details.split("\n").slice(1));
    });
});
