import assert from "node:assert/strict";
import * as fc from "fast-check";
import { english } from "../../../src/base/localize.ts";
import type { TurnEventBody } from "../../../src/turns/turnEvent.ts";
import { SpokenAnswer } from "../../../src/voice/spokenAnswer.ts";
import { arbitraryTurnEvents } from "../turns/arbitraryTurnEvents.ts";

const START = { parentTurnId: null, text: "Hi", model: null, editFile: null, activeFile: null };
const agent = (parentTurnId: string): TurnEventBody => ({
  ...START,
  type: "turn-start",
  role: "agent",
  parentTurnId,
});
const text = (words: string): TurnEventBody => ({ type: "text-delta", text: words });
const step = (index: number): TurnEventBody => ({ type: "step-start", step: index });
const call = (callId: string): TurnEventBody[] => [
  { type: "tool-call-start", callId, name: "read_file" },
  { type: "tool-result", callId, status: "success", output: "", error: null, durationMs: 1 },
];
const end = (reason: "done" | "cancelled" | "error" = "done"): TurnEventBody => ({
  type: "turn-end",
  reason,
  error: null,
});

/** What is released of a spoken turn with these events. */
function heardOf(
  bodies: readonly TurnEventBody[],
  isSpoken = true,
): readonly (readonly string[])[] {
  const released: string[][] = [];
  const gate = new SpokenAnswer(
    () => new Held(),
    (_turn, speech) => released.push(speech?.texts ?? []),
    english,
  );
  const all = [
    {
      turnId: "u",
      body: {
        ...START,
        type: "turn-start" as const,
        role: "user" as const,
        ...(isSpoken && { spoken: true as const }),
      },
    },
    { turnId: "a", body: agent("u") },
    ...bodies.map((body) => ({ turnId: "a", body })),
  ];
  for (const [index, { turnId, body }] of all.entries())
    gate.takeEvent({ ...body, seq: index + 1, turnId, at: 0 });
  return released;
}

class Held {
  readonly texts: string[] = [];
  dropped = false;
  add(sentence: { readonly text: string }, index: number): void {
    this.texts.push(`${index} ${sentence.text}`);
  }
  drop(): void {
    this.dropped = true;
  }
}

describe("what is heard of an answer", () => {
  it("is what was written after the last result, once the turn is over", () => {
    const before = [
      step(0),
      text("I will look. Really."),
      ...call("c1"),
      ...call("c2"),
      step(1),
      text("One moment. "),
      ...call("c3"),
    ];
    assert.deepEqual(heardOf([...before, step(2), text("All is well. Bye."), end()]), [
      ["2 All is well.", "2 Bye."],
    ]);
    assert.deepEqual(
      heardOf([
        step(0),
        text("Renamed."),
        { type: "edit-report", text: "" },
        step(1),
        text("Done."),
        end(),
      ]),
      [["0 Renamed.", "1 Done."]],
    );
  });

  it("is nothing of a typed message's answer, and of one that was stopped or failed", () => {
    assert.deepEqual(heardOf([step(0), text("Hello."), end()], false), []);
    assert.deepEqual(heardOf([step(0), text("Hello."), end("cancelled")]), []);
    assert.deepEqual(heardOf([step(0), text("Hello."), end("error")]), []);
  });

  it("is what follows the first spoken message of a turn that was typed", () => {
    const said: TurnEventBody = { type: "user-message", text: "Also run the tests", spoken: true };
    assert.deepEqual(
      heardOf(
        [step(0), text("No."), ...call("c"), said, step(1), text("They pass."), end()],
        false,
      ),
      [["1 They pass."]],
    );
  });

  it("never precedes the last result or call of its turn, in any trace", () => {
    const turn = fc
      .array(
        fc.oneof(
          fc.constantFrom(step(0), step(1), step(2)),
          fc.constantFrom("c1", "c2").map(call),
          fc.string({ maxLength: 12 }).map(text),
        ),
        {
          maxLength: 12,
        },
      )
      .map((bodies) => bodies.flat());
    fc.assert(
      fc.property(
        fc.array(turn, { minLength: 1, maxLength: 3 }),
        arbitraryTurnEvents,
        (turns, noise) => {
          const spoken = turns.flatMap((bodies, index) => [
            {
              turnId: `su${index}`,
              body: {
                ...START,
                type: "turn-start" as const,
                role: "user" as const,
                spoken: true as const,
              },
            },
            { turnId: `sa${index}`, body: agent(`su${index}`) },
            ...bodies.map((body) => ({ turnId: `sa${index}`, body })),
            { turnId: `sa${index}`, body: end() },
          ]);
          const all = [...noise.map(({ turnId, ...body }) => ({ turnId, body })), ...spoken];
          const released = new Map<string, number>();
          let now = 0;
          const gate = new SpokenAnswer(
            () => ({
              added: [] as number[],
              add: () => undefined,
              drop: () => undefined,
              since: now,
            }),
            (turnId, speech) => {
              assert.ok(!released.has(turnId), "released once");
              released.set(turnId, now);
              const lastCall = all.findLastIndex(
                ({ turnId: of, body }, index) =>
                  index <= now &&
                  of === turnId &&
                  (body.type === "tool-call-start" || body.type === "tool-result"),
              );
              assert.ok(
                speech === null || speech.since > lastCall,
                "prepared before the last call",
              );
            },
            english,
          );
          for (const [index, { turnId, body }] of all.entries()) {
            now = index;
            gate.takeEvent({ ...body, seq: index + 1, turnId, at: 0 });
          }
          for (const index of turns.keys()) assert.ok(released.has(`sa${index}`));
        },
      ),
      { numRuns: 500 },
    );
  });
});
