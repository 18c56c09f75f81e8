import assert from "node:assert/strict";
import { mock } from "node:test";
import { ReviewState } from "../../../../src/edits/review/reviewState.ts";
import type { TextEdit } from "../../../../src/edits/text/changeSet.ts";
import type { BlockOutcome, Proposal, Review } from "../../../../src/ports/review.ts";
import { FileReview } from "../../../../src/review/proposals/fileReview.ts";
import { campaignRuns } from "../../../fakes/campaignRuns.ts";
import type { FakeDocument, FakeEditor } from "../../../fakes/editor/fakeEditor.ts";
import {
  bare,
  marksIn,
  newTask,
  proposalAt,
  proposalIn,
  stepping,
  type Task,
  unmarked,
} from "../../../fakes/editor/randomTask.ts";
import {
  breathe,
  liveRandomly,
  lostTyping,
  noteGone,
  ProposalEditor,
  quietHost,
  RealEditor,
  settleEditors,
} from "../../../fakes/editor/reviewedEditors.ts";
import { seededRandom } from "../../../fakes/seededRandom.ts";

const RUNS = campaignRuns(500, 3_000);

/**
 * One random life of a review on two editors that are as slow and jumbled as they like; throws
 * where a promise of the preview is broken.
 */
async function live(seed: number): Promise<void> {
  const random = seededRandom(seed);
  const task = newTask(random);
  const lineEnd = random(3) === 0 ? "\r\n" : "\n";
  const base = task.base.map((line) => line + lineEnd).join("");
  const cleanUp = (["nothing", "blanks", "anything"] as const)[random(3)] ?? "nothing";
  const model = new ReviewState(base);
  const typedInProposal = new Set<string>();
  const typedInFile = new Set<string>();
  const givenUp = new Set<string>();
  const offered = new Set<string>();
  let marks = 0;
  /** What the user changed in the proposal so far. */
  let changes = 0;

  const known = new Set([...task.base, ...task.blocks.flatMap(({ lines }) => lines)].map(bare));
  /**
   * A text of the file or the proposal holds lines of the base and of the answer and nothing else,
   * each once, in order.
   */
  const isSound = (text: string, what: string) => {
    const lines = text
      .split("\n")
      .map(bare)
      .filter((line) => line !== "");
    for (const line of lines)
      assert.ok(known.has(line), `${what} has the line ${JSON.stringify(line)}`);
    assert.equal(new Set(lines).size, lines.length, `${what} has a line twice`);
    const old = lines
      .filter((line) => line.startsWith("old"))
      .map((line) => Number.parseInt(line.slice(3), 10));
    assert.deepEqual(
      old,
      [...old].sort((a, b) => a - b),
      `${what} is out of order`,
    );
    const found = marksIn(text);
    assert.equal(new Set(found).size, found.length, `${what} has typed text twice`);
  };

  const userEdited = model.userEdited.bind(model);
  model.userEdited = (side, edits, after) => {
    if (side === "proposed") {
      assert.equal(
        unmarked(after),
        unmarked(model.proposed),
        "text that nobody typed counts as typed",
      );
      isSound(after, "the proposal");
    }
    return userEdited(side, edits, after);
  };
  const real: RealEditor = new RealEditor(base, lineEnd, random, () => review);
  const shown: ProposalEditor = new ProposalEditor(base, lineEnd, random, () => review);
  const complaints: string[] = [];
  const review: FileReview<FakeDocument> = new FileReview<FakeDocument>(
    {
      id: "review",
      begunAt: 0,
      file: { path: "a.ts", uri: "file:///a.ts" },
      exists: true,
      blocks: [],
    },
    {
      ...quietHost(real, random),
      model,
      memory: shown.memory,
      apply: (document, edits) =>
        document === real.known
          ? real.edit(document, edits, (before, after) => {
              isSound(after, "the file");
              const lost = marksIn(before).filter((mark) => !marksIn(after).includes(mark));
              assert.deepEqual(lost, [], "accepting takes what the user typed in the file");
            })
          : shown.edit(document, edits, (before, after) => {
              isSound(after, "the diff");
              assert.deepEqual(
                lostTyping(before, after, givenUp),
                [],
                "Graft takes what the user typed in the proposal",
              );
            }),
      save: () => shown.save("menu", cleanUpEdits),
      cleanUpOnSave: () => cleanUp,
      isInUse: () => shown.isInUse,
      events: {
        applied: (_origin, { before, after }) =>
          isSound(after ?? "", `what was applied to ${before?.length}`),
        decided: (_origin, _path, blocks, diff) => {
          for (const block of blocks) outcomes.set(block.blockId, block);
          userDiff = diff;
        },
      },
      keepRecord: async () => undefined,
      show: ({ type }) => {
        if (type !== "typed-late") return;
        for (const mark of marksIn(review.proposal.text)) offered.add(mark);
      },
      over: async () => {
        // Of the first words in a tab that just opened nobody has heard yet.
        const [before, began, known] = [changes, Date.now(), shown.isKnown];
        await review.proposal.finish();
        const gaveUp = Date.now() - began >= 15_000;
        if (known && shown.model?.dirty && changes === before && !gaveUp)
          complaints.push("closing the diff asks whether to save it");
        await shown.closeForGood();
      },
      log: (message) => complaints.push(message),
    },
  );

  function cleanUpEdits(text: string): TextEdit[] {
    if (cleanUp === "nothing") return [];
    const pattern = cleanUp === "blanks" ? /[ \t]+(?=\r?\n|$)/g : /(?<=\S) {2}(?=\S)/g;
    const edits = [...text.matchAll(pattern)].map((match) => ({
      start: match.index,
      end: match.index + match[0].length,
      newText: "",
    }));
    const spaced = cleanUp === "blanks" ? edits : edits.map((edit) => ({ ...edit, newText: " " }));
    if (cleanUp !== "anything") return spaced;
    // In the focused editor, one place cannot be told from the user's own hand.
    if (shown.isFocused) return spaced.length < 2 ? [] : spaced;
    return random(2) === 0 ? spaced.slice(0, 1) : spaced;
  }

  /** A mark put somewhere into some lines of a text. */
  function typing(text: string, kind: "r" | "p"): TextEdit[] {
    const ends = [...text.matchAll(/\r?\n/g)].map((match) => match.index);
    const places = new Set<number>();
    for (let count = random(5) === 0 ? 2 : 1; count > 0; count--) {
      const index = random(ends.length);
      const end = ends[index] ?? 0;
      const start = index === 0 ? 0 : text.indexOf("\n", ends[index - 1]) + 1;
      const line = text.slice(start, end);
      const boundaries = [...line.matchAll(/‹[^›]*›|./gu)].map((match) => start + match.index);
      places.add([...boundaries, end][random(boundaries.length + 1)] ?? end);
    }
    return [...places]
      .sort((a, b) => a - b)
      .map((at) => ({ start: at, end: at, newText: `‹${kind}${++marks}›` }));
  }

  function decideSomething(): void {
    const hunks = review.hunks();
    const hunk = hunks[random(Math.max(1, hunks.length))];
    if (!hunk) return;
    const what = random(5);
    const editor = random(2) === 0 ? shown : real;
    editor.afterEvents(() => {
      if (what < 2) void review.decisions.accept([hunk.id]);
      else if (what < 4) void rejecting([hunk.id]);
      else
        void review.decisions.accept(hunks.filter(({ conflict }) => !conflict).map(({ id }) => id));
    });
  }

  async function rejecting(ids: readonly string[]): Promise<void> {
    const reject = model.reject.bind(model);
    model.reject = (chosen) => {
      const before = model.proposed;
      const rejected = reject(chosen);
      noteGone(givenUp, before, model.proposed);
      return rejected;
    };
    await review.decisions.reject(ids);
  }

  // Two messages write to the proposal, or one.
  const cut = random(3) === 0 ? task.blocks.length : random(task.blocks.length);
  const messages = [task.blocks.slice(0, cut), task.blocks.slice(cut)].filter(
    (blocks) => blocks.length > 0,
  );
  const outcomes = new Map<string, BlockOutcome>();
  let userDiff: string | null = null;
  let message: {
    readonly review: Review;
    readonly at: (arrived: number) => Proposal;
    readonly lines: number;
  } | null = null;
  let arrived = 0;
  let answering: Promise<unknown> = Promise.resolve();
  const begin = (blocks: Task["blocks"], first: number) => {
    const seen = model.proposed;
    const part = { base: task.base, blocks };
    const at = stepping(seed % 4 === 0, first, (count) =>
      first === 0 ? proposalAt(part, count, lineEnd) : proposalIn(seen, part, count, lineEnd),
    );
    // The model saw what it replaces.
    if (first > 0) noteGone(givenUp, seen, at(Number.POSITIVE_INFINITY).text);
    arrived = 0;
    const origin = { chatId: "chat", turnId: `turn-${first}`, callId: "call" };
    message = {
      review: review.begin(seen, origin),
      at,
      lines: blocks.reduce((sum, block) => sum + block.lines.length, 0),
    };
  };
  const write = () => {
    if (!message) {
      const [next] = messages;
      if (!next || review.ended) return;
      messages.shift();
      begin(
        next,
        task.blocks.indexOf(next[0] ?? task.blocks[0] ?? { start: 0, end: 0, lines: [] }),
      );
      return;
    }
    arrived = Math.min(message.lines, arrived + 1 + random(2));
    const { review: part, at } = message;
    const count = arrived;
    if (arrived < message.lines) part.update(() => at(count));
    else {
      message = null;
      answering = part.propose(at(count), false).then(({ blocks }) => {
        for (const block of blocks) outcomes.set(block.blockId, block);
      });
    }
  };
  const undone = new Set<string>();
  const undoIn = (editor: FakeEditor) => {
    const before = editor.model?.text ?? "";
    // What the answer wrote, and what was typed in the file, stays in the proposal; a decision may
    // be undone there.
    const mayUndo = (by: "others" | "answer", text: string, earlier: string) =>
      editor === shown && (by === "answer" || unmarked(text) === unmarked(earlier));
    if (!editor.undo(mayUndo)) return;
    changes++;
    const kind = editor === shown ? "‹p" : "‹r";
    const gone = new Set<string>();
    noteGone(gone, before, editor.model?.text ?? "");
    for (const mark of gone) if (mark.startsWith(kind)) undone.add(mark);
  };
  const actions: (() => void)[] = [
    write,
    () => {
      const edits = real.model ? typing(real.model.text, "r") : [];
      if (real.type(edits)) for (const { newText } of edits) typedInFile.add(newText);
    },
    () => {
      // Nobody opens the proposal of a review that is over.
      if (!shown.model) return review.ended ? undefined : shown.open();
      const edits = typing(shown.model.text, "p");
      if (!shown.type(edits)) return;
      changes++;
      for (const { newText } of edits) typedInProposal.add(newText);
    },
    () => shown.focus(false),
    () => undoIn(shown),
    () => undoIn(real),
    () => {
      const kind = (["plain", "auto", "menu"] as const)[random(3)] ?? "plain";
      // Nothing is formatted when it is saved by itself after a delay.
      void shown.save(kind, kind === "auto" && cleanUp === "anything" ? () => [] : cleanUpEdits);
    },
    () => void real.save("plain", () => []),
    () => (random(3) === 0 ? shown.close() : review.ended || shown.open()),
    () => (random(4) === 0 ? shown.relabel() : undefined),
    () => (random(4) === 0 ? real.relabel() : undefined),
    () => {
      const { model: window, file } = real;
      if (!window || window.dirty || window.text !== file.text || real.waiting > 0) return;
      const edit = typing(file.text, "r")[0];
      if (edit)
        real.writeOutside(
          file.text.slice(0, edit.start) + edit.newText + file.text.slice(edit.end),
        );
    },
    decideSomething,
    () => mock.timers.tick(random(10_000)),
  ];
  const settle = () => settleEditors(real, () => shown);

  real.open();
  await settle();
  const slowness = 1 + random(6);
  for (let step = 0; step < 60; step++) {
    if (random(slowness) === 0) actions[random(actions.length)]?.();
    else (random(2) === 0 ? real : shown).deliver();
    await breathe();
    assert.deepEqual(complaints, []);
  }
  while (!review.ended && (message || messages.length > 0)) {
    write();
    await settle();
  }
  await answering;
  await settle();
  if (!review.ended) {
    assert.equal(review.proposal.isBehind, false, "the diff never catches up");
    assert.equal(model.proposed, review.proposal.text);
    if (shown.model)
      assert.equal(
        bare(shown.model.text),
        bare(model.proposed),
        "the diff does not show the proposal",
      );
    assert.equal(real.model?.text, model.real, "the review does not know the file");
    void review.decisions.accept(
      review
        .hunks()
        .filter(({ conflict }) => !conflict)
        .map(({ id }) => id),
    );
    await settle();
    if (!review.ended) void rejecting(review.hunks().map(({ id }) => id));
    await settle();
  }
  if (!review.ended) await review.withdraw({ code: "file-gone" });
  const file = real.model?.text ?? "";
  isSound(file, "the file at the end");
  const there = new Set(file.split("\n").map(bare));
  const exact = new Set([...task.base, ...task.blocks.flatMap(({ lines }) => lines)]);
  for (const line of file.split(lineEnd))
    assert.ok(
      line === "" || exact.has(unmarked(line)) || unmarked(line) === "",
      `the file has ${line}`,
    );
  task.blocks.forEach((block, index) => {
    const status = outcomes.get(`b${index}`)?.status;
    // The review was over before its message began.
    if (!status) return;
    const taken = block.lines.map((line) => there.has(bare(line)));
    // A block that was decided on, typed in, and then decided on the other way is applied in part:
    // whole or not at all in the file.
    const inFile = status === "partly-applied" ? taken[0] === true : status === "applied";
    const kept = task.base.slice(block.start, block.end).map((line) => there.has(bare(line)));
    assert.ok(
      taken.every((is) => is === inFile),
      `block ${index} is ${status}, its lines are ${taken}`,
    );
    assert.ok(
      kept.every((is) => is !== inFile),
      `block ${index} is ${status}, the old lines are ${kept}`,
    );
  });
  if (typedInProposal.size === 0)
    assert.equal(userDiff, null, "the model is told of a change that nobody made");
  const inFile = new Set(marksIn(file));
  for (const mark of typedInFile)
    assert.ok(
      inFile.has(mark) !== undone.has(mark),
      `${mark}, typed in the file, is lost or came back`,
    );
  for (const mark of typedInProposal)
    assert.ok(
      inFile.has(mark) || givenUp.has(mark) || undone.has(mark) || offered.has(mark),
      `${mark}, typed in the proposal, is lost`,
    );
}

describe("a review on a busy machine", () => {
  it(`keeps the proposal the model's and typed text the user's, in ${RUNS} random lives`, async function () {
    this.timeout(600_000);
    await liveRandomly(live, RUNS);
  });
});
