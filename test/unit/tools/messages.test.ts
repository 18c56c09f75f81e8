import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { resolve } from "node:path";
import type { DiskGap } from "../../../src/ports/savedFiles.ts";
import { fileError } from "../../../src/tools/files/fileToolError.ts";
import { type ToolFailures, toolError } from "../../../src/tools/messages.ts";
import { diskGapNote } from "../../../src/tools/notes.ts";
import type { ToolError } from "../../../src/tools/tool.ts";
import { toolResultText } from "../../../src/tools/toolResultText.ts";

const golden = resolve(import.meta.dirname, "messages.golden.txt");
const detail = "What the system says.";

/** Facts for each code, and more where the wording differs. */
const examples: { readonly [Code in keyof ToolFailures]: readonly ToolFailures[Code][] } = {
  "unknown-tool": [{ name: "shout", known: ["echo", "read_result"] }],
  "not-in-mode": [
    { name: "edit_mode", mode: "plan" },
    { name: "run_command", mode: "reviewer" },
  ],
  "no-agents": [{}],
  "unknown-agent": [
    { name: "reviewer", known: [], broken: [] },
    { name: "reviewer", known: ["tester"], broken: [".github/agents/reviewer.md"] },
  ],
  "agent-spent": [
    { over: "tokens", report: "" },
    { over: "time", report: "I looked at a.ts." },
  ],
  "agent-error": [{ report: "" }, { report: "I looked." }],
  "invalid-json": [{ tool: "echo", detail: "Unexpected end of JSON input" }],
  "invalid-arguments": [
    {
      tool: "echo",
      detail: "text: Invalid input: expected string, received undefined",
      parameters: ["text", "times"],
    },
  ],
  "timed-out": [
    { tool: "echo", seconds: 30, advice: null },
    { tool: "echo", seconds: 1, advice: "Try another tool." },
  ],
  cancelled: [
    { tool: "echo", begun: false },
    { tool: "echo", begun: true },
  ],
  crashed: [{ tool: "echo", detail: "out of memory" }],
  denied: [
    { tool: "echo", by: "user", rule: null },
    { tool: "echo", by: "settings", rule: "git_commit: never" },
    { tool: "echo", by: "flags", rule: "--allow-commands" },
    { tool: "echo", by: "trust", rule: null },
    { tool: "echo", by: "cancel", rule: null },
  ],
  "unknown-result": [{ id: "r9", offset: 0 }],
  "element-and-lines": [{}],
  "start-past-end": [{ start: 12, lines: 10 }],
  "end-before-start": [{ start: 12, end: 10 }],
  "unknown-element": [{ error: { code: "not-found", path: "area", candidates: [] } }],
  "no-outline": [
    { why: { code: "no-grammar", path: "a.ts" }, use: "read_file" },
    { why: { code: "unparsed", path: "a.ts" }, use: "lines" },
  ],
  "no-file-read": [{ detail: "a.ts: Error (not-found): a.ts does not exist." }],
  "too-large-arguments": [{ tool: "edit_file", limit: 8_000_000 }],
  "mixed-edits": [{}],
  "nothing-proposed": [{ path: "a.ts", report: "- lines 3-4 was not proposed: no such lines." }],
  "symbol-not-in-line": [{ path: "src/a.ts", line: 3, symbol: "area" }],
  "no-references": [{ detail }, { detail: null }],
  "no-diagnostics": [{ detail }],
  "too-few-options": [{ kind: "choice" }],
  "no-answer": [{ why: "skipped" }, { why: "stopped" }, { why: "nobody" }],
  "not-fetched": [
    { url: "ftp://a.b", failure: { code: "not-a-web-address" } },
    { url: "http://10.0.0.1/", failure: { code: "private-address" } },
    { url: "https://a.b/", failure: { code: "redirected", to: "https://c.d/" } },
    { url: "https://a.b/", failure: { code: "too-many-redirects" } },
    { url: "https://a.b/", failure: { code: "other-address" } },
    { url: "https://a.b/", failure: { code: "no-text" } },
    { url: "https://a.b/", failure: { code: "timed-out" } },
    { url: "https://a.b/", failure: { code: "status", status: 404 } },
    { url: "https://a.b/", failure: { code: "not-text", type: "image/png" } },
    { url: "https://a.b/", failure: { code: "unreachable", detail: "ECONNREFUSED" } },
  ],
  "nul-in-command": [{}],
  "too-many-commands": [{ running: ["c1", "c2"] }],
  "no-shadow": [
    { problem: { code: "not-mounted", detail } },
    { problem: { code: "not-written", detail, path: "/home/me/app/a.ts" } },
    {
      problem: {
        code: "too-large",
        detail: "",
        size: { bytes: 3_000_000_000, limit: 2_147_483_648 },
      },
    },
    { problem: { code: "disk-full", detail, path: "/home/me/app/a.ts" } },
    { problem: { code: "repository-outside", detail: "/home/me/data", path: "/home/me/app" } },
  ],
  "outside-copy": [{ path: "/home/me/other" }],
  "not-run": [
    { failure: { code: "not-on-disk", program: "bash" } },
    { failure: { code: "not-found", program: "git" } },
    { failure: { code: "not-started", program: "bash", detail } },
    { failure: { code: "stopped", program: "git" } },
    { failure: { code: "ended", program: "git", detail: "SIGKILL" } },
  ],
  "unknown-command": [
    { id: "c9", known: [] },
    { id: "c9", known: ["c1", "c2"] },
  ],
  "git-untrusted": [{}],
  "not-a-repository": [{ folder: "" }, { folder: "web" }],
  "repository-not-open": [{ top: "/home/ada/shop/vendor" }],
  "repository-elsewhere": [{ leads: "/etc" }],
  "runs-program": [{ settings: ["filter.x"] }],
  "git-failed": [
    { code: 128, detail: "" },
    { code: 1, detail: "tests failed" },
  ],
  "not-a-revision": [{ parameter: "revision" }],
  "path-outside-folder": [{ path: "a.ts", folder: "web" }],
  "server-refused": [{ tool: "add", server: "docs", detail: "Invalid params" }],
  "server-lost": [
    { server: "docs", detail: "", wrote: "" },
    { server: "docs", detail: "socket hang up", wrote: "out of memory" },
  ],
  "server-tool-failed": [
    { tool: "add", detail: "" },
    { tool: "add", detail: "that is wrong" },
  ],
  "not-an-object": [{ tool: "add" }],
  "not-a-tool-result": [{ tool: "add" }],
  "server-unavailable": [{ problem: { code: "start-timeout", name: "docs" } }],
};

