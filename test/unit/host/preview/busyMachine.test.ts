import assert from "node:assert/strict";
import { mock } from "node:test";
import { ReviewState } from "../../../../src/edits/review/reviewState.ts";
import { lineEditsBetween, type TextEdit } from "../../../../src/edits/text/changeSet.ts";
import { FileReview } from "../../../../src/host/preview/fileReview.ts";
import type { BlockOutcome, Proposal, Review } from "../../../../src/ports/review.ts";
import { FakeEditor, type FakeFile } from "../../../fakes/editor/fakeEditor.ts";
import { seededRandom } from "../../../fakes/seededRandom.ts";

const RUNS = Number(process.env.GRAFT_RUNS ?? 10_000);
const FIRST_SEED = Number(process.env.GRAFT_SEED ?? 1);
const MARK = /‹[^›]*›/g;

const unmarked = (text: string) => text.replace(MARK, "");
const marksIn = (text: string): string[] => text.match(MARK) ?? [];
const bare = (text: string) => unmarked(text).replace(/[ \t\r]/g, "");

/** What the model wants of a file: lines to replace, never side by side, so that each block is one hunk. */
interface Task {
  readonly base: readonly string[];
  readonly blocks: readonly { readonly start: number; readonly end: number; readonly lines: readonly string[] }[];
}

type Random = (below: number) => number;

function newTask(random: Random): Task {
  const ends = ["", "", "  ", "  two  gaps  here", " \u{1f600}"];
  const base = Array.from({ length: 8 + random(8) }, (_, i) => `old ${i};${ends[random(ends.length)]}`);
  const blocks: Task["blocks"][number][] = [];
  for (let at = random(3); at < base.length - 1; at += 2 + random(4)) {
    const end = Math.min(base.length - 1, at + random(3));
    const lines = Array.from({ length: 1 + random(3) }, (_, i) => `new ${blocks.length}.${i};${ends[random(ends.length)]}`);
    blocks.push({ start: at, end, lines });
    at = end;
  }
  return { base, blocks };
}

/** The proposal when so many lines of the answer have arrived. */
function proposalAt({ base, blocks }: Task, arrived: number, lineEnd: string): Proposal {
  let left = arrived;
  let text = "";
  let line = 0;
  const ranges: Proposal["blocks"][number][] = [];
  const put = (lines: readonly string[]) => {
    for (const one of lines) text += one + lineEnd;
  };
  blocks.forEach((block, index) => {
    if (left === 0) return;
    put(base.slice(line, block.start));
    const lines = block.lines.slice(0, left);
    left -= lines.length;
    const start = text.length;
    put(lines);
    ranges.push({ blockId: `b${index}`, start, end: text.length, warnings: [] });
    const whole = lines.length === block.lines.length;
    line = whole ? block.end : Math.min(block.end, block.start + lines.length);
  });
  put(base.slice(line));
  return { text, blocks: ranges };
}

/** The same for a message that sees a proposal: its blocks replace their old lines there, wherever those are now. */
function proposalIn(seen: string, task: Task, arrived: number, lineEnd: string): Proposal {
  const lines = seen.split(lineEnd);
  let left = arrived;
  const written: { readonly blockId: string; readonly at: number; readonly count: number }[] = [];
  task.blocks.forEach((block, index) => {
    if (left === 0) return;
    const old = task.base.slice(block.start, block.end).map(bare);
    const at = lines.findIndex((line, start) => bare(line) === old[0] && old.every((one, i) => bare(lines[start + i] ?? "") === one));
    const fresh = block.lines.slice(0, left);
    left -= fresh.length;
    if (at < 0) return;
    const gone = fresh.length === block.lines.length ? old.length : Math.min(old.length, fresh.length);
    lines.splice(at, gone, ...fresh);
    written.push({ blockId: `b${index}`, at, count: fresh.length });
  });
  const offset = (line: number) => lines.slice(0, line).reduce((sum, one) => sum + one.length + lineEnd.length, 0);
  const blocks = written.map(({ blockId, at, count }) => ({ blockId, start: offset(at), end: offset(at + count), warnings: [] }));
  return { text: lines.join(lineEnd), blocks };
}

