import assert from "node:assert/strict";
import { english } from "../../../src/base/localize.ts";
import {
  type Block,
  type BlockAdjustment,
  become,
  type DecidedStatus,
  editBlockOf,
  type FailedStatus,
  openedBlock,
  outcomeFields,
  type PlacedBody,
} from "../../../src/edits/block.ts";
import * as messages from "../../../src/edits/messages.ts";
import type { PatchConflict } from "../../../src/edits/propose/locatePatches.ts";
import { fileStyle } from "../../../src/edits/text/fileStyle.ts";
import type { BlockWarning, ReviewReason } from "../../../src/ports/review.ts";
import { REASON_SENTENCES, reasonText, warningsText } from "../../../src/turns/blockMessages.ts";
import type { BlockReason } from "../../../src/turns/blockReason.ts";
import type { EditBlock } from "../../../src/turns/editBlock.ts";
import {
  assertDistinct,
  assertSentence,
  assertText,
  factsOf,
  type Message,
} from "../../fakes/assertMessages.ts";

const excerpt = (more: number, ...lines: string[]) => ({ lines, more });
const gone = { code: "not-found", path: "b", candidates: [] } as const;
const readOnly = { code: "read-only", path: "src/a.ts" } as const;
const plain = <Code extends string>(...codes: readonly Code[]) => codes.map((code) => ({ code }));

/** Reasons of which the model is told what to do, too. */
const ADVISED: readonly BlockReason[] = [
  ...plain("invalid-address", "single-line", "reversed-lines", "file-name-in-address"),
  { code: "unknown-operation", op: "replace" },
  { code: "not-in-edit-mode", file: "src/b.ts" },
  { code: "no-edit-mode", file: "src/c.ts", turnsOn: "model" },
  { code: "no-edit-mode", file: null, turnsOn: "user" },
  { code: "file-needed", files: ["src/a.ts", "src/b.ts"] },
  ...plain("complete-file-expected", "which-whole-file", "unclear-end", "unclear-indent"),
  { code: "mode-mismatch", active: "ast", useLineNumbers: false },
  { code: "mode-mismatch", active: "ast", useLineNumbers: null },
  { code: "mode-mismatch", active: "lines", useLineNumbers: true },
  ...plain("being-written"),
  ...plain("view-forgotten", "views-differ", "own-changes-since", "empty-body", "was-reasoning"),
  { code: "path-reassigned", path: "item#2", line: 7 },
  { code: "lines-changed", before: excerpt(7, "three();"), now: excerpt(0, "3();") },
  { code: "lines-changed", before: excerpt(7, "three();"), now: excerpt(0) },
  { code: "element-changed", before: excerpt(0, "area() {"), now: excerpt(3, "area(scale) {") },
  { code: "checks-failed", first: 3, lines: excerpt(5, "three();", "four();") },
  { code: "changed-by-earlier-block", target: "ast-path:Shape-area" },
  { code: "no-ast-paths", why: "too-large" },
  { code: "no-ast-paths", why: "unreadable" },
  { code: "unresolved-path", error: gone },
  { code: "other-element", path: "f", meant: "f#1" },
  { code: "shared-declaration", path: "a", others: ["b", "c"] },
  { code: "elision", line: "// ... existing code ..." },
];

/** Reasons that say enough. */
const UNADVISED: readonly BlockReason[] = [
  ...plain("no-element-named", "turn-ended", "not-accepted-automatically", "not-saved"),
  { code: "other-form", form: "diff" },
  { code: "needs-ast-path", op: "append" },
  { code: "internal", said: "Invalid array length" },
  { code: "no-such-line", line: 9, lineCount: 4 },
  { code: "nothing-to-remove", line: 5, lineCount: 4 },
  { code: "outside-element", path: "Shape-area", start: 12, end: 18 },
  { code: "no-body", path: "Shape-width" },
  { code: "not-removable", path: "@imports" },
  { code: "overlap", targets: ["lines 3-9", "lines 3-9"] },
  { code: "overlap", targets: ["lines 3-9", "lines 4-5", "lines 9-12"] },
  { code: "partly-accepted", accepted: 2, hunks: 3 },
  { code: "write-failed", error: readOnly },
];

