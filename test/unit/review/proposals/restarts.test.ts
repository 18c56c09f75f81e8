import assert from "node:assert/strict";
import { mock } from "node:test";
import { reviewRecordSchema } from "../../../../src/edits/review/reviewRecord.ts";
import { ReviewState } from "../../../../src/edits/review/reviewState.ts";
import type { TextEdit } from "../../../../src/edits/text/changeSet.ts";
import type { BlockSource, Review } from "../../../../src/ports/review.ts";
import { FileReview } from "../../../../src/review/proposals/fileReview.ts";
import type { EditStatus } from "../../../../src/turns/editBlock.ts";
import { campaignRuns } from "../../../fakes/campaignRuns.ts";
import type { FakeDocument } from "../../../fakes/editor/fakeEditor.ts";
import {
  bare,
  marksIn,
  newTask,
  proposalIn,
  stepping,
  type Task,
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

const RUNS = campaignRuns(120, 500);
const STEPS = 120;

/** A message that is being written: blocks of the task, of which so many lines have arrived. */
interface Message {
  readonly part: Review;
  readonly blocks: Task["blocks"];
  readonly at: (lines: number) => ReturnType<typeof proposalIn>;
  arrived: number;
  /** So many lines of it are in blocks that are complete, and those on record. */
  complete: number;
  kept: Task["blocks"];
}

/**
 * One random life of a file under review: several turns write to its proposal, the user types on
 * both sides and decides, and the extension host is reloaded or killed at any moment. After each
 * step the file is the base with the user's typing and accepted blocks.
 */
async function live(seed: number): Promise<void> {
  const random = seededRandom(seed);
  const task = newTask(random);
  const lineEnd = random(3) === 0 ? "\r\n" : "\n";
  const base = task.base.map((line) => line + lineEnd).join("");
  const known = { turns: 0, marks: 0, accepts: 0 };
  /** Blocks that the user accepted, whether or not that has reached the file. */
  const accepted = new Set<number>();
  const typedInFile = new Set<string>();
  const typedInProposal = new Set<string>();
  /** Typing in the proposal that a kill, a rejection or a later message took. */
  const givenUp = new Set<string>();
  /** Blocks of which a kill left no record that they are in the file. */
  const unsure = new Set<number>();
  /** What the chat knows of each block. */
  const statuses = new Map<number, EditStatus>();
  const complaints: string[] = [];
  /** The record on the disk, and what is on its way there. */
  let stored: string | null = null;
  let unwritten: (() => unknown) | null = null;
  let written: (() => void)[] = [];
  /** Counts the starts of the extension host: nothing that an earlier one began has an effect. */
  let host = 0;
  let message: Message | null = null;

  const real: RealEditor = new RealEditor(base, lineEnd, random, () => review);
  const isIn = (block: Task["blocks"][number], text: string) => {
    const lines = text.split(lineEnd).map(bare);
    return block.lines.some((line) => lines.includes(bare(line)));
  };
  const windowText = () => real.model?.text ?? real.file.text;

  /** The record reaches the disk. */
  const write = () => {
    if (!unwritten) return;
    const record = unwritten();
    stored = record === null ? null : JSON.stringify(record);
    unwritten = null;
    for (const resolve of written.splice(0)) resolve();
  };

  /** The extension host starts, and goes on with what is on the disk. */
  function start() {
    const own = ++host;
    const isAlive = () => own === host;
    const never = new Promise<never>(() => undefined);
    const kept: { readonly blocks: readonly BlockSource[]; readonly review: unknown } | null =
      stored === null ? null : JSON.parse(stored);
    const current = kept
      ? ReviewState.from(reviewRecordSchema.parse(kept.review))
      : new ReviewState(windowText());
    if (kept) current.reopened(windowText());
    const editor: ProposalEditor = new ProposalEditor(
      current.proposed,
      lineEnd,
      random,
      () => started,
    );
    editor.merges = false;
    const started: FileReview<FakeDocument> = new FileReview<FakeDocument>(
      {
        id: "review",
        begunAt: 0,
        file: { path: "a.ts", uri: "file:///a.ts" },
        exists: true,
        blocks: kept?.blocks ?? [],
      },
      {
        ...quietHost(real, random),
        isInUse: () => editor.isInUse,
        model: current,
        memory: editor.memory,
        apply: (document, edits) => {
          if (!isAlive()) return never;
          if (document === real.known) return real.edit(document, edits, () => undefined);
          return editor.edit(document, edits, (before, after) => {
            assert.deepEqual(
              lostTyping(before, after, givenUp),
              [],
              "Graft takes what the user typed in the proposal",
            );
          });
        },
        save: () => editor.save("menu", () => []),
        events: {
          applied() {},
          decided(_origin, _path, blocks) {
            if (isAlive())
              for (const { blockId, status } of blocks) statuses.set(numberOf(blockId), status);
          },
        },
        keepRecord() {
          if (!isAlive()) return never;
          unwritten = () => started.stored();
          return new Promise((resolve) => written.push(resolve));
        },
        show: ({ type }) => {
          if (type !== "typed-late") return;
          for (const mark of marksIn(started.proposal.text)) givenUp.add(mark);
        },
        async over() {
          await started.proposal.finish();
          await editor.closeForGood();
        },
        log: (text) => complaints.push(text),
      },
    );
    return { model: current, review: started, shown: editor };
  }
  let { model, review, shown } = start();

  /**
   * What the proposal holds of the user's typing that is not on record is lost. With the window
   * goes what its backup does not have.
   */
  function kill(withWindow = false): void {
    const kept = message?.kept ?? [];
    if (message && random(2) === 0) messages.unshift(message.blocks);
    message = null;
    unwritten = null;
    written = [];
    const before = windowText();
    const accepts = task.blocks.filter(
      (block, index) => accepted.has(index) && isIn(block, before),
    );
    if (withWindow) {
      real.restartWindow(real.model?.dirty && random(2) === 0 ? before : null);
      noteGone(givenUp, before, windowText());
    } else real.restartHost();
    const recorded =
      stored === null ? "" : reviewRecordSchema.parse(JSON.parse(stored).review).real;
    ({ model, review, shown } = start());
    const settled = ReviewState.from(model.record());
    settled.reopened(windowText());
    for (const block of [...accepts, ...kept]) {
      const where = isIn(block, windowText())
        ? "in the file"
        : isIn(block, settled.proposed)
          ? "pending"
          : "lost";
      assert.notEqual(
        where,
        "lost",
        `${JSON.stringify(block.lines)}, which was accepted or complete, after a kill`,
      );
    }
    const left = new Set([...marksIn(model.proposed), ...marksIn(windowText())]);
    for (const mark of typedInProposal) if (!left.has(mark)) givenUp.add(mark);
    task.blocks.forEach((block, index) => {
      if (isIn(block, windowText()) && !isIn(block, recorded)) unsure.add(index);
    });
  }

  /** The window closes in order and opens again: nothing is lost. */
  async function reload(): Promise<void> {
    if (message) message.part.dispose();
    message = null;
    await settle();
    const before = marksIn(model.proposed);
    const isOver = review.ended;
    review.close();
    kill();
    if (!isOver && stored !== null)
      assert.deepEqual(marksIn(model.proposed), before, "a reload loses typing in the proposal");
  }

  /**
   * The file is the base, with the user's marks, in which accepted blocks have their new lines:
   * after every step, on the disk too.
   */
  function check(when: string): void {
    for (const [what, text] of [
      ["the file", windowText()],
      ["the disk", real.file.text],
    ] as const) {
      const lines = text.split(lineEnd).slice(0, -1).map(bare);
      const taken = task.blocks.map((block) => isIn(block, text));
      taken.forEach((is, index) => {
        assert.ok(
          !is || accepted.has(index),
          `${what} has block ${index} ${when}, which nobody accepted`,
        );
      });
      const expected = task.base.flatMap((line, at) => {
        const index = task.blocks.findIndex(({ start, end }) => at >= start && at < end);
        const block = taken[index] ? task.blocks[index] : undefined;
        if (!block) return [line];
        return at === block.start ? block.lines : [];
      });
      const inserted = task.blocks.filter(({ start, end }, index) => start === end && taken[index]);
      for (const { start, lines: fresh } of [...inserted].reverse()) {
        const at = expected.indexOf(task.base[start] ?? "");
        expected.splice(at, 0, ...fresh);
      }
      assert.deepEqual(lines, expected.map(bare), `${what} ${when}`);
      if (known.accepts === 0)
        assert.deepEqual(
          marksIn(text).filter((mark) => mark.startsWith("‹p")),
          [],
          `${what} has typing of the proposal ${when}`,
        );
    }
    const own = marksIn(windowText()).filter((mark) => mark.startsWith("‹r"));
    const expected = [...typedInFile].filter((mark) => own.includes(mark) || !givenUp.has(mark));
    assert.deepEqual(own.sort(), expected.sort(), `the user's typing in the file ${when}`);
    assert.deepEqual(complaints, [], when);
  }

  function typing(text: string, kind: "r" | "p"): TextEdit[] {
    const ends = [...text.matchAll(/\r?\n/g)].map(({ index }) => index);
    const at = ends[random(ends.length)];
    return at === undefined ? [] : [{ start: at, end: at, newText: `‹${kind}${++known.marks}›` }];
  }

  const messages: Task["blocks"][] = [];
  for (let from = 0; from < task.blocks.length; ) {
    const count = 1 + random(2);
    messages.push(task.blocks.slice(from, from + count));
    from += count;
  }

  async function answer(): Promise<void> {
    if (!message) {
      const blocks = messages[0] ?? [];
      const [head] = blocks;
      if (!head) return;
      const first = task.blocks.indexOf(head);
      if (review.ended) {
        // The proposal is decided, so this turn begins another one, or goes on with what is not
        // saved.
        await settle();
        ({ model, review, shown } = start());
      }
      messages.shift();
      const seen = model.proposed;
      const part = { base: task.base, blocks };
      const at = stepping(seed % 4 === 0, first, (lines) => proposalIn(seen, part, lines, lineEnd));
      const { text: whole, blocks: found } = proposalIn(
        seen,
        part,
        Number.POSITIVE_INFINITY,
        lineEnd,
      );
      if (found.length === 0) return;
      // The model saw what it replaces.
      noteGone(givenUp, seen, whole);
      const origin = { chatId: "chat", turnId: `turn-${++known.turns}`, callId: "call" };
      message = { part: review.begin(seen, origin), blocks, at, arrived: 0, complete: 0, kept: [] };
      return;
    }
    const { part, blocks, at } = message;
    const size = blocks.reduce((sum, { lines }) => sum + lines.length, 0);
    const stops = random(8) === 0;
    message.arrived = Math.min(size, message.arrived + 1 + random(2));
    let complete = 0;
    const whole: Task["blocks"][number][] = [];
    for (const block of blocks) {
      if (complete + block.lines.length > message.arrived) break;
      complete += block.lines.length;
      whole.push(block);
    }
    if (message.arrived < size && !stops) {
      const lines = message.arrived;
      part.update(() => at(lines));
      if (complete === message.complete) return;
      message.complete = complete;
      const proposal = at(complete);
      const shown = whole.filter((block) =>
        proposal.blocks.some(({ blockId }) => numberOf(blockId) === task.blocks.indexOf(block)),
      );
      const streamed = message;
      void part.keep(proposal).then(() => {
        streamed.kept = shown;
      });
      return;
    }
    message = null;
    const own = host;
    const proposal = at(complete);
    if (proposal.blocks.length === 0) return part.dispose();
    void part.propose(proposal, complete < size).then((outcome) => {
      if (own === host)
        for (const { blockId, status } of outcome.blocks) statuses.set(numberOf(blockId), status);
    });
  }

  function decide(): void {
    const hunks = review.hunks();
    const hunk = hunks[random(Math.max(1, hunks.length))];
    if (!hunk) return;
    const chosen = random(4) === 0 ? hunks : [hunk];
    const sound = chosen.filter(({ conflict }) => !conflict);
    const own = host;
    (random(2) === 0 ? shown : real).afterEvents(() => {
      if (own !== host) return;
      if (random(2) === 0) accept(sound);
      else reject([hunk]);
    });
  }

  function accept(hunks: ReturnType<typeof review.hunks>): void {
    for (const id of hunks.flatMap(({ blockIds }) => blockIds)) accepted.add(numberOf(id));
    known.accepts += hunks.length;
    void review.decisions.accept(hunks.map(({ id }) => id));
  }

  function reject(hunks: ReturnType<typeof review.hunks>): void {
    const own = model;
    const rejectHunks = ReviewState.prototype.reject.bind(own);
    own.reject = (chosen, why) => {
      const before = own.proposed;
      const rejected = rejectHunks(chosen, why);
      noteGone(givenUp, before, own.proposed);
      return rejected;
    };
    void review.decisions.reject(hunks.map(({ id }) => id));
  }

  const settle = () => settleEditors(real, () => shown, write);

  const steps: readonly (() => unknown)[] = [
    answer,
    answer,
    answer,
    answer,
    decide,
    decide,
    write,
    () => {
      const edits = real.model ? typing(real.model.text, "r") : [];
      if (real.type(edits)) for (const { newText } of edits) typedInFile.add(newText);
    },
    () => {
      if (!shown.model) return review.ended ? undefined : shown.open();
      const edits = typing(shown.model.text, "p");
      if (shown.type(edits)) for (const { newText } of edits) typedInProposal.add(newText);
    },
    () => void real.save("plain", () => []),
    () => mock.timers.tick(random(10_000)),
    () => (random(5) === 0 ? kill(random(2) === 0) : undefined),
    () => (random(8) === 0 ? reload() : undefined),
  ];

  real.open();
  await settle();
  const slowness = 1 + random(5);
  for (let step = 0; step < STEPS; step++) {
    if (random(slowness) === 0) await steps[random(steps.length)]?.();
    else (random(2) === 0 ? real : shown).deliver();
    await breathe();
    check(`after step ${step}`);
  }
  await settle();
  while (message || messages.length > 0) {
    await answer();
    await settle();
    check("while the rest is written");
  }
  accept(review.hunks().filter(({ conflict }) => !conflict));
  await settle();
  reject(review.hunks());
  await settle();
  check("at the end");
  assert.ok(review.ended || review.hunks().length === 0, "nothing is left to decide");
  for (const [index, status] of statuses) {
    const block = task.blocks[index];
    const expected = block && isIn(block, windowText()) ? "applied" : "rejected";
    // A block that was rejected, typed in, and then accepted is applied in part.
    if (status !== "partly-applied" && !unsure.has(index))
      assert.equal(status, expected, `block ${index}`);
  }
  const left = new Set(marksIn(windowText()));
  for (const mark of typedInProposal)
    assert.ok(left.has(mark) || givenUp.has(mark), `${mark}, typed in the proposal, is lost`);
}

/** The number of a block of the task, from its id alone or with its turn. */
function numberOf(blockId: string): number {
  return Number(blockId.slice(blockId.lastIndexOf("b") + 1));
}

describe("a review over restarts", () => {
  it(`leaves the file the user's, with what they accepted, after each step of ${RUNS} lives with turns, reloads and kills`, async function () {
    this.timeout(600_000);
    await liveRandomly(live, RUNS);
  });
});
