import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { resolve } from "node:path";
import { english } from "../../../src/base/localize.ts";
import { modelError } from "../../../src/model/modelFailure.ts";
import type { Attachment } from "../../../src/turns/attachment.ts";
import {
  attachmentLabel,
  noticeMessage,
  questionMessage,
  turnErrorMessage,
  unheardMessage,
} from "../../../src/turns/messages.ts";
import {
  attachedText,
  editorText,
  NO_RESULT,
  restoredPrompt,
  rulesText,
  spokenText,
  stepSummaryText,
  summaryText,
  unheardText,
} from "../../../src/turns/promptText.ts";
import type { TurnNotice } from "../../../src/turns/turn.ts";
import type { TurnError } from "../../../src/turns/turnError.ts";

const golden = resolve(import.meta.dirname, "messages.golden.txt");
const cause = modelError(
  { code: "server-error", status: 503, said: "overloaded" },
  { baseUrl: "https://api.example.com/v1", model: "m" },
);
const tooLarge = {
  code: "request-too-large",
  kind: "context-length",
  retryable: false,
  tokens: 130_449,
  limit: 112_000,
} as const;

const errors: readonly TurnError[] = [
  cause,
  ...(["tool", "tools", "system", "user", "assistant"] as const).map((of) => ({
    ...tooLarge,
    largest: { of, tokens: 90_251 },
  })),
  { ...tooLarge, tokens: 999, limit: 1000, largest: { of: "user", tokens: 700 } },
  { code: "compaction-failed", kind: "context-length", retryable: true, cause },
  {
    code: "edit-mode-refused",
    kind: "validation",
    retryable: false,
    error: { code: "is-directory", path: "src" },
  },
  { code: "internal", kind: "internal", retryable: true, said: "no disk" },
];

const refused = modelError(
  { code: "tools-refused", said: "no tools" },
  { baseUrl: "http://localhost:11434/v1", model: "gemma3" },
);
const notices: readonly TurnNotice[] = [
  { type: "notice", level: "info", code: "small-window", offer: "few", window: 8192 },
  { type: "notice", level: "info", code: "small-window", offer: "brief", window: 4096 },
  { type: "notice", level: "info", code: "small-window", offer: "none", window: 2048 },
  { type: "notice", level: "warning", code: "request-cut", sent: 24_854, counted: 4096 },
  { type: "notice", level: "warning", code: "empty-response" },
  { type: "notice", level: "warning", code: "empty-response", again: true },
  { type: "notice", level: "warning", code: "empty-response", thought: true },
  { type: "notice", level: "warning", code: "step-limit", steps: 25 },
  { type: "notice", level: "info", code: "edit-format", format: "lines", blocks: 12, refused: 9 },
  {
    type: "notice",
    level: "info",
    code: "edit-format",
    format: "complete",
    blocks: 12,
    refused: 9,
  },
  { type: "notice", level: "warning", code: "tools-refused", error: refused },
  { type: "notice", level: "warning", code: "unread-call", model: "qwen3", taught: false },
  { type: "notice", level: "warning", code: "unread-call", model: "qwen3", taught: true },
  {
    type: "notice",
    level: "warning",
    code: "images-refused",
    error: modelError({ code: "rejected", status: 400, said: "no vision" }, refused),
  },
  { type: "notice", level: "info", code: "tools-unavailable", detail: null },
  { type: "notice", level: "info", code: "tools-unavailable", detail: "out of memory" },
  { type: "notice", level: "info", code: "compacted" },
  { type: "notice", level: "warning", code: "turn-running" },
  {
    type: "notice",
    level: "warning",
    code: "retry",
    attempt: 1,
    maxAttempts: 3,
    waitMs: 400,
    error: cause,
  },
  {
    type: "notice",
    level: "warning",
    code: "retry",
    attempt: 3,
    maxAttempts: 3,
    waitMs: 8_000,
    error: cause,
  },
];

const restored = {
  type: "files-restored" as const,
  step: 0,
  request: "Rename it",
  files: [{ path: "b.ts", deleted: true }],
};
const span = { first: 3, last: 9 };
const plain = { path: null, lines: null, name: "", text: "a\nb", omitted: 0 };
const attachments: readonly Attachment[] = [
  { ...plain, kind: "file", path: "src/a.ts", view: { first: 1, last: 2, total: 2 } },
  { ...plain, kind: "file", path: "src/gone\u202etxt.ts", text: null },
  { ...plain, kind: "folder", path: "src" },
  { ...plain, kind: "folder", path: "" },
  { ...plain, kind: "symbol", path: "src/a.ts", name: "sum", lines: span },
  { ...plain, kind: "selection", path: "src/a.ts", lines: { first: 4, last: 4 } },
  { ...plain, kind: "hunk", path: "src/a.ts", lines: span },
  { ...plain, kind: "problems" },
  { ...plain, kind: "problems", path: "src/a.ts", lines: span },
  { ...plain, kind: "changes", omitted: 12 },
  { ...plain, kind: "editors" },
  { ...plain, kind: "terminal", text: "a ```` fence\n[End of output of a terminal]" },
  { ...plain, kind: "paste" },
  { ...plain, kind: "image" },
  { ...plain, kind: "image", name: "a\u202e.png", text: null },
];
const unheard = [
  { type: "unheard", step: 0, last: "The tests pass.", reason: "interrupted" },
  { type: "unheard", step: 0, last: "", reason: "failed" },
] as const;
const prompts = [
  NO_RESULT,
  summaryText("The user wants tests."),
  stepSummaryText("Two files are read."),
  rulesText({ type: "rules", step: 0, path: "AGENTS.md", text: "Use tabs." }),
  rulesText({ type: "rules", step: 0, path: "lib/AGENTS.md", text: "Use tabs." }),
  restoredPrompt({ ...restored, undone: false }),
  restoredPrompt({ ...restored, undone: true }),
  editorText({
    activeFile: "a.ts",
    editor: { selection: span, visible: { first: 1, last: 1 }, tabs: ["b.ts"] },
  }),
  editorText({
    activeFile: null,
    editor: { selection: null, visible: null, tabs: ["b.ts", "c.ts"] },
  }),
  attachedText({ text: "Look.", attachments }),
  spokenText({ text: "Rename it.", spoken: true }),
  ...unheard.map(unheardText),
];

describe("what the user and the model read in a turn", () => {
  it("is as in messages.golden.txt", () => {
    const reasons = [
      { code: "repeated-calls", tool: "read_file", times: 3 },
      { code: "turn-cost", cost: 1.234, limit: 1 },
    ] as const;
    const actual = [
      ...errors.map((error) => `${JSON.stringify(error)}\n  ${turnErrorMessage(error, english)}\n`),
      ...notices.map(
        (notice) => `${JSON.stringify(notice)}\n  ${noticeMessage(notice, english)}\n`,
      ),
      ...reasons.map(
        (about) =>
          `${JSON.stringify(about)}\n  ${questionMessage({ question: "", about }, english)}\n`,
      ),
      ...attachments.map(
        (attachment) => `${attachment.kind}: ${attachmentLabel(attachment, english)}\n`,
      ),
      ...unheard.map((part) => `${JSON.stringify(part)}\n  ${unheardMessage(part, english)}\n`),
      "\nFor the model:\n",
      ...prompts.map((text) => `${text}\n---\n`),
    ].join("");
    if (process.env.UPDATE_GOLDEN === "1") writeFileSync(golden, actual);
    assert.equal(
      actual,
      readFileSync(golden, "utf8"),
      "run with UPDATE_GOLDEN=1 after looking at the difference",
    );
  });
});
