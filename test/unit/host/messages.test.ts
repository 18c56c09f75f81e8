import assert from "node:assert/strict";
import { english as t } from "../../../src/base/localize.ts";
import * as apply from "../../../src/host/apply/messages.ts";
import * as context from "../../../src/host/context/messages.ts";
import * as host from "../../../src/host/messages.ts";
import * as models from "../../../src/host/models/messages.ts";
import * as preview from "../../../src/host/preview/messages.ts";
import * as restore from "../../../src/host/restore/messages.ts";
import { settingProblemMessage } from "../../../src/host/settings/messages.ts";
import { namedModel } from "../../../src/model/connections/connection.ts";
import * as chats from "../../../src/review/chats/messages.ts";
import * as proposals from "../../../src/review/proposals/messages.ts";
import { storageFaultMessage } from "../../../src/review/storage/messages.ts";
import { fileCount } from "../../../src/turns/messages.ts";
import { assertDistinct, assertSentence, assertText, factsOf } from "../../fakes/assertMessages.ts";

const error = { code: "read-only", path: "a.ts" } as const;
const place = "/storage/a.damaged";
const lines = (count: number) => ({ start: 4, end: 4 + count });

function newErrors(path: string, count: number) {
  const message = "Cannot find name 'a'.\n  Did you mean 'b'?";
  const problem = { path, severity: "error" as const, source: "ts 2304", message };
  return {
    path,
    problems: Array.from({ length: count }, (_, at) => ({ ...problem, line: at + 1 })),
  };
}

