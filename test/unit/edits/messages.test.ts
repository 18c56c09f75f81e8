import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { resolve } from "node:path";
import { english } from "../../../src/base/localize.ts";
import type { GuardedFailure } from "../../../src/edits/blocks/guardedBlocks.ts";
import {
  type BlockAdjustment,
  editBlockOf,
  openedBlock,
  type WrittenBlock,
} from "../../../src/edits/drafts/writtenBlock.ts";
import type { BlockedReason } from "../../../src/edits/history/restoration.ts";
import {
  blockedText,
  blockReport,
  decisionReport,
  guardedFailureText,
  ignoredReport,
  patchConflictText,
  patchSlipsText,
  proposedReport,
} from "../../../src/edits/messages.ts";
import type { PatchConflict } from "../../../src/edits/patch/locatePatches.ts";
import type { BlockWarning } from "../../../src/ports/review.ts";
import { reasonText, warningsText } from "../../../src/turns/blockMessages.ts";
import type { BlockReason } from "../../../src/turns/blockReason.ts";
import type { EditBlock } from "../../../src/turns/editBlock.ts";

const golden = resolve(import.meta.dirname, "messages.golden.txt");

const REASONS: {
  readonly [Code in BlockReason["code"]]: readonly (BlockReason & { readonly code: Code })[];
} = {
  "no-element-named": [{ code: "no-element-named" }],
  "line-zero": [{ code: "line-zero" }],
  "first-line-missing": [{ code: "first-line-missing" }],
  "last-line-missing": [{ code: "last-line-missing" }],
  "invalid-address": [{ code: "invalid-address" }],
  "not-a-line-number": [{ code: "not-a-line-number" }],
  "single-line": [{ code: "single-line" }],
  "unknown-operation": [{ code: "unknown-operation", op: "replace" }],
  "needs-ast-path": [{ code: "needs-ast-path", op: "append" }],
  "reversed-lines": [{ code: "reversed-lines" }],
  "file-name-in-address": [{ code: "file-name-in-address" }],
  "not-in-edit-mode": [{ code: "not-in-edit-mode", file: "src/b.ts" }],
  "no-edit-mode": [
    { code: "no-edit-mode", file: "src/b.ts", turnsOn: "model" },
    { code: "no-edit-mode", file: null, turnsOn: "user" },
  ],
  "complete-file-expected": [{ code: "complete-file-expected" }],
  "file-needed": [{ code: "file-needed", files: ["src/a.ts", "src/b.ts"] }],
  "which-whole-file": [{ code: "which-whole-file" }],
  "other-whole-file": [{ code: "other-whole-file" }],
  "other-form": (
    [
      "quoted",
      "indented",
      "one-line",
      "after-text",
      "no-address",
      "inside-block",
      "search-replace",
      "diff",
    ] as const
  ).map((form) => ({
    code: "other-form",
    form,
  })),
  "unclear-end": [{ code: "unclear-end" }],
  "unclear-indent": [{ code: "unclear-indent" }],
  internal: [{ code: "internal", said: "Invalid array length" }],
  "mode-mismatch": [
    { code: "mode-mismatch", active: "ast", useLineNumbers: false },
    { code: "mode-mismatch", active: "ast", useLineNumbers: null },
    { code: "mode-mismatch", active: "lines", useLineNumbers: true },
  ],
  "no-such-line": [{ code: "no-such-line", line: 9, lineCount: 4 }],
  "nothing-to-remove": [{ code: "nothing-to-remove", line: 5, lineCount: 4 }],
  "view-forgotten": [{ code: "view-forgotten" }],
  "views-differ": [{ code: "views-differ" }],
  "own-changes-since": [{ code: "own-changes-since" }],
  "lines-changed": [
    {
      code: "lines-changed",
      before: { lines: ["three();", "four();"], more: 7 },
      now: { lines: ["3();"], more: 0 },
    },
    {
      code: "lines-changed",
      before: { lines: ["three();"], more: 0 },
      now: { lines: [], more: 0 },
    },
  ],
  "element-changed": [
    {
      code: "element-changed",
      before: { lines: ["area() {"], more: 0 },
      now: { lines: ["area(scale) {", "check();"], more: 3 },
    },
  ],
  "checks-failed": [
    { code: "checks-failed", first: 3, lines: { lines: ["three();", "four();"], more: 5 } },
  ],
  "outside-element": [{ code: "outside-element", path: "Shape-area", start: 12, end: 18 }],
  "changed-by-earlier-block": [{ code: "changed-by-earlier-block", target: "ast-path:Shape-area" }],
  "no-ast-paths": [
    { code: "no-ast-paths", why: "too-large" },
    { code: "no-ast-paths", why: "unreadable" },
  ],
  "unresolved-path": [
    { code: "unresolved-path", error: { code: "not-found", path: "b", candidates: [] } },
  ],
  "other-element": [{ code: "other-element", path: "f", meant: "f#1" }],
  "file-operation": [{ code: "file-operation" }],
  "imports-operation": [{ code: "imports-operation" }],
  "no-body": [{ code: "no-body", path: "Shape-width" }],
  "not-removable": [{ code: "not-removable", path: "@imports" }],
  "path-reassigned": [{ code: "path-reassigned", path: "item#2", line: 7 }],
  "shared-declaration": [{ code: "shared-declaration", path: "a", others: ["b", "c"] }],
  overlap: [
    { code: "overlap", targets: ["lines 3-9", "lines 3-9"] },
    { code: "overlap", targets: ["lines 3-9", "lines 4-5", "lines 9-12"] },
  ],
  "repeated-block": [{ code: "repeated-block" }],
  "empty-body": [{ code: "empty-body" }],
  unclosed: [{ code: "unclosed" }],
  "length-limit": [{ code: "length-limit" }],
  stopped: [{ code: "stopped" }],
  "broken-off": [{ code: "broken-off" }],
  elision: [{ code: "elision", line: "// ... existing code ..." }],
  "session-replaced": [{ code: "session-replaced" }],
  "session-ended": [{ code: "session-ended" }],
  "turn-ended": [{ code: "turn-ended" }],
  "window-closed": [{ code: "window-closed" }],
  "rejected-by-user": [{ code: "rejected-by-user" }],
  "edited-meanwhile": [{ code: "edited-meanwhile" }],
  "already-there": [{ code: "already-there" }],
  "not-accepted-automatically": [{ code: "not-accepted-automatically" }],
  withdrawn: [{ code: "withdrawn" }],
  "no-longer-proposed": [{ code: "no-longer-proposed" }],
  "review-closed": [{ code: "review-closed" }],
  "file-gone": [{ code: "file-gone" }],
  "not-saved": [{ code: "not-saved" }],
  "partly-accepted": [{ code: "partly-accepted", accepted: 2, hunks: 3 }],
  "deletion-proposed": [{ code: "deletion-proposed" }],
  "proposals-elsewhere": [{ code: "proposals-elsewhere" }],
  "being-written": [{ code: "being-written" }],
  "file-changed": [{ code: "file-changed" }],
  "write-failed": [{ code: "write-failed", error: { code: "read-only", path: "src/a.ts" } }],
};

