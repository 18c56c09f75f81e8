import assert from "node:assert/strict";
import { pendingFiles } from "../../../../src/host/panel/pendingFiles.ts";
import type { PendingReview } from "../../../../src/review/proposals/sharedProposals.ts";

type Hunks = ReturnType<PendingReview["hunks"]>;
type Status = ReturnType<PendingReview["outcomes"]>[number]["status"];

function review(path: string, hunks: Hunks, statuses: readonly Status[]): PendingReview {
  const origin = { chatId: "chat", turnId: "turn", callId: "call" };
  const reviewedBlocks = statuses.map((_, index) => ({ origin, blockId: `b${index}` }));
  return {
    path,
    streaming: false,
    reviewedBlocks,
    hunks: () => hunks,
    outcomes: () => statuses.map((status) => ({ status, reason: null })),
  };
}

const hunk = (removed: number, added: number) => ({
  real: { start: 3, end: 3 + removed },
  proposed: { start: 7, end: 7 + added },
  conflict: false,
  warnings: [],
  blockIds: ["turn b0"],
});

describe("pendingFiles", () => {
  it("adds up lines, hunks, conflicts, warnings and blocks", () => {
    const hunks = [
      hunk(2, 5),
      { ...hunk(0, 1), conflict: true },
      { ...hunk(3, 0), warnings: [{ code: "syntax" as const }] },
    ];
    const [file] = pendingFiles(
      [review("a.ts", hunks, ["pending", "conflict", "applied", "partly-applied", "rejected"])],
      [],
    );
    const lines = { added: 6, removed: 5, hunks: 3, conflicts: 1, warnings: 1 };
    assert.deepEqual(file, {
      path: "a.ts",
      ...lines,
      accepted: 2,
      streaming: false,
    });
  });

  it("leaves out what has nothing to decide, and a first proposal that is still being written", () => {
    assert.deepEqual(
      pendingFiles([review("a.ts", [], ["applied"]), review("b.ts", [hunk(1, 1)], [])], []),
      [],
    );
  });

  it("says of which no record could be written, and why", () => {
    const gone = {
      ...{ id: "r2", file: { path: "c.ts", uri: "file:///c.ts" }, to: null, blockId: "b" },
      origin: { chatId: "chat", turnId: "turn", callId: "call" },
      outcome: { status: "pending" as const },
    };
    const files = pendingFiles(
      [
        { ...review("a.ts", [hunk(1, 1)], ["pending"]), id: "r1" },
        { ...review("b.ts", [hunk(1, 1)], ["pending"]), id: "r3" },
      ],
      [gone],
      () => null,
      { ids: new Set(["r1", "r2"]), detail: "ENOSPC" },
    );
    assert.deepEqual(
      files.map(({ path, unkept }) => [path, unkept]),
      [
        ["a.ts", "ENOSPC"],
        ["b.ts", undefined],
        ["c.ts", "ENOSPC"],
      ],
    );
  });

  it("tells the changes that are left by chat and guest, and names the guests", () => {
    const by = (chatId: string, agent?: string) => ({
      origin: { chatId, turnId: chatId, callId: "call", ...(agent !== undefined && { agent }) },
      blockId: "b0",
    });
    const shared = {
      ...review("a.ts", [], ["pending", "pending", "applied", "pending"]),
      reviewedBlocks: [
        by("guest-1", "Claude Code"),
        by("guest-2", "opencode"),
        by("guest-3", "decided"),
        by("chat-2"),
        by("chat-3"),
        by("chat-1"),
      ],
      hunks: () => [
        { ...hunk(1, 1), blockIds: ["guest-1 b0", "guest-2 b0"] },
        { ...hunk(1, 1), blockIds: ["chat-2 b0", "chat-1 b0"] },
        { ...hunk(1, 1), blockIds: ["chat-2 b0"] },
        { ...hunk(1, 1), blockIds: [] },
      ],
    };
    const gone = {
      ...{ file: { path: "b.ts", uri: "file:///b.ts" }, to: null },
      ...{ ...by("guest-1", "Claude Code"), outcome: { status: "pending" as const } },
    };
    const own = { ...gone, ...by("chat-1"), file: { path: "c.ts", uri: "file:///c.ts" } };
    const titles: Readonly<Record<string, string>> = { "chat-2": "Cart" };
    const files = pendingFiles([shared], [gone, own], (chatId) =>
      chatId === "chat-1" ? null : (titles[chatId] ?? assert.fail(`${chatId} has no part in it`)),
    );
    assert.deepEqual(
      files.map(({ agents, shares }) => ({ agents, shares })),
      [
        {
          agents: ["Claude Code", "opencode"],
          shares: [
            { chatId: "guest-1", kind: "guest", name: "Claude Code", hunks: 1 },
            { chatId: "guest-2", kind: "guest", name: "opencode", hunks: 1 },
            { chatId: "chat-2", kind: "chat", name: "Cart", hunks: 2 },
            { chatId: "chat-1", kind: "own", name: "", hunks: 1 },
          ],
        },
        {
          agents: ["Claude Code"],
          shares: [{ chatId: "guest-1", kind: "guest", name: "Claude Code", hunks: 1 }],
        },
        { agents: undefined, shares: undefined },
      ],
    );
  });

  it("lists file operations after texts, each with the block that decides it", () => {
    const origin = { chatId: "chat", turnId: "turn", callId: "call" };
    const [old, place] = ["old.ts", "lib/new.ts"].map((path) => ({ path, uri: `file:///${path}` }));
    assert.ok(old && place);
    const files = pendingFiles(
      [review("a.ts", [hunk(1, 1)], ["pending"])],
      [
        { file: old, to: place, origin, blockId: "b1", outcome: { status: "pending" } },
        { file: old, to: null, origin, blockId: "b2", outcome: { status: "conflict" } },
      ],
    );
    assert.deepEqual(
      files.map(({ path, operation, conflicts }) => ({ path, operation, conflicts })),
      [
        { path: "a.ts", operation: undefined, conflicts: 0 },
        {
          path: "old.ts",
          operation: { to: "lib/new.ts", block: { turnId: "turn", blockId: "b1" } },
          conflicts: 0,
        },
        {
          path: "old.ts",
          operation: { to: null, block: { turnId: "turn", blockId: "b2" } },
          conflicts: 1,
        },
      ],
    );
  });
});