describe("what the user reads from the host", () => {
  it("names the setting, the rule and the connection that cannot be used", () => {
    const ofConnection = ["connection-without-url", "connection-url", "connection-name"] as const;
    const problems = [
      { code: "invalid-value", setting: "maxSteps", fallback: 25 } as const,
      { code: "invalid-value", setting: "model", fallback: "" } as const,
      ...(["invalid-rule", "match-without-command"] as const).map((code) => ({ code, entry: 2 })),
      ...ofConnection.map((code) => ({ code, name: "Team", field: null })),
      { code: "connection-secret", name: "Team", field: "headers.Authorization" } as const,
      { code: "invalid-connection", name: "Team", field: "kind" } as const,
      { code: "invalid-connection", name: "Team", field: null } as const,
    ];
    for (const problem of problems)
      assertSentence([settingProblemMessage(t, problem), "graft.", ...factsOf(problem)]);
    assertDistinct(problems.map((problem) => settingProblemMessage(t, problem)));
  });

  it("names the file that is damaged, or that the system does not let it use", () => {
    for (const what of ["chat", "changes", "proposal"] as const)
      assertSentence([
        storageFaultMessage(t, { code: "damaged", what, place, detail: "2" }),
        place,
      ]);
    for (const code of ["unreadable", "unwritable"] as const) {
      const text = storageFaultMessage(t, { code, what: "chat", place, detail: "EROFS" });
      assertSentence([text, place, "EROFS."]);
    }
  });

  it("counts in the singular and the plural", () => {
    const counts = [host.changeCount, fileCount, context.problemTotal, chats.requestCount];
    for (const count of counts) {
      assertText([count(t, 1), 1]);
      assertText([count(t, 3), 3]);
    }
    assert.notEqual(chats.deleteChatDetail(t, true), chats.deleteChatDetail(t, false));
  });

  it("says what waits for the user, the most urgent first", () => {
    const none = { asks: 0, files: 0, done: 0, running: 0 };
    for (const one of [{ asks: 1 }, { files: 1 }, { done: 1 }, { running: 1 }])
      assertText([host.waitingText(t, { ...none, ...one }), "1 "]);
    const all = host.waitingText(t, { asks: 2, files: 3, done: 4, running: 5 });
    assert.match(all, /^2 .*, 3 .*, 4 .*, 5 /);
  });

  it("lists the new errors on a line each, at most 20, and names their file or number", () => {
    assertText([host.newProblemsLabel(t, [newErrors("src/a.ts", 1)]), "1 ", " a.ts "]);
    const both = [newErrors("src/a.ts", 2), newErrors("b.ts", 1)];
    assertText([host.newProblemsLabel(t, both), "3 ", "2 files"]);
    const request = host.newProblemsRequest(t, [newErrors("src/a.ts", 1), newErrors("b.ts", 21)]);
    const items = request.split("\n").filter((line) => line.startsWith("- "));
    assert.equal(items.length, 21);
    assertText([items[0] ?? null, "src/a.ts:1: Cannot find name 'a'. Did you mean 'b'?"]);
    assertText([items[20] ?? null, "2 more"]);
  });

  it("says on what commands run, and why they cannot", () => {
    const none = { noOverlay: null, noSandbox: null, noCopy: null };
    const ways = { backend: null, isSandboxed: false, ...none };
    const machine = { system: "linux x64", git: "/usr/bin/git" };
    const facts = { version: "0.1.0", editor: "Code 1.101.0", storage: "/home/me/storage" };
    const whole = { ...facts, isTrusted: true, hasProposals: true, machine, commands: ways };
    const text = (other: Partial<Parameters<typeof host.diagnosisText>[1]>) =>
      host.diagnosisText(t, { ...whole, ...other }).join("\n");
    const forbidden = { code: "forbidden", detail: "unshare: not permitted" } as const;
    const size = { bytes: 3_000_000_000, limit: 2_147_483_648 };
    const noCopy = { code: "too-large", detail: "", size } as const;
    assertText([text({}), ...factsOf(facts), ...factsOf(machine)]);
    assertText([text({ commands: { ...ways, noOverlay: forbidden } }), forbidden.detail]);
    assertText([text({ commands: { ...ways, noSandbox: forbidden } }), forbidden.detail]);
    assertText([text({ commands: { ...ways, noCopy } }), "2862 MB", "2048 MB"]);
    assertText([text({ commands: { ...ways, backend: "copy", mostCopies: 7 } }), "7 chats"]);
    assertDistinct([
      ...(["overlay", "copy", null] as const).map((it) =>
        text({ commands: { ...ways, backend: it } }),
      ),
      text({ commands: { ...ways, backend: "overlay", isSandboxed: true } }),
      text({ isTrusted: false }),
      text({ hasProposals: false }),
      text({ machine: { ...machine, git: null } }),
      text({ machine: null, commands: null }),
    ]);
  });

  it("names what a model can do, its window and its price", () => {
    const model = { ...namedModel("m"), tools: true, images: true, reasoning: true };
    const facts = {
      contextWindow: 262_144,
      price: { input: 0.22, output: 0.95, cachedInput: null },
    };
    const free = { contextWindow: 1_048_576, price: { input: 0, output: 0, cachedInput: null } };
    assert.equal(models.modelFacts(t, namedModel("m")), "");
    assertText([models.modelFacts(t, { ...model, ...facts }), "262k", "$0.22", "$0.95"]);
    assertText([models.modelFacts(t, { ...model, ...free }), "1M"]);
    assert.ok(!models.modelFacts(t, { ...model, ...free }).includes("$"));
    assertSentence([models.connectionFailure(t, { code: "key-rejected" }, "Team"), "Team"]);
  });

  it("names what a test and earlier requests found out about a model", () => {
    const test = (roundTripMs: number | null, tokensPerSecond: number | null, tools: boolean) => {
      const measured = { firstTokenMs: 840, tokensPerSecond, tools };
      return models.testedMessage(t, { model: "qwen3", from: "Ollama", roundTripMs, measured });
    };
    const facts = ["qwen3", "Ollama", "0.8 s"];
    assertSentence([test(12.4, 53.6, true), ...facts, "12 ms", "54 tokens"]);
    assertSentence([test(null, null, false), ...facts]);
    const learned = models.learnedText(t, {
      baseUrl: "http://localhost:8000/v1",
      model: "m",
      refused: ["tools", "stream-options", "provider-data", "cache-control"],
      formats: {
        ast: { resolved: 3, refused: 9, rejected: 1 },
        lines: { resolved: 8, refused: 0, rejected: 0 },
        complete: { resolved: 0, refused: 0, rejected: 0 },
      },
    });
    assertText([learned, "3 of 12", "1 rejected", "8 of 8"]);
    assert.equal(learned.split(" · ").length, 6);
  });
});