const UNCLOSED = new Set<string>(["unclosed", "length-limit", "stopped", "broken-off"]);

const WARNINGS: readonly BlockWarning[] = [
  { code: "elision", line: "# rest unchanged" },
  { code: "deletion", removed: 30, written: 1 },
  { code: "syntax" },
  { code: "edited-meanwhile" },
  { code: "never-read", forgotten: false },
  { code: "never-read", forgotten: true },
  { code: "repeats-line", line: "return 1;" },
  { code: "loses-return", line: "return 1;" },
  { code: "unchecked-end" },
  { code: "whitespace", line: "return 1;" },
  { code: "cuts-brackets" },
  { code: "cuts-element", path: "Shape-area" },
  { code: "typo", word: "amuont", known: "amount" },
  { code: "loses-element", path: "Shape" },
  { code: "doubles-element", path: "Shape-name" },
  { code: "loses-members", path: "Shape", names: ["area", "name"] },
  { code: "loses-head", lost: "export async" },
  { code: "loses-comment", line: "port: 80" },
  { code: "doubles-comment", line: "// Its area." },
  { code: "doubles-lines", line: "import a;" },
];

/** Why a proposed block is not in the file. */
const REVIEWED = new Set<BlockReason["code"]>([
  ...([
    "rejected-by-user",
    "edited-meanwhile",
    "already-there",
    "not-accepted-automatically",
    "withdrawn",
  ] as const),
  ...([
    "no-longer-proposed",
    "review-closed",
    "file-gone",
    "write-failed",
    "turn-ended",
    "window-closed",
  ] as const),
]);

