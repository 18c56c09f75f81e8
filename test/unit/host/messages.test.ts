import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { resolve } from "node:path";
import { english } from "../../../src/base/localize.ts";
import { placeLabel } from "../../../src/host/apply/messages.ts";
import {
  chatProblemMessage,
  deleteChatDetail,
  requestCount,
} from "../../../src/host/chats/messages.ts";
import {
  asideMessage,
  commandDescription,
  commandPrompt,
  editorCommandMessage,
  linesRequest,
  problemTotal,
} from "../../../src/host/context/messages.ts";
import {
  changeCount,
  diagnosisText,
  newProblemsLabel,
  newProblemsRequest,
  startProblemMessage,
  waitingText,
} from "../../../src/host/messages.ts";
import {
  connectionFailure,
  learnedText,
  modelFacts,
  testedMessage,
} from "../../../src/host/models/messages.ts";
import { planMessage } from "../../../src/host/plans/messages.ts";
import {
  acceptFailureMessage,
  cautionMessage,
  decisionProblemMessage,
  diffTitle,
  finalNewlineNote,
  goneMessage,
  hunkLabel,
  hunkRequest,
  hunkSummary,
  leftAcceptedMessage,
  progressMessage,
  remainingMessage,
  removedLinesNote,
  stoppedMessage,
  whitespaceNotes,
} from "../../../src/host/preview/messages.ts";
import {
  blockReasonMessage,
  restorationMessage,
  restoreProblemMessage,
} from "../../../src/host/restore/messages.ts";
import type { PlannedFile } from "../../../src/host/restore/restorePlan.ts";
import { settingProblemMessage } from "../../../src/host/settings/messages.ts";
import { storageFaultMessage } from "../../../src/host/storage/messages.ts";
import { voiceStatusLabel } from "../../../src/host/voice/messages.ts";
import { namedModel } from "../../../src/model/connections/connection.ts";
import { SLASH_COMMAND_NAMES } from "../../../src/protocol/slashCommands.ts";
import { fileCount } from "../../../src/turns/messages.ts";

const FACTS = {
  version: "0.1.0",
  editor: "Code 1.101.0",
  isTrusted: true,
  storage: "/home/me/storage",
  hasProposals: true,
};
const LINUX = { system: "linux x64", git: "/usr/bin/git" };
const FORBIDDEN = { code: "forbidden", detail: "unshare: Operation not permitted" } as const;
const TOO_LARGE = {
  code: "too-large",
  detail: "",
  size: { bytes: 3_000_000_000, limit: 2_147_483_648 },
} as const;
const DIAGNOSES = [
  {
    ...FACTS,
    machine: LINUX,
    commands: { ground: "overlay", noOverlay: null, noSandbox: null, noCopy: null },
  },
  {
    ...FACTS,
    machine: LINUX,
    commands: { ground: "copy", noOverlay: FORBIDDEN, noSandbox: FORBIDDEN, noCopy: null },
  },
  {
    ...FACTS,
    machine: { ...LINUX, git: null },
    commands: { ground: null, noOverlay: FORBIDDEN, noSandbox: null, noCopy: TOO_LARGE },
  },
  { ...FACTS, isTrusted: false, hasProposals: false, machine: null, commands: null },
] as const;

const golden = resolve(import.meta.dirname, "messages.golden.txt");
const lines = (count: number) => ({ start: 4, end: 4 + count });
const error = { code: "read-only", path: "a.ts" } as const;
const whitespace = [
  { real: 1, proposed: 1, leading: { before: "    ", after: "\t" }, trailing: null },
  { real: 2, proposed: 2, leading: { before: "    ", after: "\t" }, trailing: null },
  {
    real: 4,
    proposed: 4,
    leading: { before: "\t\t ", after: " " },
    trailing: { before: " \t", after: "" },
  },
];
const detail = { maybeHidden: true, whitespace, finalNewline: "added", removed: [] } as const;

function planned(current: string | null, restoration: PlannedFile["restoration"]): PlannedFile {
  return { path: "a.ts", uri: "", current, restoration };
}

function newErrors(path: string, count: number) {
  const error = {
    path,
    severity: "error" as const,
    source: "ts 2304",
    message: "Cannot find name 'a'.\n  Did you mean 'b'?",
  };
  return {
    path,
    problems: Array.from({ length: count }, (_, index) => ({ ...error, line: index + 1 })),
  };
}

