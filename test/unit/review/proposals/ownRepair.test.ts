import assert from "node:assert/strict";
import { mock } from "node:test";
import { createChatProposals } from "../../../../src/edits/propose/commandChanges.ts";
import { pluck } from "../../../fakes/pluck.ts";
import { editBlock } from "../../../fakes/turns/applyTo.ts";
import { EditTurn } from "../../../fakes/turns/editTurn.ts";
import { WindowReviewer } from "../../../fakes/turns/windowReviewer.ts";

const A = "src/a.ts";
const TEXT = [
  "/** Adds. */",
  "export function add(a: number, b: number) {",
  "  return a - b;",
  "}",
  "",
  "export function half(a: number) {",
  "  return a / 2;",
  "}",
  "",
].join("\n");

describe("a model that fixes its own proposal", () => {
  let reviewer: WindowReviewer;
  let turn: EditTurn;
  let step = 0;

  beforeEach(() => {
    mock.timers.enable({ apis: ["setTimeout", "Date"] });
    reviewer = new WindowReviewer(A, TEXT);
    turn = new EditTurn({ [A]: TEXT }, reviewer);
  });

  afterEach(() => {
    turn.hub.turnEnd();
    mock.timers.reset();
  });

  /** A message as slow as a model writes: the preview shows it as it grows. */
  async function write(text: string, meanwhile: () => void = () => undefined) {
    turn.hub.messageStart(++step);
    for (const line of text.split(/(?<=\n)/)) {
      turn.hub.emit(turn.turnId, { type: "text-delta", text: line });
      await reviewer.settle();
    }
    meanwhile();
    await reviewer.settle();
    const told = turn.hub.messageEnd(
      { reason: "tool-calls", moreCalls: true },
      new AbortController().signal,
    );
    await reviewer.settle();
    return told;
  }

  const command = async (change: (text: string) => string) => {
    const before = reviewer.pending({ path: A, uri: "" })?.text ?? TEXT;
    const context = {
      turnId: turn.turnId,
      callId: `command-${step}`,
      emit: turn.hub.emitter(turn.turnId),
      signal: new AbortController().signal,
    };
    const proposed = createChatProposals(turn.deps).propose(
      { changes: [{ path: A, text: change(before), before, executable: false }], modes: [] },
      context,
    );
    await reviewer.settle();
    assert.deepEqual((await proposed).refused, []);
  };

  const add = (body: string) => `export function add(a: number, b: number) {\n  return ${body};\n}`;
  const acceptAll = async () => {
    const sound = reviewer.review
      .hunks()
      .filter(({ warnings, conflict }) => warnings.length === 0 && !conflict);
    const accepted = reviewer.review.decisions.accept(pluck(sound, "id"));
    await reviewer.settle();
    await accepted;
  };

  for (const [format, parameters, block] of [
    ["an element", {}, (body: string) => editBlock("ast-path:add", add(body))],
    [
      "an element with its comment",
      { use_line_numbers: false },
      (body: string) => editBlock("ast-path:add:with-comment", `/** Adds. */\n${add(body)}`),
    ],
    ["lines", { use_line_numbers: true }, (body: string) => editBlock("3:3", `  return ${body};`)],
    [
      "the whole file",
      { complete_file: true },
      (body: string) => `\`\`\`ts\n${TEXT.replace("a - b", body)}\`\`\`\n`,
    ],
  ] as const)
    for (const between of ["nothing", "a command that formats another place"] as const)
      it(`is told of no edit of the user's, and accept all takes all: ${format}, ${between} in between`, async () => {
        await turn.read(A);
        for (const body of ["b - a", "b + a", "a + b"]) {
          await turn.edit({ file_path: A, ...parameters });
          await write(block(body));
          if (between === "nothing") continue;
          await command((text) => text.replace(/(a \/ 2);.*/, `$1; // ${body}`));
          await turn.read(A);
        }
        assert.deepEqual(
          turn.blocks.flatMap(({ warnings }) => pluck(warnings, "code")),
          [],
        );
        await acceptAll();
        assert.deepEqual(reviewer.review.hunks(), []);
        assert.match(reviewer.real.model?.text ?? "", /return a \+ b;/);
      });

  it("is told of an edit that the user makes to that element while it writes", async () => {
    await turn.read(A);
    await turn.edit({ file_path: A });
    await write(editBlock("ast-path:add", add("b - a")));
    await turn.edit({ file_path: A });
    await write(editBlock("ast-path:add", add("a + b")), () => {
      assert.ok(reviewer.real.type([{ start: 0, end: 11, newText: "/** Sums up. */" }]));
      assert.ok(
        reviewer.real.type([
          { start: TEXT.indexOf("a - b"), end: TEXT.indexOf("a - b") + 1, newText: "aa" },
        ]),
      );
    });
    assert.ok(reviewer.review.hunks().some(({ conflict }) => conflict));
  });

  it("is seen by reads as it was before the message that is being written", async () => {
    await turn.read(A);
    await turn.edit({ file_path: A });
    await write(editBlock("ast-path:add", add("b - a")));
    await turn.edit({ file_path: A });
    let seen: string | undefined;
    await write(editBlock("ast-path:add", add("a + b")), () => {
      seen = reviewer.pending({ path: A, uri: "" })?.text;
    });
    assert.equal(seen, TEXT.replace("a - b", "b - a"));
  });
});