const ADJUSTMENTS: readonly BlockAdjustment[] = [
  { code: "moved", to: { start: 4, end: 10 } },
  { code: "with-comment" },
  { code: "trailing-comment" },
  { code: "kept-head", kept: ["@logged", "static"] },
  { code: "margin" },
  { code: "repeats-anchor", path: "Shape-area" },
  { code: "import-form" },
  { code: "repeats-imports", lines: ["import a;"] },
  { code: "line-numbers" },
  { code: "repaired", slips: ["trailing-blanks", "indentation", "shifted"] },
];

const CONFLICTS: readonly PatchConflict[] = [
  { edit: null, code: "unchanged" },
  { edit: 2, code: "overlap", line: 3, other: 1 },
  { edit: null, code: "ambiguous", count: 14, lines: [1, 2, 5], more: true },
  { edit: null, code: "ambiguous", count: 2, lines: [1], more: false },
  { edit: 1, code: "inside-word", line: 4 },
  { edit: null, code: "not-found", nearest: null },
  { edit: 1, code: "not-found", nearest: { first: 5, lines: { lines: ["one();"], more: 89 } } },
];

const FAILURES: readonly GuardedFailure[] = [
  { code: "turn-running" },
  { code: "forgotten" },
  { code: "stopped" },
  { code: "file", error: { code: "read-only", path: "src/a.ts" } },
  { code: "no-ast-paths", path: "src/a.ts" },
  { code: "file-changed", path: "src/a.ts" },
  {
    code: "no-place",
    path: "src/a.ts",
    target: "lines 9-9",
    reason: { code: "no-such-line", line: 9, lineCount: 4 },
  },
];

const BLOCKED: readonly BlockedReason[] = [
  { code: "deleted" },
  { code: "created-again" },
  { code: "created-and-edited" },
  { code: "lines-changed", lines: [] },
  { code: "lines-changed", lines: [{ start: 9, end: 10 }] },
  { code: "lines-changed", lines: [{ start: 7, end: 9 }] },
  {
    code: "lines-changed",
    lines: [
      { start: 1, end: 1 },
      { start: 7, end: 9 },
    ],
  },
];

function blockWith(part: Partial<WrittenBlock>): WrittenBlock {
  const target =
    (part.reason?.code === "mode-mismatch" && part.reason.active === "lines") ||
    part.reason?.code === "element-changed"
      ? "ast-path:Shape-area"
      : "lines 3-9";
  const opened = openedBlock({
    blockId: "1",
    index: 1,
    step: 0,
    target,
    written: target,
    op: "replace",
    textStart: 0,
  });
  return { ...opened, ...part };
}

function editOf(part: Partial<EditBlock>): EditBlock {
  return { ...editBlockOf(blockWith({}), "call", "src/a.ts"), ...part };
}

function indented(text: string): string {
  return text.replaceAll("\n", "\n         ");
}

