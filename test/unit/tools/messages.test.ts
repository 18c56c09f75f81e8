import assert from "node:assert/strict";
import { fileError } from "../../../src/tools/files/fileToolError.ts";
import { type ToolFailures, toolError } from "../../../src/tools/messages.ts";
import { diskGapNote } from "../../../src/tools/notes.ts";
import type { ToolError } from "../../../src/tools/tool.ts";
import { toolResultText } from "../../../src/tools/toolResultText.ts";
import { assertDistinct, assertSentence, assertText, factsOf } from "../../fakes/assertMessages.ts";

const detail = "What the system says.";

type Failure = {
  readonly [Code in keyof ToolFailures]: readonly [code: Code, facts: ToolFailures[Code]];
}[keyof ToolFailures];

const notFetched = (url: string, failure: ToolFailures["not-fetched"]["failure"]) =>
  ["not-fetched", { url, failure }] as const;
const url = "https://a.b/";
const add = { tool: "add" };

/** Facts for each code that has some, and more where the wording differs. */
const failures = [
  ["unknown-tool", { name: "shout", known: ["echo", "read_result"] }],
  ["not-in-mode", { name: "edit_mode", mode: "plan" }],
  ["no-agents", {}],
  ["unknown-agent", { name: "reviewer", known: [], broken: [] }],
  ["unknown-agent", { name: "reviewer", known: ["tester"], broken: ["reviewer.md"] }],
  ["agent-spent", { over: "tokens", report: "" }],
  ["agent-spent", { over: "time", report: "I looked at a.ts." }],
  ["agent-error", { report: "" }],
  ["agent-error", { report: "I looked." }],
  ["invalid-json", { tool: "echo", detail: "Unexpected end" }],
  ["invalid-arguments", { tool: "echo", detail: "text: no string", parameters: ["text", "times"] }],
  ["timed-out", { tool: "echo", seconds: 30, advice: null }],
  ["timed-out", { tool: "echo", seconds: 1, advice: "Try another tool." }],
  ["cancelled", { tool: "echo", begun: false }],
  ["cancelled", { tool: "echo", begun: true }],
  ["crashed", { tool: "echo", detail: "out of memory" }],
  ["denied", { tool: "echo", by: "user", rule: null }],
  ["denied", { tool: "echo", by: "settings", rule: "git_commit: never" }],
  ["denied", { tool: "echo", by: "flags", rule: "--allow-commands" }],
  ["denied", { tool: "echo", by: "flags", rule: null }],
  ["denied", { tool: "", by: "trust", rule: null }],
  ["denied", { tool: "echo", by: "cancel", rule: null }],
  ["unknown-result", { id: "r9", offset: 12 }],
  ["element-and-lines", {}],
  ["start-past-end", { start: 12, lines: 10 }],
  ["end-before-start", { start: 12, end: 10 }],
  ["unknown-element", { error: { code: "not-found", path: "area", candidates: [] } }],
  ["no-outline", { why: { code: "no-grammar", path: "a.ts" }, use: "read_file" }],
  ["no-outline", { why: { code: "no-grammar", path: "a.ts" }, use: "lines" }],
  ["no-file-read", { detail: "a.ts: it does not exist." }],
  ["too-large-arguments", { tool: "edit_file", limit: 8_000_000 }],
  ["mixed-edits", {}],
  ["nothing-proposed", { path: "a.ts", report: "- lines 3-4 was not proposed: no such lines." }],
  ["symbol-not-in-line", { path: "src/a.ts", line: 3, symbol: "area" }],
  ["no-references", { detail }],
  ["no-references", { detail: null }],
  ["no-diagnostics", { detail }],
  ["too-few-options", { kind: "choice" }],
  ["schema-not-asked", { path: "a.json" }],
  ["no-answer", { why: "skipped" }],
  ["no-answer", { why: "stopped" }],
  ["no-answer", { why: "nobody" }],
  notFetched("ftp://a.b", { code: "not-a-web-address" }),
  notFetched("http://10.0.0.1/", { code: "private-address" }),
  notFetched(url, { code: "redirected", to: "https://c.d/" }),
  notFetched(url, { code: "too-many-redirects" }),
  notFetched(url, { code: "other-address" }),
  notFetched(url, { code: "no-text" }),
  notFetched(url, { code: "timed-out" }),
  notFetched(url, { code: "status", status: 404 }),
  notFetched(url, { code: "not-text", type: "image/png" }),
  notFetched(url, { code: "unreachable", detail: "ECONNREFUSED" }),
  ["nul-in-command", {}],
  ["too-many-commands", { running: ["c1", "c2"] }],
  ["no-shadow", { problem: { code: "not-mounted", detail } }],
  ["no-shadow", { problem: { code: "not-written", detail, path: "/app/a.ts" } }],
  [
    "no-shadow",
    { problem: { code: "too-large", detail: "", size: { bytes: 3e9, limit: 2 ** 31 } } },
  ],
  ["no-shadow", { problem: { code: "disk-full", detail: "", path: "/app/a.ts" } }],
  ["no-shadow", { problem: { code: "repository-outside", detail: "/data", path: "/app" } }],
  ["no-shadow", { problem: { code: "git-waits", detail: "", path: "/app/.gitignore" } }],
  ["no-shadow", { problem: { code: "git-silent", detail: "", path: "/app" } }],
  ["outside-copy", { path: "/home/me/other" }],
  ["not-run", { failure: { code: "not-on-disk", program: "bash" } }],
  ["not-run", { failure: { code: "not-found", program: "git" } }],
  ["not-run", { failure: { code: "not-started", program: "bash", detail } }],
  ["not-run", { failure: { code: "stopped", program: "git" } }],
  ["not-run", { failure: { code: "ended", program: "git", detail: "SIGKILL" } }],
  ["unknown-command", { id: "c9", known: [] }],
  ["unknown-command", { id: "c9", known: ["c1", "c2"] }],
  ["git-untrusted", {}],
  ["not-a-repository", { folder: "" }],
  ["not-a-repository", { folder: "web" }],
  ["repository-not-open", { top: "/home/ada/shop/vendor" }],
  ["repository-elsewhere", { leads: "/etc" }],
  ["settings-proposed", {}],
  ["git-waits", { path: "/home/ada/shop/.git/config" }],
  ["git-silent", { path: "/home/ada/shop" }],
  ["runs-program", { settings: ["filter.x"] }],
  ["git-failed", { code: 128, detail: "" }],
  ["git-failed", { code: 1, detail: "Tests failed." }],
  ["not-a-revision", { parameter: "revision" }],
  ["path-outside-folder", { path: "a.ts", folder: "web" }],
  ["server-refused", { tool: "add", server: "docs", detail: "Invalid params" }],
  ["server-lost", { server: "docs", detail: "", wrote: "" }],
  ["server-lost", { server: "docs", detail: "socket hang up", wrote: "out of memory" }],
  ["server-tool-failed", { ...add, detail: "" }],
  ["server-tool-failed", { tool: "", detail: "It is wrong." }],
  ["not-an-object", add],
  ["not-a-tool-result", add],
  ["server-unavailable", { problem: { code: "start-timeout", name: "docs" } }],
] as const satisfies readonly Failure[];
/** Never: every code has an example. */
type Missing = Exclude<keyof ToolFailures, (typeof failures)[number][0]>;