const lineWarnings = ["elision", "repeats-line", "loses-return", "whitespace"] as const;
const copyWarnings = ["loses-comment", "doubles-comment", "doubles-lines"] as const;
const WARNINGS: readonly BlockWarning[] = [
  ...plain("syntax", "edited-meanwhile", "maybe-reasoning", "unchecked-end", "cuts-brackets"),
  ...[...lineWarnings, ...copyWarnings].map((code) => ({ code, line: "return 1;" })),
  ...(["cuts-element", "loses-element", "doubles-element"] as const).map((code) => ({
    code,
    path: "Shape-area",
  })),
  { code: "deletion", removed: 30, written: 2 },
  { code: "never-read", forgotten: false },
  { code: "never-read", forgotten: true },
  { code: "typo", word: "amuont", known: "amount" },
  { code: "loses-members", path: "Shape", names: ["area", "name"] },
  { code: "loses-head", lost: "export async" },
];

const ADJUSTMENTS: readonly BlockAdjustment[] = [
  ...plain("with-comment", "trailing-comment", "margin", "import-form", "line-numbers"),
  { code: "moved", to: { start: 4, end: 10 } },
  { code: "kept-head", kept: ["@logged", "static"] },
  { code: "repeats-imports", lines: ["import a;"] },
  { code: "repaired", slips: ["trailing-blanks", "indentation"] },
  { code: "repaired", slips: ["shifted"] },
];

const nearest = { first: 7, lines: excerpt(89, "one();") };
const conflicts: readonly (readonly [PatchConflict, ...(string | number)[]])[] = [
  [{ edit: null, code: "unchanged" }],
  [{ edit: 5, code: "overlap", line: 3, other: 4 }],
  [{ edit: null, code: "ambiguous", count: 14, lines: [1, 2, 6], more: true }, "1, 2, 6, …"],
  [{ edit: null, code: "ambiguous", count: 2, lines: [1], more: false }, "(line 1)"],
  [{ edit: 5, code: "inside-word", line: 4 }],
  [{ edit: null, code: "not-found", nearest: null }],
  [{ edit: 5, code: "not-found", nearest }, "7\tone();", "89 more"],
];

const PLACED: PlacedBody = {
  ...{ op: "replace", body: [], old: [], neighbors: null, proven: null, path: "src/a.ts" },
  style: () => fileStyle(""),
};

const opened = (target = "lines 3-9") =>
  openedBlock({
    ...{ blockId: "1", index: 1, step: 0, textStart: 0, target, written: target },
    op: "replace",
  });
const captured = () => become(opened(), { status: "captured", reason: null, placed: PLACED });

function refused(reason: BlockReason, status: FailedStatus = "refused"): Block {
  const isOfElement = reason.code === "mode-mismatch" && reason.active === "lines";
  return become(opened(isOfElement ? "ast-path:Shape-area" : undefined), { status, reason });
}

function decided(status: DecidedStatus, reason: ReviewReason | null = null): Block {
  return become(captured(), outcomeFields({ blockId: "1", status, reason }));
}

function editOf(part: Partial<EditBlock>): EditBlock {
  return { ...editBlockOf(opened(), "call", "src/a.ts"), ...part };
}

const userText = (reason: BlockReason) => reasonText(refused(reason), english);
const modelText = (block: Block) => messages.blockReport(block, "lines 3-9");
const codes = ["form", "why", "active", "turnsOn", "candidates", "targets"];