/** Gives each proposal with its step from the one before. */
function stepsOf(): (proposal: Proposal) => Proposal {
  let before: string | null = null;
  return (proposal) => {
    const from = before;
    const { text } = proposal;
    before = text;
    const edits = from === null ? [] : lineEditsBetween(from, text);
    const [first, last] = [edits[0], edits.at(-1)];
    if (from === null || !first || !last) return proposal;
    const [start, left] = [first.start, from.length - last.end];
    const change = { before: from, start, oldText: from.slice(start, last.end), newText: text.slice(start, text.length - left) };
    return { ...proposal, change };
  };
}

/** One random life of a review on two editors that are as slow and jumbled as they like; throws where a promise of the preview is broken. */
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
  /** A text of the file or the proposal holds lines of the base and of the answer and nothing else, each once, in order. */
  const isSound = (text: string, what: string) => {
    const lines = text
      .split("\n")
      .map(bare)
      .filter((line) => line !== "");
    for (const line of lines) assert.ok(known.has(line), `${what} has the line ${JSON.stringify(line)}`);
    assert.equal(new Set(lines).size, lines.length, `${what} has a line twice`);
    const old = lines.filter((line) => line.startsWith("old")).map((line) => Number.parseInt(line.slice(3), 10));
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
      assert.equal(unmarked(after), unmarked(model.proposed), "text that nobody typed counts as typed");
      isSound(after, "the proposal");
    }
    return userEdited(side, edits, after);
  };
  const real: FakeEditor = new FakeEditor({ text: base, stamp: 1, readOnly: false, read() {} }, lineEnd, random, {
    opened: (document) => {
      realDocument = document;
      for (const resolve of opening.splice(0)) resolve(document);
      review.realOpened(document);
    },
    changed: (document, change) => review.realChanged(document, change),
    closed: (document) => {
      review.realClosed(document);
      realDocument = null;
    },
    gesture() {},
    willSave() {},
    saved() {},
  });
  let isKnown = false;
  const memory: FakeFile = { text: base, stamp: 1, readOnly: true, read() {} };
  const shown: FakeEditor = new FakeEditor(memory, lineEnd, random, {
    opened: (document) => review.proposal.opened(document),
    changed: (document, change) => {
      isKnown ||= document.isDirty;
      review.proposal.changed(document, change);
    },
    closed: (document) => {
      isKnown = false;
      review.proposal.closed(document);
    },
    gesture: () => review.proposal.gesture(),
    willSave: (auto) => review.proposal.willSave(auto),
    saved: () => review.proposal.saved(),
  });
  type Document = Parameters<ConstructorParameters<typeof FakeEditor>[3]["opened"]>[0];
  let realDocument: Document | null = null;
  const opening: ((document: Document) => void)[] = [];
  const complaints: string[] = [];
  const review: FileReview<Document> = new FileReview<Document>(
    { file: { path: "a.ts", uri: "file:///a.ts" }, exists: true, languageId: "" },
    {
      model,
      proposalUri: {} as never,
      uriOf: () => ({}) as never,
      memory: {
        put: (text, writable, read) => Object.assign(memory, { text, readOnly: !writable, read }),
        announce: () => {
          memory.stamp++;
          shown.announce();
        },
        withdraw: () => {
          memory.stamp = memory.knownStamp ?? memory.stamp;
        },
        remove() {},
      },
      apply: (document, edits) =>
        document === realDocument
          ? real.edit(document, edits, (before, after) => {
              isSound(after, "the file");
              const lost = marksIn(before).filter((mark) => !marksIn(after).includes(mark));
              assert.deepEqual(lost, [], "accepting takes what the user typed in the file");
            })
          : shown.edit(document, edits, (before, after) => {
              isSound(after, "the diff");
              const lost = marksIn(before).filter((mark) => mark.startsWith("‹p") && !marksIn(after).includes(mark) && !givenUp.has(mark));
              assert.deepEqual(lost, [], "Graft takes what the user typed in the proposal");
            }),
      save: () => shown.save("menu", cleanUpEdits),
      cleanUpOnSave: () => cleanUp,
      isInUse: () => random(2) === 0,
      openFile: () => new Promise((resolve) => (realDocument ? resolve(realDocument) : opening.push(resolve))),
      isStale: async (document) => !document.isDirty && document.text !== real.file.text,
      createFile: async () => true,
      refusal: async () => null,
      acceptsAtOnce: () => false,
      applied: (_origin, before, after) => isSound(after, `what was applied to ${before?.length}`),
      decided: (_origin, blocks, diff) => {
        for (const block of blocks) outcomes.set(block.blockId, block);
        userDiff = diff;
      },
      keep: async () => undefined,
      grew() {},
      complete() {},
      typedLate: ({ proposal }) => {
        for (const mark of marksIn(proposal.text)) offered.add(mark);
      },
      changed() {},
      over: async () => {
        // Of the first words in a tab that just opened nobody has heard yet.
        const [before, began, known] = [changes, Date.now(), isKnown];
        await review.proposal.finish();
        const gaveUp = Date.now() - began >= 15_000;
        if (known && shown.model?.dirty && changes === before && !gaveUp) complaints.push("closing the diff asks whether to save it");
        await shown.closeForGood();
      },
      tell() {},
      log: (message) => complaints.push(message),
    },
  );

  function cleanUpEdits(text: string): TextEdit[] {
    if (cleanUp === "nothing") return [];
    const pattern = cleanUp === "blanks" ? /[ \t]+(?=\r?\n|$)/g : /(?<=\S) {2}(?=\S)/g;
    const edits = [...text.matchAll(pattern)].map((match) => ({ start: match.index, end: match.index + match[0].length, newText: "" }));
    const spaced = cleanUp === "blanks" ? edits : edits.map((edit) => ({ ...edit, newText: " " }));
    // A formatter that changes one place only cannot be told from the user's own hand.
    return cleanUp === "anything" && spaced.length < 2 ? [] : spaced;
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
    return [...places].sort((a, b) => a - b).map((at) => ({ start: at, end: at, newText: `‹${kind}${++marks}›` }));
  }

  function decideSomething(): void {
    const hunks = review.hunks();
    const hunk = hunks[random(Math.max(1, hunks.length))];
    if (!hunk) return;
    const what = random(5);
    const editor = random(2) === 0 ? shown : real;
    editor.afterEvents(() => {
      if (what < 2) void review.accept([hunk.id]);
      else if (what < 4) void rejecting([hunk.id]);
      else void review.accept(hunks.filter(({ conflict }) => !conflict).map(({ id }) => id));
    });
  }

  async function rejecting(ids: readonly string[]): Promise<void> {
    const planReject = model.planReject.bind(model);
    model.planReject = (chosen) => {
      const plan = planReject(chosen);
      for (const mark of marksIn(plan.textBefore)) if (!marksIn(plan.textAfter).includes(mark)) givenUp.add(mark);
      return plan;
    };
    await review.reject(ids);
  }

  // Two messages write to the proposal, or one.
  const cut = random(3) === 0 ? task.blocks.length : random(task.blocks.length);
  const messages = [task.blocks.slice(0, cut), task.blocks.slice(cut)].filter((blocks) => blocks.length > 0);
  const outcomes = new Map<string, BlockOutcome>();
  let userDiff: string | null = null;
  let message: { readonly review: Review; readonly at: (arrived: number) => Proposal; readonly lines: number } | null = null;
  let arrived = 0;
  let answering: Promise<unknown> = Promise.resolve();
  const begin = (blocks: Task["blocks"], first: number) => {
    const seen = model.proposed;
    const stepped = seed % 4 === 0 ? (proposal: Proposal) => proposal : stepsOf();
    const numbered = (proposal: Proposal): Proposal => ({
      ...proposal,
      blocks: proposal.blocks.map((block) => ({ ...block, blockId: `b${Number(block.blockId.slice(1)) + first}` })),
    });
    const part = { base: task.base, blocks };
    const at = (count: number) =>
      stepped(numbered(first === 0 ? proposalAt(part, count, lineEnd) : proposalIn(seen, part, count, lineEnd)));
    // The model saw what it replaces.
    if (first > 0) {
      const left = at(Number.POSITIVE_INFINITY).text;
      for (const mark of marksIn(seen)) if (!marksIn(left).includes(mark)) givenUp.add(mark);
    }
    arrived = 0;
    const origin = { chatId: "chat", turnId: `turn-${first}`, callId: "call" };
    message = { review: review.begin(seen, origin), at, lines: blocks.reduce((sum, block) => sum + block.lines.length, 0) };
  };
  const write = () => {
    if (!message) {
      const [next] = messages;
      if (!next || review.ended) return;
      messages.shift();
      begin(next, task.blocks.indexOf(next[0] ?? task.blocks[0] ?? { start: 0, end: 0, lines: [] }));
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
    const before = marksIn(editor.model?.text ?? "");
    if (!editor.undo()) return;
    changes++;
    const after = marksIn(editor.model?.text ?? "");
    for (const mark of before) if (!after.includes(mark)) undone.add(mark);
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
      if (edit) real.writeOutside(file.text.slice(0, edit.start) + edit.newText + file.text.slice(edit.end));
    },
    decideSomething,
    () => mock.timers.tick(random(10_000)),
  ];
  const settle = async () => {
    for (let quiet = 0; quiet < 3; ) {
      const waited = real.waiting + shown.waiting;
      while (real.waiting > 0) real.deliver();
      while (shown.waiting > 0) shown.deliver();
      mock.timers.tick(500);
      await breathe();
      quiet = waited + real.waiting + shown.waiting === 0 ? quiet + 1 : 0;
    }
  };

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
    assert.equal(review.isBehind, false, "the diff never catches up");
    assert.equal(model.proposed, review.proposal.text);
    if (shown.model) assert.equal(bare(shown.model.text), bare(model.proposed), "the diff does not show the proposal");
    assert.equal(real.model?.text, model.real, "the review does not know the file");
    void review.accept(
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
    assert.ok(line === "" || exact.has(unmarked(line)) || unmarked(line) === "", `the file has ${line}`);
  task.blocks.forEach((block, index) => {
    const status = outcomes.get(`b${index}`)?.status;
    // The review was over before its message began.
    if (!status) return;
    const taken = block.lines.map((line) => there.has(bare(line)));
    // A block that was decided on, typed in, and then decided on the other way is applied in part: whole or not at all in the file.
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
  if (typedInProposal.size === 0) assert.equal(userDiff, null, "the model is told of a change that nobody made");
  const inFile = new Set(marksIn(file));
  for (const mark of typedInFile) assert.ok(inFile.has(mark) !== undone.has(mark), `${mark}, typed in the file, is lost or came back`);
  for (const mark of typedInProposal)
    assert.ok(inFile.has(mark) || givenUp.has(mark) || undone.has(mark) || offered.has(mark), `${mark}, typed in the proposal, is lost`);
}

/** Lets everything run that waits for nothing but its turn. */
function breathe(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

describe("a review on a busy machine", () => {
  it(`keeps the proposal the model's and typed text the user's, in ${RUNS} random lives`, async function () {
    this.timeout(600_000);
    for (let seed = FIRST_SEED; seed < FIRST_SEED + RUNS; seed++) {
      // Timers of an earlier life would run in this one.
      mock.timers.enable({ apis: ["setTimeout", "Date"] });
      try {
        await live(seed);
      } catch (error) {
        throw new Error(`GRAFT_SEED=${seed} GRAFT_RUNS=1: ${String(error)}`, { cause: error });
      } finally {
        mock.timers.reset();
      }
    }
  });
});