const groups: Record<string, readonly (string | null)[]> = {
  "applying code": (
    [
      { kind: "element", path: "Shape-area", first: 3, last: 9 },
      { kind: "selection", first: 4, last: 4 },
      { kind: "cursor", line: 7 },
      { kind: "end" },
      { kind: "file" },
    ] as const
  ).map((place) => Object.values(placeLabel(english, place)).join(" · ")),
  "the status bar while the voice page is open": (
    ["opening", "ready", "listening", "hearing", "working", "speaking"] as const
  ).map((state) => `${state}: ${voiceStatusLabel(english, { state, problem: null })}`),
  commands: [
    ...(["busy", "no-instruction", "no-file", "unsaved-file", "not-a-file"] as const).map((code) =>
      startProblemMessage(english, { code }),
    ),
    startProblemMessage(english, error),
    changeCount(english, 1),
    changeCount(english, 2),
    fileCount(english, 1),
    fileCount(english, 2),
    waitingText(english, { asks: 0, files: 1, done: 0, running: 0 }),
    waitingText(english, { asks: 0, files: 2, done: 0, running: 1 }),
    waitingText(english, { asks: 1, files: 0, done: 1, running: 0 }),
    waitingText(english, { asks: 2, files: 3, done: 2, running: 2 }),
    newProblemsLabel(english, [newErrors("src/a.ts", 1)]),
    newProblemsLabel(english, [newErrors("src/a.ts", 2)]),
    newProblemsLabel(english, [newErrors("src/a.ts", 2), newErrors("b.ts", 1)]),
    newProblemsRequest(english, [newErrors("src/a.ts", 1), newErrors("b.ts", 21)]),
    ...DIAGNOSES.flatMap((facts) => diagnosisText(english, facts)),
  ],
  context: [
    problemTotal(english, 1),
    problemTotal(english, 3),
    ...SLASH_COMMAND_NAMES.map((command) => commandDescription(english, command)),
    ...(["empty", "no-turn", "agent"] as const).map((code) => asideMessage(english, code)),
    ...(["gone", "empty"] as const).map((code) => planMessage(english, code)),
    ...(["explain", "fix", "test", "commit"] as const).map((command) =>
      commandPrompt(english, command),
    ),
    ...(["no-file", "busy", "no-repository", "no-changes"] as const).map((code) =>
      editorCommandMessage(english, code),
    ),
    linesRequest(english, { first: 3, last: 3 }, "Rename it"),
    linesRequest(english, { first: 3, last: 9 }, "Rename it"),
  ],
  settings: [
    settingProblemMessage(english, { code: "invalid-value", setting: "maxSteps", fallback: 25 }),
    settingProblemMessage(english, { code: "invalid-value", setting: "model", fallback: "" }),
    settingProblemMessage(english, { code: "invalid-rule", entry: 2 }),
    settingProblemMessage(english, { code: "match-without-command", entry: 2 }),
    ...(
      ["connection-without-url", "connection-url", "connection-secret", "connection-name"] as const
    ).map((code) =>
      settingProblemMessage(english, { code, name: "Team", field: "headers.Authorization" }),
    ),
    settingProblemMessage(english, { code: "invalid-connection", name: "Team", field: "kind" }),
    settingProblemMessage(english, { code: "invalid-connection", name: "2", field: null }),
  ],
  models: [
    modelFacts(english, namedModel("m")),
    modelFacts(english, {
      ...namedModel("m"),
      contextWindow: 262_144,
      tools: true,
      images: true,
      reasoning: true,
      price: { input: 0.22, output: 0.95, cachedInput: null },
    }),
    modelFacts(english, {
      ...namedModel("m"),
      contextWindow: 1_048_576,
      tools: false,
      price: { input: 0, output: 0, cachedInput: null },
    }),
    testedMessage(english, {
      model: "qwen3:8b",
      from: "Ollama",
      roundTripMs: 12.4,
      measured: { firstTokenMs: 840, tokensPerSecond: 53.6, tools: true },
    }),
    testedMessage(english, {
      model: "GPT-5 mini",
      from: "Copilot",
      roundTripMs: null,
      measured: { firstTokenMs: 1200, tokensPerSecond: null, tools: false },
    }),
    connectionFailure(english, { code: "key-rejected" }, "Team"),
    learnedText(english, {
      baseUrl: "http://localhost:8000/v1",
      model: "m",
      refused: ["tools", "stream-options", "provider-data", "cache-control"],
      formats: {
        ast: { resolved: 3, refused: 9, rejected: 1 },
        lines: { resolved: 8, refused: 0, rejected: 0 },
        complete: { resolved: 0, refused: 0, rejected: 0 },
      },
    }),
  ],
  chats: [
    ...(["open-elsewhere", "not-found", "empty", "no-chats"] as const).map((problem) =>
      chatProblemMessage(english, problem),
    ),
    deleteChatDetail(english, false),
    deleteChatDetail(english, true),
    requestCount(english, 1),
    requestCount(english, 2),
    ...(["chat", "changes", "proposal"] as const).map((what) =>
      storageFaultMessage(english, {
        code: "damaged",
        what,
        place: "/storage/a.damaged",
        detail: "2",
      }),
    ),
    ...(["unreadable", "unwritable"] as const).map((code) =>
      storageFaultMessage(english, {
        code,
        what: "chat",
        place: "/storage/a",
        detail: "EROFS: read-only file system",
      }),
    ),
  ],
  preview: [
    hunkRequest(
      english,
      "src/a.ts",
      { start: 2, end: 4 },
      ["const a = 1;", "```"],
      "Make this a constant",
    ),
    hunkRequest(english, "src/a.ts", { start: 2, end: 2 }, [], "Keep them"),
    cautionMessage(english, { conflict: true, warnings: [] }),
    cautionMessage(english, { conflict: false, warnings: [] }),
    hunkSummary(english, { real: lines(0), proposed: lines(1) }),
    hunkSummary(english, { real: lines(2), proposed: lines(0) }),
    hunkSummary(english, { real: lines(1), proposed: lines(3) }),
    ...(["whitespace", "final-newline"] as const).flatMap((kind) =>
      [hunkSummary, hunkLabel].map((text) =>
        text(english, { real: lines(2), proposed: lines(2) }, { ...detail, kind }),
      ),
    ),
    hunkLabel(english, { real: lines(2), proposed: lines(1) }, { ...detail, kind: "lines" }),
    hunkLabel(english, { real: lines(0), proposed: lines(1) }, undefined),
    ...whitespaceNotes(english, detail.whitespace).map(({ text }) => text),
    finalNewlineNote(english, "removed"),
    removedLinesNote(english, ["  }", "", "x".repeat(100)], "above"),
    removedLinesNote(english, ["}"], "here"),
    diffTitle(english, "packages/shop/src/cart.ts", [
      "packages/shop/src/cart.ts",
      "src/oldcart.ts",
    ]),
    diffTitle(english, "packages/shop/src/cart.ts", ["packages/shop/src/cart.ts", "src/cart.ts"]),
    diffTitle(english, "cart.ts", ["src/cart.ts", "cart.ts"]),
    remainingMessage(english, 2, "a.ts"),
    goneMessage(english, "a.ts", "deleted"),
    goneMessage(english, "a.ts", "moved"),
    ...(
      [
        "still-streaming",
        "out-of-step",
        "cannot-open",
        "stale",
        "conflict",
        "not-applied",
        "cannot-create",
      ] as const
    ).map((code) => decisionProblemMessage(english, { code }, "a.ts")),
    decisionProblemMessage(english, { code: "file-error", error }, "a.ts"),
    acceptFailureMessage(english, [], [{ path: "a.ts", problem: { code: "stale" } }]),
    acceptFailureMessage(
      english,
      ["src/b.ts", "c.ts"],
      [
        { path: "a.ts", problem: { code: "file-error", error } },
        { path: "d.ts", problem: { code: "not-applied" } },
      ],
    ),
    leftAcceptedMessage(english, ["src/b.ts", "c.ts"]),
    progressMessage(english, 12, 200),
    stoppedMessage(english, 57, 143),
  ],
  restore: [
    ...(["untrusted", "busy", "no-record", "nothing-left", "changed-meanwhile"] as const).map(
      (code) => restoreProblemMessage(english, { code }),
    ),
    restoreProblemMessage(english, {
      code: "blocked",
      files: [{ path: "a.ts", reason: { code: "stale" } }],
    }),
    ...(["other-folders", "proposal-pending", "stale"] as const).map((code) =>
      blockReasonMessage(english, { code }),
    ),
    blockReasonMessage(english, { code: "file-error", error }),
    restorationMessage(
      english,
      planned("a", { kind: "possible", text: null, changes: 1, keepsEdits: false }),
    ),
    restorationMessage(
      english,
      planned(null, { kind: "possible", text: "a", changes: 1, keepsEdits: false }),
    ),
    restorationMessage(
      english,
      planned("a", { kind: "possible", text: "b", changes: 1, keepsEdits: false }),
    ),
    restorationMessage(
      english,
      planned("a", { kind: "possible", text: "b", changes: 2, keepsEdits: true }),
    ),
  ],
};

describe("what the user reads from the host", () => {
  it("is as in messages.golden.txt", () => {
    const actual = Object.entries(groups)
      .map(
        ([area, messages]) => `== ${area}\n${messages.map((message) => `${message}\n`).join("")}`,
      )
      .join("\n");
    if (process.env.UPDATE_GOLDEN === "1") writeFileSync(golden, actual);
    assert.equal(
      actual,
      readFileSync(golden, "utf8"),
      "run with UPDATE_GOLDEN=1 after looking at the difference",
    );
  });
});