describe("why an edit block was not proposed", () => {
  it("is told to the user with its facts, and differs for each cause", () => {
    const reasons = [...ADVISED.filter(({ code }) => !isSame(code)), ...UNADVISED];
    for (const reason of reasons) assertText([userText(reason), ...factsOf(reason, ...codes)]);
    assertDistinct(reasons.map(userText));
    assert.equal(userText({ code: "rejected-by-user" }), null);
  });

  it("is told to the model with its facts, and with what to do where it must act", () => {
    for (const reason of [...ADVISED, ...UNADVISED]) {
      const block = refused(reason);
      const report =
        reason.code === "mode-mismatch"
          ? messages.ignoredReport([block])
          : messages.blockReport(block, block.target);
      assertText([report, block.target, ...factsOf(reason, ...codes)]);
      assert.doesNotMatch(report ?? "", /the model/i);
      const isAdvised = report !== `${block.target} was not proposed: ${userText(reason)}`;
      assert.equal(isAdvised, ADVISED.includes(reason), reason.code);
    }
  });

  it("is never that the user did not accept what the review did not take", () => {
    for (const code of ["being-written", "deletion-proposed", "proposals-elsewhere"] as const)
      assert.match(modelText(decided("rejected", { code })), /was not proposed: /);
  });

  it("sends the model to `edit_mode` only where it can turn that on", () => {
    const report = (turnsOn: "model" | "user") =>
      modelText(refused({ code: "no-edit-mode", file: "b.ts", turnsOn }));
    assert.ok(report("model").includes("`edit_mode`"));
    assert.ok(!report("user").includes("edit_mode"));
  });

  it("names the blocks that overlap, or how many there are for the same lines", () => {
    const text = (...targets: string[]) => userText({ code: "overlap", targets });
    assertSentence([text("lines 3-9", "lines 3-9"), "2 blocks", "lines 3-9"]);
    assertSentence([text("lines 3-9", "lines 4-5", "lines 9-12"), "3-9, lines 4-5 ", "lines 9-12"]);
  });

  it("shows the lines of then and now, indented, and how many more there are", () => {
    const before = excerpt(7, "three();");
    const changed = (now: ReturnType<typeof excerpt>) =>
      userText({ code: "lines-changed", before, now }) ?? "";
    assert.match(changed(excerpt(0, "3();")), /\n {2}three\(\);\n {2}… 7 more\n.+\n {2}3\(\);$/);
    assert.match(changed(excerpt(0)), /\n {2}\(.+\)$/);
    const checks = userText({ code: "checks-failed", first: 3, lines: before });
    assert.match(checks ?? "", /\n {2}3\tthree\(\);\n {2}… 7 more$/);
  });
});

/** Reasons of which the user reads what is said of others: they cannot act on the difference. */
function isSame(code: BlockReason["code"]): boolean {
  const sentences: Readonly<Record<string, string>> = REASON_SENTENCES;
  return sentences[code] === REASON_SENTENCES["line-zero"] || code === "not-in-edit-mode";
}

describe("what became of an edit block", () => {
  it("is proposed, applied, rejected, not accepted or not closed", () => {
    const partly = decided("partly-applied", { code: "partly-accepted", accepted: 2, hunks: 3 });
    const blocks = [
      ...[captured(), decided("pending"), decided("applied"), partly],
      decided("rejected", { code: "file-gone" }),
      refused({ code: "file-gone" }),
    ];
    const open = modelText(refused({ code: "unclosed" }, "incomplete"));
    const rejected = modelText(decided("rejected", { code: "rejected-by-user" }));
    assertDistinct([...blocks.map(modelText), open, rejected]);
    assert.equal(modelText(decided("rejected")), rejected);
    for (const code of ["length-limit", "stopped", "broken-off"] as const)
      assert.equal(modelText(refused({ code }, "incomplete")), open);
  });

  it("comes with its warnings, which name the lines, the elements and the words", () => {
    const warned = (...warnings: BlockWarning[]) =>
      modelText(become(decided("applied"), { warnings }));
    for (const warning of WARNINGS) {
      assertSentence([warningsText([warning], english), ...factsOf(warning)]);
      assertText([warned(warning), ...factsOf(warning)]);
      assert.doesNotMatch(warned(warning), /the model/i);
    }
    assertDistinct(WARNINGS.map((warning) => warningsText([warning], english)));
    const two = WARNINGS.filter(({ code }) => code === "typo" || code === "deletion");
    assertText([warned(...two), ...factsOf(two)]);
  });

  it("comes with what Graft changed in it", () => {
    const report = (one: BlockAdjustment) =>
      modelText(become(decided("applied"), { adjustments: [one] }));
    for (const one of ADJUSTMENTS) assertText([report(one), ...factsOf(one, "slips")]);
    assertDistinct([...ADJUSTMENTS.map(report), modelText(decided("applied"))]);
  });

  it("is told once the user has decided, with the reason and their changes", () => {
    const deletion = { op: "delete", target: "deletion" } as const;
    const edits: readonly (readonly [Partial<EditBlock>, ...facts: string[]])[] = [
      [{ status: "applied", userDiff: "@@ -1 +1 @@\n-two\n+2" }, "lines 3-9"],
      [{ status: "partly-applied", op: "after" }, "(after)"],
      [{ status: "applied", undone: true }, "undone"],
      [{ status: "rejected", reason: { code: "rejected-by-user" } }],
      [{ status: "rejected", rejection: "We round once" }, "We round once"],
      [{ status: "rejected", reason: { code: "file-gone" } }],
      [{ status: "conflict", reason: { code: "edited-meanwhile" } }],
      [{ status: "pending" }],
      [{ status: "superseded", reason: { code: "superseded", ofOthers: true } }],
      ...(["applied", "partly-applied", "rejected", "withdrawn"] as const).map((became) => {
        const reason = { code: "superseded", ofOthers: true, became } as const;
        return [{ status: "superseded", reason }] as const;
      }),
      [{ ...deletion, status: "applied" }, "deletion"],
      [{ ...deletion, status: "conflict", reason: { code: "file-changed" } }, "deletion"],
      [{ op: "rename", target: "src/b.ts", status: "rejected" }, "'src/b.ts'"],
    ];
    const report = messages.decisionReport(edits.map(([edit]) => editOf(edit)));
    const lines = report.split("\n").filter((line) => line.startsWith("- "));
    for (const [index, [, ...facts]] of edits.entries())
      assertText([lines[index] ?? null, "'src/a.ts'", ...facts]);
    assertDistinct(lines);
    assert.ok(report.endsWith("\n@@ -1 +1 @@\n-two\n+2"));
    const counts = new Map([
      ["src/a.ts", 12],
      ["src/gone.ts", null],
    ]);
    const counted = messages.decisionReport([editOf({ status: "applied" })], counts).split("\n");
    assertSentence([counted.at(-2) ?? null, "src/a.ts", "12 lines"]);
    assertSentence([counted.at(-1) ?? null, "src/gone.ts"]);
  });

  it("counts the changes that are proposed, and the lines that the model sees", () => {
    assertSentence([messages.proposedReport("src/a.ts", 1, 9), "1 change ", "src/a.ts", "9 lines"]);
    assertSentence([messages.proposedReport("src/a.ts", 3, 9), "3 changes "]);
  });
});