describe("what the user reads of proposed changes", () => {
  it("names the place where code is applied, one line or several", () => {
    const label = (place: Parameters<typeof apply.placeLabel>[1]) =>
      Object.values(apply.placeLabel(t, place)).join(": ").trimEnd();
    assertText([label({ kind: "element", path: "Shape-area", first: 3, last: 9 }), "area", "3–9"]);
    assertText([label({ kind: "selection", first: 4, last: 4 }), "line 4"]);
    assertText([label({ kind: "cursor", line: 7 }), "line 7"]);
  });

  it("puts the words of a request before the lines that it is about", () => {
    const request = (first: number, last: number) => context.linesRequest(t, { first, last }, "Go");
    assertText([request(3, 3), "line 3:", "Go"]);
    assertText([request(3, 9), "lines 3-9:", "Go"]);
    const hunk = (lines: readonly string[]) =>
      preview.hunkRequest(t, "src/a.ts", { start: 2, end: 2 + lines.length }, lines, "Go");
    // The lines cannot end their own fence.
    assert.match(hunk(["a", "```"]), /^Go\n.*lines 3-4 .*src\/a\.ts.*\n````\na\n```\n````/s);
    assertText([hunk([]), "line 2 ", "src/a.ts"]);
  });

  it("counts the lines of a hunk, or names what it changes beside them", () => {
    const summary = (real: number, proposed: number) =>
      preview.hunkSummary(t, { real: lines(real), proposed: lines(proposed) });
    assertText([summary(0, 1), "1 line"]);
    assertText([summary(2, 0), "2 lines"]);
    assertText([summary(1, 3), "1 line", "3 lines"]);
    const labels = (["whitespace", "final-newline", "lines"] as const).map((kind) =>
      preview.hunkLabel(
        t,
        { real: lines(2), proposed: lines(1) },
        { kind, maybeHidden: true, whitespace: [], finalNewline: "added", removed: [] },
      ),
    );
    assertDistinct(labels);
    assert.equal(labels[2], "−2 +1");
    assert.equal(preview.hunkLabel(t, { real: lines(0), proposed: lines(1) }, undefined), "+1");
    assert.equal(preview.cautionMessage(t, { conflict: false, warnings: [] }), null);
  });

  it("says what whitespace changed, once for lines that changed alike", () => {
    const indent = { leading: { before: "    ", after: "\t" }, trailing: null };
    const other = {
      leading: { before: "\t\t ", after: " " },
      trailing: { before: " \t", after: "" },
    };
    const notes = preview.whitespaceNotes(t, [
      { real: 1, proposed: 1, ...indent },
      { real: 2, proposed: 2, ...indent },
      { real: 4, proposed: 4, ...other },
    ]);
    assert.equal(notes.length, 2);
    assertText([notes[0]?.text ?? null, "4 spaces → 1 tab", "2 lines"]);
    assertText([
      notes[1]?.text ?? null,
      "2 tabs + 1 space → 1 space",
      "2 whitespace characters → ",
    ]);
  });

  it("shows removed lines on one line, and clips it", () => {
    const removed = preview.removedLinesNote(t, ["  }", "", "x".repeat(100)], "above");
    assertText([removed, "} ⏎ ", `${"x".repeat(20)}…`]);
    assert.ok(!removed.includes("x".repeat(100)));
  });

  it("names the folder of a diff only where another pending file has that name", () => {
    const path = "packages/shop/src/cart.ts";
    const title = (...pending: readonly string[]) => preview.diffTitle(t, path, pending);
    assert.match(title(path, "src/oldcart.ts"), /^cart\.ts \(/);
    assert.match(title(path, "src/cart.ts"), /^cart\.ts .*packages\/shop\/src/);
    assert.match(preview.diffTitle(t, "cart.ts", [path, "cart.ts"]), /^cart\.ts \(/);
  });

  it("names the files that were decided, that were not, and why", () => {
    const codes = ["still-streaming", "out-of-step", "cannot-open", "stale", "conflict"] as const;
    for (const code of [...codes, "unencodable", "not-applied", "cannot-create"] as const)
      assertSentence([proposals.decisionProblemMessage(t, { code }, "a.ts"), "a.ts"]);
    const first = { code: "new-file-first", path: "a.ts" } as const;
    assertSentence([proposals.operationProblemMessage(t, first), "a.ts"]);
    const failed = { code: "file-error", error } as const;
    assertSentence([proposals.operationProblemMessage(t, failed), error.path]);
    assertText([proposals.changedDeletionQuestion(t, "a.ts"), "a.ts"]);
    const reasons = [
      { path: "a.ts", problem: { code: "file-error", error } },
      { path: "d.ts", problem: { code: "not-applied" } },
    ] as const;
    const some = preview.acceptFailureMessage(t, ["src/b.ts", "c.ts"], reasons);
    assertSentence([some, "src/b.ts, c.ts", "a.ts, d.ts"]);
    assert.ok(!preview.acceptFailureMessage(t, [], reasons.slice(0, 1)).includes("d.ts"));
    assertSentence([preview.leftAcceptedMessage(t, ["src/b.ts", "c.ts"]), "src/b.ts, c.ts"]);
    const syntax = { conflict: false, warnings: [{ code: "syntax" }] } as const;
    const conflict = { conflict: true, warnings: [] } as const;
    const left = [
      { path: "a.ts", isProtected: false, hunks: [syntax, conflict] },
      { path: ".env", isProtected: true, hunks: [{ conflict: false, warnings: [] }] },
    ];
    const facts = ["a.ts: 2 changes", "1 conflict", "syntax", ".env: 1 change", "protected"];
    assertSentence([preview.remainingMessage(t, left), ...facts]);
    assertText([preview.acceptTooMessage(t, left.slice(0, 1)), ...facts.slice(0, 3)]);
    assertText([preview.progressMessage(t, 12, 200), 12, 200]);
    assertSentence([preview.stoppedMessage(t, 57, 143), 57, 143]);
    assertDistinct(
      (["deleted", "moved"] as const).map((how) => proposals.goneMessage(t, "a.ts", how)),
    );
  });

  it("says what undoing does with a file, and why it cannot", () => {
    const planned = (
      current: string | null,
      text: string | null,
      changes = 1,
      keepsEdits = false,
    ) =>
      restore.restorationMessage(t, {
        path: "a.ts",
        uri: "",
        current,
        restoration: { kind: "possible", text, changes, keepsEdits },
      });
    const plans = [planned("a", null), planned(null, "a"), planned("a", "b")];
    assertDistinct([...plans, planned("a", "b", 2), planned("a", "b", 2, true)]);
    assertText([planned("a", "b", 1), "1 change"]);
    assertText([planned("a", "b", 2, true), "2 changes"]);
    const reason = { code: "stale" } as const;
    const blocked = { code: "blocked", files: [{ path: "a.ts", reason }] } as const;
    assertText([
      restore.restoreProblemMessage(t, blocked),
      "a.ts",
      restore.blockReasonMessage(t, reason),
    ]);
    assertSentence([restore.blockReasonMessage(t, { code: "file-error", error }), "a.ts"]);
  });
});
