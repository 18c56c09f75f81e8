import assert from "node:assert/strict";
import { mock } from "node:test";
import { createChatProposals } from "../../../../src/edits/propose/commandChanges.ts";
import { ReviewState } from "../../../../src/edits/review/reviewState.ts";
import type { PendingProposal, Review, ReviewOrigin } from "../../../../src/ports/review.ts";
import type { FileRef, FileSnapshot } from "../../../../src/ports/workspace.ts";
import { FileReview } from "../../../../src/review/proposals/fileReview.ts";
import type { FakeDocument } from "../../../fakes/editor/fakeEditor.ts";
import {
  ProposalEditor,
  quietHost,
  RealEditor,
  settleEditors,
} from "../../../fakes/editor/reviewedEditors.ts";
import { pluck } from "../../../fakes/pluck.ts";
import { seededRandom } from "../../../fakes/seededRandom.ts";
import { editBlock } from "../../../fakes/turns/applyTo.ts";
import { EditTurn } from "../../../fakes/turns/editTurn.ts";
import { RecordingReviewer } from "../../../fakes/turns/recordingReviewer.ts";

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

/** The window's own review of one file, as the reviewer of a turn. */
class WindowReviewer extends RecordingReviewer {
  readonly real: RealEditor;
  readonly shown: ProposalEditor;
  readonly review: FileReview<FakeDocument>;

  constructor() {
    super();
    const random = seededRandom(1);
    const model = new ReviewState(TEXT);
    this.real = new RealEditor(TEXT, "\n", random, () => this.review);
    this.shown = new ProposalEditor(TEXT, "\n", random, () => this.review);
    const { real, shown } = this;
    const file = { path: A, uri: `memory:///${A}` };
    this.review = new FileReview<FakeDocument>(
      { id: "review", begunAt: 0, file, exists: true, blocks: [] },
      {
        ...quietHost(real, random),
        model,
        memory: shown.memory,
        apply: (document, edits) =>
          (document === real.known ? real : shown).edit(document, edits, () => undefined),
        save: () => shown.save("menu", () => []),
        keepRecord: async () => undefined,
        over: () => this.review.proposal.finish(),
        log: (text) => assert.fail(text),
      },
    );
    real.open();
    shown.open();
  }

  override open(snapshot: FileSnapshot, origin: ReviewOrigin): Review {
    return this.review.begin(snapshot.text, origin);
  }

  override pending(_file: FileRef): PendingProposal | null {
    return this.review.complete();
  }

  override allPending(): readonly PendingProposal[] {
    return [this.review.complete()].flatMap((pending) => pending ?? []);
  }

  settle(): Promise<void> {
    return settleEditors(this.real, () => this.shown);
  }
}

describe("a model that fixes its own proposal", () => {
  let reviewer: WindowReviewer;
  let turn: EditTurn;
  let step = 0;

  beforeEach(() => {
    mock.timers.enable({ apis: ["setTimeout", "Date"] });
    reviewer = new WindowReviewer();
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