describe("what patch_source_file tells the model", () => {
  it("names the edit, the line and the places of a conflict", () => {
    for (const [conflict, ...facts] of conflicts)
      assertText([messages.patchConflictText(conflict), ...factsOf(conflict), ...facts]);
    assertDistinct(conflicts.map(([conflict]) => messages.patchConflictText(conflict)));
  });

  it("says why a replacement is refused", () => {
    assertSentence([messages.patchRefusalText(refused({ code: "elision", line: "..." })), "`...`"]);
  });
});

describe("why a change cannot be proposed or undone", () => {
  it("names the file and the place, and differs for each cause", () => {
    const path = "src/a.ts";
    const told = (failure: Parameters<typeof messages.heldFailureText>[0]) =>
      [messages.heldFailureText(failure, english), ...factsOf(failure)] as const;
    const reason = { code: "no-such-line", line: 9, lineCount: 4 } as const;
    const rows: readonly Message[] = [
      ...plain("turn-running", "forgotten", "stopped").map(told),
      ...(["no-ast-paths", "file-changed"] as const).map((code) => told({ code, path })),
      told({ code: "file", error: readOnly }),
      told({ code: "no-place", path, target: "lines 9-9", reason }),
    ];
    for (const row of rows) assertSentence(row);
    assertDistinct(rows.map(([text]) => text));
  });

  it("names the lines that the user changed, counted from 1", () => {
    const blocked = (reason: Parameters<typeof messages.blockedText>[0]) =>
      messages.blockedText(reason, english);
    const changed = (...lines: readonly { start: number; end: number }[]) =>
      blocked({ code: "lines-changed", lines });
    const rows: readonly Message[] = [
      [changed()],
      [changed({ start: 9, end: 10 }), " 10 "],
      [changed({ start: 7, end: 9 }), " 8-9 "],
      [changed({ start: 1, end: 1 }, { start: 7, end: 9 }), " 2, 8-9 "],
      ...plain("deleted", "created-again", "created-and-edited").map(
        (it) => [blocked(it)] as const,
      ),
    ];
    for (const row of rows) assertText(row);
    assertDistinct(rows.map(([text]) => text));
  });
});