const gaps: readonly DiskGap[] = [
  { pending: ["a.ts"], failed: [], unsaved: [] },
  { pending: ["a.ts", "b.ts"], failed: ["c.ts"], unsaved: ["d.ts"] },
  { pending: [], failed: [], unsaved: Array.from({ length: 22 }, (_, index) => `${index + 1}.ts`) },
];

const isCode = (name: string): name is keyof ToolFailures => name in examples;

function worded<Code extends keyof ToolFailures>(
  code: Code,
  all: readonly ToolFailures[Code][],
): readonly string[] {
  return all.map((facts) => `${code} ${JSON.stringify(facts)}\n${text(toolError(code, facts))}\n`);
}

function text(error: ToolError): string {
  return toolResultText({ ok: false, error }).replace(/^/gm, "  ");
}

describe("the messages of tools", () => {
  it("are as in messages.golden.txt", () => {
    const codes = Object.keys(examples).filter(isCode);
    const ofTools = codes.flatMap((code) => worded(code, examples[code]));
    const ofFiles = (["not-found", "binary", "too-large", "exists"] as const).map(
      (code) =>
        `file: ${code}\n${text(fileError({ code, path: "src/a.ts", bytes: 9_000_000 }, { exists: "What to do instead." }))}\n`,
    );
    const notes = gaps.map((gap) => `gap ${JSON.stringify(gap)}\n  ${diskGapNote(gap)}\n`);
    const actual = [...ofTools, ...ofFiles, ...notes].join("");
    if (process.env.UPDATE_GOLDEN === "1") writeFileSync(golden, actual);
    assert.equal(
      actual,
      readFileSync(golden, "utf8"),
      "run with UPDATE_GOLDEN=1 after looking at the difference",
    );
  });
});
