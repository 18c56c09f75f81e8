import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { resolve } from "node:path";
import { english } from "../../../src/base/localize.ts";
import { ChangeJournal } from "../../../src/edits/history/changeJournal.ts";
import { chatProblemMessage, deleteChatDetail, requestCount } from "../../../src/host/chats/messages.ts";
import { agreementDetail, agreementQuestion } from "../../../src/host/mcp/messages.ts";
import {
  changeCount,
  fileCount,
  filesToReview,
  newProblemsLabel,
  newProblemsRequest,
  startProblemMessage,
} from "../../../src/host/messages.ts";
import {
  cautionMessage,
  decisionProblemMessage,
  diffTitle,
  goneMessage,
  hunkMessage,
  hunkRequest,
  hunkSummary,
  insertionMessage,
  remainingMessage,
} from "../../../src/host/preview/messages.ts";
import { blockReasonMessage, restorationMessage, restoreProblemMessage } from "../../../src/host/restore/messages.ts";
import type { PlannedFile } from "../../../src/host/restore/restorePlan.ts";
import { settingProblemMessage } from "../../../src/host/settings/messages.ts";
import { RecordingLogger } from "../../fakes/recordingLogger.ts";
import { MemoryEventLog } from "../../fakes/turns/memoryEventLog.ts";

const golden = resolve(import.meta.dirname, "messages.golden.txt");
const lines = (count: number) => ({ start: 4, end: 4 + count });
const error = { code: "read-only", path: "a.ts" } as const;

function planned(current: string | null, restoration: PlannedFile["restoration"]): PlannedFile {
  const journal = new ChangeJournal(new MemoryEventLog(), new RecordingLogger());
  return { target: { journal, turnId: "t", path: null }, path: "a.ts", uri: null, current, turnIds: new Set(), restoration };
}

function newErrors(path: string, count: number) {
  const error = { path, severity: "error" as const, source: "ts 2304", message: "Cannot find name 'a'.\n  Did you mean 'b'?" };
  return { path, problems: Array.from({ length: count }, (_, index) => ({ ...error, line: index + 1 })) };
}

const groups: Record<string, readonly (string | null)[]> = {
  commands: [
    ...(["busy", "no-instruction", "no-file", "unsaved-file", "not-a-file"] as const).map((code) => startProblemMessage(english, { code })),
    startProblemMessage(english, error),
    changeCount(english, 1),
    changeCount(english, 2),
    fileCount(english, 1),
    fileCount(english, 2),
    filesToReview(english, 1),
    filesToReview(english, 2),
    newProblemsLabel(english, [newErrors("src/a.ts", 1)]),
    newProblemsLabel(english, [newErrors("src/a.ts", 2)]),
    newProblemsLabel(english, [newErrors("src/a.ts", 2), newErrors("b.ts", 1)]),
    newProblemsRequest(english, [newErrors("src/a.ts", 1), newErrors("b.ts", 21)]),
  ],
  settings: [
    settingProblemMessage(english, { code: "invalid-value", setting: "maxSteps", fallback: 25 }),
    settingProblemMessage(english, { code: "invalid-value", setting: "model", fallback: "" }),
    settingProblemMessage(english, { code: "invalid-rule", entry: 2 }),
    settingProblemMessage(english, { code: "match-without-command", entry: 2 }),
    settingProblemMessage(english, { code: "model-unused", model: "gpt-5-mini" }),
  ],
  chats: [
    ...(["open-elsewhere", "not-found", "empty", "no-chats"] as const).map((problem) => chatProblemMessage(english, problem)),
    deleteChatDetail(english, false),
    deleteChatDetail(english, true),
    requestCount(english, 1),
    requestCount(english, 2),
  ],
  preview: [
    hunkRequest(english, "src/a.ts", { start: 2, end: 4 }, ["const a = 1;", "```"], "Make this a constant"),
    hunkRequest(english, "src/a.ts", { start: 2, end: 2 }, [], "Keep them"),
    cautionMessage(english, { conflict: true, warnings: [] }),
    cautionMessage(english, { conflict: false, warnings: [] }),
    hunkMessage(english, { real: lines(0), proposed: lines(1) }),
    hunkMessage(english, { real: lines(2), proposed: lines(0) }),
    hunkMessage(english, { real: lines(1), proposed: lines(3) }),
    hunkSummary(english, { real: lines(0), proposed: lines(1) }),
    hunkSummary(english, { real: lines(2), proposed: lines(0) }),
    hunkSummary(english, { real: lines(1), proposed: lines(3) }),
    diffTitle(english, "packages/shop/src/cart.ts", ["packages/shop/src/cart.ts", "src/oldcart.ts"]),
    diffTitle(english, "packages/shop/src/cart.ts", ["packages/shop/src/cart.ts", "src/cart.ts"]),
    diffTitle(english, "cart.ts", ["src/cart.ts", "cart.ts"]),
    insertionMessage(english, { proposed: lines(2) }, true),
    insertionMessage(english, { proposed: lines(1) }, false),
    remainingMessage(english, 2, "a.ts"),
    goneMessage(english, "a.ts", "deleted"),
    goneMessage(english, "a.ts", "moved"),
    ...(["still-streaming", "out-of-step", "cannot-open", "stale", "conflict", "not-applied", "cannot-create"] as const).map((code) =>
      decisionProblemMessage(english, { code }, "a.ts"),
    ),
    decisionProblemMessage(english, { code: "file-error", error }, "a.ts"),
  ],
  restore: [
    ...(["untrusted", "busy", "no-record", "nothing-left", "changed-meanwhile"] as const).map((code) =>
      restoreProblemMessage(english, { code }),
    ),
    restoreProblemMessage(english, { code: "blocked", files: [{ path: "a.ts", reason: { code: "stale" } }] }),
    ...(["other-folders", "proposal-pending", "stale"] as const).map((code) => blockReasonMessage(english, { code })),
    blockReasonMessage(english, { code: "file-error", error }),
    restorationMessage(english, planned("a", { kind: "possible", text: null, changes: 1, keepsEdits: false })),
    restorationMessage(english, planned(null, { kind: "possible", text: "a", changes: 1, keepsEdits: false })),
    restorationMessage(english, planned("a", { kind: "possible", text: "b", changes: 1, keepsEdits: false })),
    restorationMessage(english, planned("a", { kind: "possible", text: "b", changes: 2, keepsEdits: true })),
  ],
  mcp: [
    agreementQuestion(english, "docs", "app", true),
    agreementQuestion(english, "docs", "app", false),
    agreementDetail(english, '{ "url": "https://example.com" }', true),
    agreementDetail(english, '{ "command": "npx" }', false),
  ],
};

describe("what the user reads from the host", () => {
  it("is as in messages.golden.txt", () => {
    const actual = Object.entries(groups)
      .map(([area, messages]) => `== ${area}\n${messages.map((message) => `${message}\n`).join("")}`)
      .join("\n");
    if (process.env.UPDATE_GOLDEN === "1") writeFileSync(golden, actual);
    assert.equal(actual, readFileSync(golden, "utf8"), "run with UPDATE_GOLDEN=1 after looking at the difference");
  });
});