/** What became of every example. */
const errors = failures.map(([code, facts]) => [toolError(code, facts), facts] as const);
const text = (error: ToolError) => toolResultText({ ok: false, error });

/** What facts choose a sentence, or are told in another way. */
const CHOOSING = ["by", "kind", "mode", "over", "why", "use", "size", "code", "known"];

/** The tools, parameters and programs that the model is told to use next. */
const NEXT: { readonly [Code in keyof ToolFailures]?: readonly string[] } = {
  "unknown-tool": ["echo", "read_result"],
  "unknown-agent": ["tester", "reviewer.md"],
  "unknown-command": ["c1, c2", "have ended"],
  "git-failed": ["128"],
  "invalid-json": ["Call echo again"],
  "invalid-arguments": ["Call echo again", "text, times"],
  "not-an-object": ["Call add again"],
  "element-and-lines": ["ast_path", "start_line", "end_line"],
  "no-outline": ["read_file", "start_line"],
  "symbol-not-in-line": ["find_symbol", "search_in_files"],
  "no-references": ["search_in_files"],
  "too-few-options": ["ask_user"],
  "schema-not-asked": ["open_file"],
  "too-many-commands": ["kill_command"],
  "not-fetched": ["graft.web.privateHosts"],
  "no-shadow": ["on=workspace", "2862 MB", "2048 MB"],
  "outside-copy": ["on=workspace"],
  "repository-elsewhere": ["run_command"],
  "runs-program": ["run_command"],
};