describe("the words for edit blocks", () => {
  it("are as in messages.golden.txt", () => {
    const reasons = Object.values(REASONS)
      .flat()
      .map((reason: BlockReason) => {
        const decided = REVIEWED.has(reason.code) ? "rejected" : "refused";
        const status = UNCLOSED.has(reason.code)
          ? "incomplete"
          : reason.code === "partly-accepted"
            ? "partly-applied"
            : decided;
        const block = blockWith({ reason, status });
        const model =
          reason.code === "mode-mismatch"
            ? (ignoredReport([block]) ?? "")
            : blockReport(block, block.target);
        const { code, ...facts } = reason;
        return `${code} ${JSON.stringify(facts)}\n  user:  ${indented(reasonText(block, english) ?? "–")}\n  model: ${indented(model)}\n`;
      });
    const warnings = WARNINGS.map(
      (warning) => `${warning.code}\n  ${warningsText([warning], english)}\n`,
    );
    const warned = blockReport(
      blockWith({ status: "applied", warnings: WARNINGS.slice(1, 3) }),
      "lines 3-9",
    );
    const adjustments = ADJUSTMENTS.map(
      (one) =>
        `${one.code}\n  ${blockReport(blockWith({ status: "applied", adjustments: [one] }), "lines 3-9")}\n`,
    );
    const slips = [
      patchSlipsText([["trailing-blanks", "indentation"]]),
      patchSlipsText([[], ["shifted"]]),
      patchSlipsText([[]]),
    ];
    const conflicts = CONFLICTS.map(
      (conflict) => `${conflict.code}\n  ${indented(patchConflictText(conflict))}\n`,
    );
    const failures = FAILURES.map(
      (failure) => `${failure.code}\n  ${guardedFailureText(failure, english)}\n`,
    );
    const blocked = BLOCKED.map((reason) => `${reason.code}\n  ${blockedText(reason, english)}\n`);
    const decided = decisionReport([
      editOf({ status: "applied", userDiff: "@@ -1 +1 @@\n-two\n+2" }),
      editOf({
        status: "partly-applied",
        op: "after",
        reason: { code: "partly-accepted", accepted: 1, hunks: 2 },
      }),
      editOf({ status: "rejected", reason: { code: "rejected-by-user" } }),
      editOf({
        status: "rejected",
        reason: { code: "rejected-by-user" },
        rejection: "We round in one place only",
      }),
      editOf({ status: "rejected", reason: { code: "file-gone" } }),
      editOf({ status: "conflict", reason: { code: "edited-meanwhile" } }),
      editOf({ status: "pending" }),
      editOf({ op: "delete", target: "deletion", status: "applied" }),
      editOf({
        op: "delete",
        target: "deletion",
        status: "conflict",
        reason: { code: "file-changed" },
      }),
      editOf({ op: "rename", target: "src/b.ts", status: "rejected" }),
    ]);
    const actual = [
      ["Reasons", ...reasons].join("\n"),
      ["Warnings", ...warnings, `in a report\n  ${warned}\n`].join("\n"),
      ["Adjustments", ...adjustments].join("\n"),
      ["Conflicts of patch_source_file", ...conflicts].join("\n"),
      ["Slips of patch_source_file", ...slips.map((slip) => `  ${slip}\n`)].join("\n"),
      ["Proposals", proposedReport("src/a.ts", 1, 9), proposedReport("src/a.ts", 3, 9), decided, ""]
        .map((text) => indented(text))
        .join("\n"),
      ["Held blocks that cannot be proposed", ...failures].join("\n"),
      ["Files that cannot be restored", ...blocked].join("\n"),
    ].join("\n");
    if (process.env.UPDATE_GOLDEN === "1") writeFileSync(golden, actual);
    assert.equal(
      actual,
      readFileSync(golden, "utf8"),
      "run with UPDATE_GOLDEN=1 after looking at the difference",
    );
  });
});
