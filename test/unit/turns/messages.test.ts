import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { resolve } from "node:path";
import { english } from "../../../src/base/localize.ts";
import { modelError } from "../../../src/model/modelFailure.ts";
import { noticeMessage, questionMessage, turnErrorMessage } from "../../../src/turns/messages.ts";
import { editorText, NO_RESULT, restoredText, rulesText, summaryText } from "../../../src/turns/promptText.ts";
import type { TurnNotice } from "../../../src/turns/turn.ts";
import type { TurnError } from "../../../src/turns/turnError.ts";

const golden = resolve(import.meta.dirname, "messages.golden.txt");
const cause = modelError({ code: "server-error", status: 503, said: "overloaded" }, { baseUrl: "https://api.example.com/v1", model: "m" });
const tooLarge = { code: "request-too-large", kind: "context-length", retryable: false, tokens: 130_449, limit: 112_000 } as const;

const errors: readonly TurnError[] = [
  cause,
  ...(["tool", "tools", "system", "user", "assistant"] as const).map((of) => ({ ...tooLarge, largest: { of, tokens: 90_251 } })),
  { ...tooLarge, tokens: 999, limit: 1000, largest: { of: "user", tokens: 700 } },
  { code: "compaction-failed", kind: "context-length", retryable: true, cause },
  { code: "edit-mode-refused", kind: "validation", retryable: false, said: "src is a folder" },
  { code: "internal", kind: "internal", retryable: true, said: "no disk" },
];

const refused = modelError({ code: "tools-refused", said: "no tools" }, { baseUrl: "http://localhost:11434/v1", model: "gemma3" });
const notices: readonly TurnNotice[] = [
  { type: "notice", level: "warning", code: "empty-response" },
  { type: "notice", level: "warning", code: "step-limit", steps: 25 },
  { type: "notice", level: "warning", code: "tools-refused", error: refused },
  { type: "notice", level: "info", code: "tools-unavailable", detail: null },
  { type: "notice", level: "info", code: "tools-unavailable", detail: "out of memory" },
  { type: "notice", level: "info", code: "compacted" },
  { type: "notice", level: "warning", code: "turn-running" },
  { type: "notice", level: "warning", code: "retry", attempt: 1, maxAttempts: 3, waitMs: 400, error: cause },
  { type: "notice", level: "warning", code: "retry", attempt: 3, maxAttempts: 3, waitMs: 8_000, error: cause },
];

const restored = { type: "files-restored", step: 0, request: "Rename it", files: [{ path: "b.ts", deleted: true }] } as const;
const span = { first: 3, last: 9 };
const prompts = [
  NO_RESULT,
  summaryText("The user wants tests."),
  rulesText({ type: "rules", step: 0, path: "AGENTS.md", text: "Use tabs." }),
  rulesText({ type: "rules", step: 0, path: "lib/AGENTS.md", text: "Use tabs." }),
  restoredText({ ...restored, undone: false }),
  restoredText({ ...restored, undone: true }),
  editorText({ activeFile: "a.ts", editor: { selection: span, visible: { first: 1, last: 1 }, tabs: ["b.ts"] } }),
  editorText({ activeFile: null, editor: { selection: null, visible: null, tabs: ["b.ts", "c.ts"] } }),
];

describe("what the user and the model read in a turn", () => {
  it("is as in messages.golden.txt", () => {
    const about = { code: "repeated-calls", tool: "read_file", times: 3 } as const;
    const actual = [
      ...errors.map((error) => `${JSON.stringify(error)}\n  ${turnErrorMessage(error, english)}\n`),
      ...notices.map((notice) => `${JSON.stringify(notice)}\n  ${noticeMessage(notice, english)}\n`),
      `${JSON.stringify(about)}\n  ${questionMessage({ question: "", about }, english)}\n`,
      "\nFor the model:\n",
      ...prompts.map((text) => `${text}\n---\n`),
    ].join("");
    if (process.env.UPDATE_GOLDEN === "1") writeFileSync(golden, actual);
    assert.equal(actual, readFileSync(golden, "utf8"), "run with UPDATE_GOLDEN=1 after looking at the difference");
  });
});
