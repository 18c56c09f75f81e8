import assert from "node:assert/strict";
import { mock } from "node:test";
import { createChatProposals } from "../../../../src/edits/propose/commandChanges.ts";
import { editBlock } from "../../../fakes/turns/applyTo.ts";
import { EditTurn } from "../../../fakes/turns/editTurn.ts";
import { WindowReviewer } from "../../../fakes/turns/windowReviewer.ts";

const A = "src/a.ts";
const TEXT = `export function add(a: number, b: number) {
  return a - b;
}

export function half(a: number) {
  return a / 2;
}
`;
const addition = (body: string) =>
  editBlock("ast-path:add", `export function add(a: number, b: number) {\n  return ${body};\n}`);

describe("what a chat is told of a block that another one replaced", () => {
  let reviewer: WindowReviewer;
  let first: EditTurn;

  /** A chat of this file, whose model has read it. */
  async function chat(chatId: string): Promise<EditTurn> {
    const turn = new EditTurn({ [A]: TEXT }, reviewer, null, chatId);
    await turn.read(A);
    return turn;
  }

  async function propose(turn: EditTurn, block: string): Promise<void> {
    await turn.edit({ file_path: A });
    await turn.say(block);
    await reviewer.settle();
  }

  async function command(turn: EditTurn, change: (text: string) => string): Promise<void> {
    const before = reviewer.pending({ path: A, uri: "" })?.text ?? TEXT;
    const { turnId, hub } = turn;
    const { signal } = new AbortController();
    const context = { turnId, callId: "command", emit: hub.emitter(turnId), signal };
    const changes = [{ path: A, text: change(before), before, executable: false }];
    const proposed = createChatProposals(turn.deps).propose({ changes, modes: [] }, context);
    await reviewer.settle();
    assert.deepEqual((await proposed).refused, []);
  }

  const toReplace = () => {
    const hunk = reviewer.review.hunks().find(({ real }) => real.start < 3);
    assert.ok(hunk);
    return [hunk.id];
  };
  const accept = async () => {
    const accepted = reviewer.review.decisions.accept(toReplace());
    await reviewer.settle();
    await accepted;
  };
  const reject = async () => {
    reviewer.review.decisions.reject(toReplace());
    await reviewer.settle();
  };
  const undo = async () => {
    const { text } = reviewer.real.model ?? { text: "" };
    const start = text.indexOf("b + a");
    assert.ok(reviewer.real.type([{ start, end: start + 5, newText: "a - b" }]));
    await reviewer.settle();
  };

  const replace = async (turn: EditTurn) => propose(turn, addition("b + a"));
  const others: Readonly<Record<string, () => Promise<EditTurn>>> = {
    "another chat": async () => {
      const turn = await chat("chat-2");
      await replace(turn);
      return turn;
    },
    "an agent outside": async () => {
      const turn = await chat("guest-1");
      await replace(turn);
      return turn;
    },
    "another chat's command": async () => {
      const turn = await chat("chat-2");
      await command(turn, (text) => text.replace("a + b", "b + a"));
      return turn;
    },
  };
  const third = async () => propose(await chat("chat-3"), addition("b - a"));
  const restore = (turn: EditTurn) => propose(turn, addition("a - b"));
  const ways: readonly (readonly [
    what: string,
    became: string | undefined,
    ...steps: ((turn: EditTurn) => Promise<void>)[],
  ])[] = [
    ["waits", undefined],
    ["was accepted", "applied", accept],
    ["was rejected", "rejected", reject],
    ["was accepted and undone", undefined, accept, undo],
    ["was accepted, undone and rejected", "rejected", accept, undo, reject],
    ["was taken back", "withdrawn", restore],
    ["was replaced in turn", undefined, third],
    ["was replaced in turn, by a text that was rejected", "rejected", third, reject],
  ];

  beforeEach(async () => {
    mock.timers.enable({ apis: ["setTimeout", "Date"] });
    reviewer = new WindowReviewer(A, TEXT);
    first = await chat("chat-1");
    await propose(first, editBlock("ast-path:add:2:2", "  return a + b;"));
    // What else waits keeps the review open.
    const half = "export function half(a: number) {\n  return a * 0.5;\n}";
    await propose(first, editBlock("ast-path:half", half));
  });

  afterEach(() => mock.timers.reset());

  const told = () => reviewer.decided.findLast(([turnId]) => turnId === first.turnId)?.[1];

  for (const [who, act] of Object.entries(others))
    for (const [what, became, ...steps] of ways)
      it(`says that its text is gone, and that the one of ${who} ${what}`, async () => {
        const turn = await act();
        for (const step of steps) await step(turn);
        assert.deepEqual(told(), {
          blockId: first.blocks[0]?.blockId,
          status: "superseded",
          reason: { code: "superseded", ofOthers: true, ...(became && { became }) },
        });
        assert.doesNotMatch(reviewer.review.proposedText, /a \+ b/);
      });

  it("does not say that others replaced it where its own chat did so last", async () => {
    await replace(await chat("chat-2"));
    await first.read(A);
    await propose(first, addition("b - a"));
    await reject();
    assert.deepEqual(told()?.reason, { code: "rejected-by-user" });
    const own = reviewer.decided.filter(
      ([id, { blockId }]) => id === first.turnId && blockId === first.blocks[0]?.blockId,
    );
    assert.deepEqual(own.at(-1)?.[1].reason, { code: "superseded" });
  });
});