/** What is not of the category `execution`. */
const CATEGORIES: readonly (readonly [ToolError["category"], codes: RegExp])[] = [
  ["timeout", /^(?:agent-spent|timed-out|git-silent)$/],
  ["cancelled", /^cancelled$/],
  ["network", /^(?:not-fetched|server-lost)$/],
  [
    "permission",
    /^(?:not-in-mode|schema-not|no-agents|denied|git-unt|git-waits|repository-|runs-program|server-una|settings-p)/,
  ],
  ["not-found", /^(?:unknown-|no-file-read|not-a-repository)/],
  ["validation", /arguments$|^(?:invalid-|not-an-o|not-a-rev|mixed|nothing-p|symbol-|nul-|path-)/],
  [
    "validation",
    /^(?:element-and-lines|start-past-end|no-outline|end-before-start|too-few-options)$/,
  ],
];

describe("the messages of tools", () => {
  it("hold the facts of the failure, and differ for each cause", () => {
    for (const [error, facts] of errors) {
      assertSentence([error.message]);
      if (error.recovery !== null) assertSentence([error.recovery]);
      assertText([text(error), ...factsOf(facts, ...CHOOSING)]);
    }
    assertDistinct(errors.map(([error]) => text(error)));
    assert.ok(true satisfies [Missing] extends [never] ? true : false);
  });

  it("name what to use next", () => {
    for (const [code, names] of Object.entries(NEXT)) {
      const texts = errors.flatMap(([error]) => (error.code === code ? [text(error)] : []));
      assertText([texts.join("\n"), ...names]);
    }
  });

  it("have a category", () => {
    for (const [{ code = "", category }] of errors) {
      const [expected] = CATEGORIES.find(([, codes]) => codes.test(code)) ?? ["execution"];
      assert.equal(category, expected, code);
    }
  });

  it("of a file name it, and what to do about it", () => {
    const recoveries = { exists: "Do that instead." };
    const of = (code: "not-found" | "binary" | "too-large" | "exists") =>
      text(fileError({ code, path: "src/a.ts", bytes: 9_000_000 }, recoveries));
    assertSentence([
      of("not-found"),
      "(not-found)",
      "src/a.ts",
      "list_directory",
      "search_in_files",
    ]);
    assertSentence([of("binary"), "(validation)", "src/a.ts"]);
    assertSentence([of("too-large"), "8.6 MB", "5.0 MB"]);
    assertSentence([of("exists"), "Do that instead."]);
  });

  it("name the files that the disk has not, and how many more there are", () => {
    const files = Array.from({ length: 22 }, (_, index) => `${index + 1}.ts`);
    const gap = { pending: ["a.ts", "b.ts"], failed: ["c.ts"], unsaved: ["d.ts"] };
    assertSentence([diskGapNote(gap), "a.ts, b.ts.", "c.ts.", "d.ts."]);
    const note = diskGapNote({ pending: [], failed: [], unsaved: files });
    assertSentence([note, "20.ts, 2 more."]);
    assert.ok(!note.includes("21.ts"));
  });
});
