import assert from "node:assert/strict";
import type { Hunk } from "../../../../src/edits/review/reviewPlan.ts";
import {
  fileHasOwnRow,
  hunksOf,
  isShared,
  isUriOf,
  needsUser,
  ofCall,
  ofChat,
  reviewNamed,
  stepAcross,
  type Target,
  targetIn,
  writersIn,
} from "../../../../src/host/preview/reviewTargets.ts";
import { following } from "../../../../src/review/proposals/following.ts";

function hunk(id: string, line: number): Hunk {
  const lines = { start: line, end: line + 1 };
  return { id, real: lines, proposed: lines, blockIds: [], warnings: [], conflict: false };
}

function file(path: string, lines: readonly number[], streaming = false): Target {
  return {
    path,
    firstPath: `old/${path}`,
    file: { uri: `file:///w/${path}` },
    proposalUri: `graft-proposal://id/${path}`,
    streaming,
    hunks: () => lines.map((line) => hunk(`${path}:${line}`, line)),
  };
}

const a = file("a.ts", [1, 9]);
const b = file("b.ts", [4]);
const c = file("c.ts", [2, 6]);
const busy = file("busy.ts", [3], true);
const files = [a, b, c];
const at = (review: Target, line: number) => ({
  review,
  side: "real" as const,
  line,
  visited: true,
});

describe("the review that a command names", () => {
  it("is found by path, also the one before a rename, and by both URIs", () => {
    assert.equal(reviewNamed(files, "b.ts"), b);
    assert.equal(reviewNamed(files, "old/b.ts"), b);
    assert.equal(reviewNamed(files, "file:///w/c.ts"), c);
    assert.equal(reviewNamed(files, "graft-proposal://id/a.ts"), a);
    assert.equal(reviewNamed(files, "d.ts"), undefined);
  });

  it("is named by the panel with a path, by editors with a URI", () => {
    assert.equal(isUriOf(a, "a.ts"), false);
    assert.equal(isUriOf(a, "file:///w/a.ts"), true);
  });
});

describe("the row of a file's decisions", () => {
  const at = (...starts: readonly number[]) => starts.map((line) => hunk(`at ${line}`, line));
  for (const [hunks, side, isThere] of [
    [at(1, 9), "proposed", true],
    [at(0), "proposed", false],
    [at(0, 4, 9), "real", false],
    [[], "proposed", false],
  ] as const)
    it(`is ${isThere ? "" : "not "}above ${hunks.map(({ id }) => id).join(", ") || "nothing"}`, () => {
      assert.equal(fileHasOwnRow(hunks, side), isThere);
    });
});

describe("the hunk that a command is about", () => {
  it("is the one at the cursor in its own file, and the first of another", () => {
    assert.equal(targetIn(a, at(a, 5))?.id, "a.ts:9");
    assert.equal(targetIn(c, at(a, 5))?.id, "c.ts:2");
    assert.equal(targetIn(c, null)?.id, "c.ts:2");
  });
});

describe("a step", () => {
  it("goes on to the first hunk of the next file, or back to the last one of the file before", () => {
    assert.equal(stepAcross(files, at(a, 9), "next")?.hunk?.id, "b.ts:4");
    assert.equal(stepAcross(files, at(c, 6), "next")?.hunk?.id, "a.ts:1");
    assert.equal(stepAcross(files, at(a, 1), "previous")?.hunk?.id, "c.ts:6");
    assert.equal(stepAcross(files, at(b, 4), "previous")?.hunk?.id, "a.ts:9");
  });

  it("comes back to the same file where no other can be decided", () => {
    assert.equal(stepAcross([a], at(a, 9), "next")?.hunk?.id, "a.ts:1");
    assert.equal(stepAcross([a, busy], at(a, 9), "next")?.hunk?.id, "a.ts:1");
    assert.equal(stepAcross([busy, a], at(a, 1), "previous")?.hunk?.id, "a.ts:9");
  });

  it("begins with the oldest proposal elsewhere", () => {
    assert.equal(stepAcross(files, null, "previous")?.hunk?.id, "a.ts:1");
    assert.equal(stepAcross([], null, "next"), null);
    assert.deepEqual(following(files, b), [c, a]);
  });
});

describe("accepting everything", () => {
  const plain = hunk("h", 1);
  const syntax = [{ code: "syntax" as const }];
  for (const [what, found, isProtected, left] of [
    ["takes a sound hunk", plain, false, false],
    ["leaves a hunk with a warning", { ...plain, warnings: syntax }, false, true],
    ["leaves a conflict", { ...plain, conflict: true }, false, true],
    ["leaves a protected file", plain, true, true],
  ] as const)
    it(what, () => {
      const review = { file: { protected: isProtected } } as never;
      assert.equal(needsUser(found, review), left);
    });
});

describe("the hunks of one chat", () => {
  const by = (chatId: string, turnId: string, callId = "call") => ({
    origin: { chatId, turnId, callId },
    blockId: "b",
  });
  const written = (id: string, ...turns: readonly string[]) => ({
    ...hunk(id, Number(id)),
    blockIds: turns.map((turnId) => `${turnId} b`),
  });
  const review = {
    reviewedBlocks: [by("A", "a1"), by("B", "b1"), by("A", "a2", "run"), by("C", "c1")],
    all: [
      written("1", "a1"),
      written("2", "b1"),
      written("3", "a1", "a2"),
      written("4", "a2", "b1"),
      written("5"),
    ],
    // As a class has it.
    hunks() {
      return this.all;
    },
  };
  const own = (isOwn: Parameters<typeof hunksOf>[1]) =>
    hunksOf(review, isOwn).map((each) => `${each.id}${isShared(each, review, isOwn) ? "!" : ""}`);

  it("are those of its blocks, and what another chat wrote, too, is marked", () => {
    assert.deepEqual(own(ofChat("A")), ["1", "3", "4!"]);
    assert.deepEqual(own(ofChat("B")), ["2", "4!"]);
    assert.deepEqual(own(ofChat("C")), []);
    assert.deepEqual(own(ofChat(undefined)), []);
  });

  it("are for a call those of its blocks, which its own chat may share", () =>
    assert.deepEqual(own(ofCall("a2", "run")), ["3", "4!"]));

  it("are of the chats that have any pending", () =>
    assert.deepEqual(writersIn(review), ["A", "B"]));
});
