import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { resolve } from "node:path";
import type { Usage } from "../../../src/model/streamPart.ts";
import type { PendingFile } from "../../../src/protocol/messages.ts";
import type { EditBlock, EditStatus } from "../../../src/turns/editBlock.ts";
import { fileCount } from "../../../src/turns/messages.ts";
import type { AgentTurn, ToolCallState } from "../../../src/turns/turn.ts";
import type { ToolOrigin } from "../../../src/turns/turnEvent.ts";
import { emptyTree } from "../../../src/turns/turnReducer.ts";
import type { Activity } from "../../../webview/answer/activity.ts";
import { turnOutcome } from "../../../webview/answer/turnOutcome.ts";
import { stateLabels } from "../../../webview/cards/editState.ts";
import { fileAnnouncement } from "../../../webview/cards/fileAnnouncement.ts";
import { fileState, totalsOf } from "../../../webview/cards/fileTotals.ts";
import {
  acceptText,
  allowLabel,
  alwaysAllow,
  decisionNote,
  denyLabel,
  editAction,
  editName,
  permissionCovers,
} from "../../../webview/cards/messages.ts";
import { toolState } from "../../../webview/cards/toolState.ts";
import { t } from "../../../webview/l10n.ts";
import {
  activityText,
  conflictCount,
  durationText,
  elapsedText,
  imageWarning,
  offerText,
  pendingFacts,
  refusalText,
  restoredText,
  retryText,
  tokenCount,
  toolTime,
  turnFacts,
  usageDetails,
  versionText,
  whySendIsDisabled,
} from "../../../webview/messages.ts";
import { applyAndNote, unchangedFrame } from "../../../webview/turnChanges.ts";
import { voiceButtonLabel, voiceStateMessage } from "../../../webview/voice/messages.ts";
import { pageStateMessage } from "../../../webview/voicePage/messages.ts";
import { TurnScript } from "../../fakes/turns/turnScript.ts";

const golden = resolve(import.meta.dirname, "messages.golden.txt");

const named = (name: string, origin: ToolOrigin | null = null) => ({ name, origin });

const activities: readonly Activity[] = [
  ...(
    ["needs-permission", "needs-answer", "compacting", "thinking", "answering", "waiting"] as const
  ).map((code) => ({ code })),
  { code: "writing", path: "src/a.ts" },
  { code: "running", call: { name: "read_file", origin: null }, tools: 1, elapsedMs: 1_999 },
  { code: "running", call: { name: "grep", origin: null }, tools: 2, elapsedMs: 64_000 },
  { code: "running", call: { name: "run_command", origin: null }, tools: 1, elapsedMs: 0 },
  {
    code: "running",
    call: { name: "mcp__docs__find", origin: { tool: "find", server: "docs" } },
    tools: 1,
    elapsedMs: 0,
  },
  { code: "retrying", seconds: 4 },
];

const edit: EditBlock = {
  blockId: "one",
  callId: "c",
  path: "src/shapes.ts",
  index: 1,
  target: "ast-path:Shape-area",
  op: "replace",
  status: "pending",
  reason: { code: "line-zero" },
  warnings: [],
  addedLines: 1,
  removedLines: 1,
  step: 0,
  textStart: 0,
  textEnd: 0,
};
const editStatuses: readonly EditStatus[] = [
  ...(["streaming", "captured", "pending", "applied", "partly-applied", "rejected"] as const),
  ...(["ignored", "refused", "held", "incomplete", "stopped", "conflict"] as const),
];
const ops = ["replace", "before", "after", "with-comment", "remove", "append", "prepend"] as const;

type Call = Parameters<typeof toolState>[0];
const call: Call = {
  status: "success",
  approval: null,
  question: null,
  command: { code: "exited", exitCode: 0 },
};
const approval = (decision: "pending" | "denied"): ToolCallState["approval"] => ({
  summary: "",
  effect: "execute",
  decision,
});
const calls: readonly Call[] = [
  ...(["pending", "running", "success", "error", "cancelled"] as const).map(
    (status): Call => ({ ...call, status }),
  ),
  { ...call, command: { code: "exited", exitCode: 2 } },
  { ...call, command: { code: "killed" } },
  { ...call, command: { code: "running" } },
  { ...call, status: "running", approval: approval("pending") },
  { ...call, status: "running", question: { kind: "confirm", question: "Go?", options: [] } },
  { ...call, status: "error", approval: approval("denied") },
];

const errorKinds = [
  ...[
    "no-key",
    "auth",
    "not-found",
    "bad-request",
    "rate-limit",
    "server",
    "network",
    "connect-timeout",
    "first-token-timeout",
  ],
  ...[
    "idle-timeout",
    "interrupted",
    "content-filter",
    "context-length",
    "validation",
    "permission",
    "timeout",
    "unknown",
  ],
];
const restored = {
  type: "files-restored",
  step: 0,
  request: "Rename area()\nand its callers",
} as const;
const files = [
  { path: "src/a.ts", deleted: false },
  { path: "src/b.ts", deleted: true },
];
const status = {
  busy: false,
  model: "m",
  demo: false,
  chosen: true,
  offers: null,
  keyMissing: false,
  trusted: true,
  workspace: true,
  behind: [],
  pending: [],
};

const mixed: readonly (readonly EditStatus[])[] = [
  ["pending", "pending", "pending"],
  ["applied", "partly-applied", "pending", "rejected"],
  ["applied", "refused"],
  ["rejected", "refused"],
  ["rejected", "stopped"],
  ["captured", "streaming"],
];
const counts = {
  added: 1,
  removed: 1,
  hunks: 1,
  conflicts: 0,
  warnings: 0,
  blocks: 1,
  accepted: 0,
  several: [],
};
const pendingFile: PendingFile = { path: "a.ts", ...counts, streaming: false };
const pendingFiles: readonly Partial<PendingFile>[] = [
  {},
  { blocks: 7, accepted: 2 },
  { conflicts: 1, warnings: 1 },
  { blocks: 2, conflicts: 2, warnings: 2 },
  { agents: ["Claude Code", ""], others: ["Cart"] },
  { streaming: true },
];

/** What is announced of these edits, all of them changed. */
function announced(edits: readonly EditBlock[]): string | null {
  return fileAnnouncement(edit.path, edits, new Set(edits.map(({ blockId }) => blockId)));
}

function endedTurn(used: Partial<Usage> = {}): AgentTurn {
  const tree = emptyTree();
  const script = new TurnScript()
    .ask("x")
    .add({ type: "usage", usage: { inputTokens: 12_000, outputTokens: 345, ...used } })
    .end();
  for (const event of script.events) applyAndNote(tree, event, unchangedFrame());
  const turn = tree.turns.get("turn-2");
  assert.ok(turn?.role === "agent");
  return { ...turn, endedAt: turn.startedAt + 75_000 };
}

function* lines(): Generator<string> {
  yield "# Activity";
  for (const activity of activities)
    yield `${JSON.stringify(activity)}\n  ${activityText(activity)}`;
  yield "# Edit blocks: action, state, announcement";
  for (const op of ops) yield `${op}: ${editAction({ op, target: "lines 3-9" })}`;
  yield `complete: ${editAction({ op: "complete", target: "complete file" })}`;
  for (const rejection of ["Keep the name", undefined])
    yield `rejected: ${decisionNote({ ...edit, status: "rejected", reason: { code: "rejected-by-user" }, rejection })}`;
  for (const op of ["replace", "complete", "remove"] as const)
    yield `${op}, short: ${editName({ op, target: "ast-path:Shape-area" })}`;
  yield `one line: ${editAction({ op: "before", target: "lines 12-12" })}`;
  for (const each of editStatuses)
    yield `${each}: ${stateLabels[each].word}\n  ${announced([{ ...edit, status: each }])}`;
  for (const statuses of mixed) {
    const edits = statuses.map((status, index) => ({ ...edit, blockId: `${index}`, status }));
    yield `${statuses.join(", ")}: ${fileState(totalsOf(edits)).word}\n  ${announced(edits)}`;
  }
  for (const hunks of [1, 2]) yield `accept, hunks ${hunks}: ${acceptText("Shape-area", hunks)}`;
  yield "# Pending files";
  for (const count of [1, 3]) yield `${fileCount(t, count)}, ${conflictCount(count)}`;
  for (const facts of pendingFiles)
    yield `${JSON.stringify(facts)}: ${pendingFacts({ ...pendingFile, ...facts })}`;
  yield "# Tool calls";
  for (const state of calls) {
    const facts = {
      status: state.status,
      command: state.command,
      decision: state.approval?.decision,
    };
    yield `${JSON.stringify(facts)}\n  ${toolState(state)?.word ?? "(not shown)"}`;
  }
  yield "# The end of a turn";
  for (const endReason of ["cancelled", "interrupted", "length", "step-limit", "error"] as const) {
    const outcome = turnOutcome({ endReason, error: null, edits: new Map() });
    yield `${endReason}: ${outcome?.title}. ${outcome?.detail}`;
  }
  for (const endReason of ["cancelled", "interrupted"] as const)
    yield `${endReason} with pending edits: ${turnOutcome({ endReason, error: null, edits: new Map([["one", edit]]) })?.detail}`;
  for (const kind of errorKinds)
    yield `error ${kind}: ${turnOutcome({ endReason: "error", error: { code: "edit-mode-refused", kind, retryable: false, error: { code: "not-found", path: "a.ts" } }, edits: new Map() })?.title}`;
  const paid = endedTurn({ cachedInputTokens: 9_000, cost: 0.0432 });
  const estimated = endedTurn({ reasoningTokens: 400, cost: 0.0432, estimated: "tokens" });
  yield usageDetails(estimated, [endedTurn(), estimated]);
  for (const turn of [endedTurn(), paid, estimated, endedTurn({ cost: 0.0001 })])
    yield `facts: ${turnFacts(turn)}`;
  yield usageDetails(endedTurn(), [endedTurn()]);
  yield usageDetails(paid, [endedTurn(), paid]);
  yield "# Restores";
  yield restoredText({ ...restored, files, undone: false });
  yield restoredText({ ...restored, files, undone: true });
  yield restoredText({ ...restored, request: "", files, undone: false });
  yield restoredText({ ...restored, request: "", files, undone: true });
  yield "# Permissions";
  for (const scope of ["turn", "session", "workspace"] as const)
    yield alwaysAllow(permissionCovers(named("run_command"), true, null), scope);
  for (const tool of [
    "delete_file",
    "create_file",
    "rename_file",
    "copy_file",
    "git_commit",
    "run_command",
    "edit_mode",
  ])
    yield `${tool}: ${allowLabel(tool)} / ${denyLabel(tool)}`;
  yield permissionCovers(named("delete_file"), false, null);
  yield permissionCovers(named("mcp__docs__read", { tool: "read", server: "docs" }), false, "docs");
  yield permissionCovers(named("mcp__docs__write", { tool: "write", server: "docs" }), false, null);
  yield permissionCovers(
    named("extension__run_command", { tool: "run_command", server: null }),
    false,
    null,
  );
  yield permissionCovers(named("fetch_url"), false, null, "example.com");
  yield "# Versions";
  yield versionText("user", 1, 2);
  yield versionText("agent", 3, 3);
  yield "# Why Send is disabled";
  yield `${whySendIsDisabled(null)}`;
  yield `${whySendIsDisabled({ ...status, workspace: false })}`;
  yield `${whySendIsDisabled({ ...status, model: " " })}`;
  yield "# Offers of an empty chat";
  yield offerText({
    source: "vscode-lm",
    from: "copilot",
    model: "gpt-5-mini",
    label: "GPT-5 mini",
  });
  yield offerText({ source: "vscode-lm", from: "acme", model: "a", label: "Acme One" });
  yield offerText({ source: "local", from: "Ollama", model: "qwen3:8b", label: "qwen3:8b" });
  yield offerText({ source: "connection", from: "Team", model: "", label: "" });
  yield offerText({ source: "environment", from: "OpenAI", model: "", label: "" });
  yield "# Times";
  for (const time of [-3, 0, 40.4, 999, 1240, 9940, 9960, 75_000, 185_000])
    yield `${time} ms: ${durationText(time)}`;
  for (const time of [1_999, 2_000, 6_900, 12_500, 185_000])
    yield `elapsed ${time} ms: ${elapsedText(time)}`;
  for (const retries of [0, 1, 2])
    yield `retries ${retries}: ${toolTime(5, retries)} | ${toolTime(1_240, retries)}`;
  yield retryText("Rate limited", 5, 2, 3);
  yield retryText("Rate limited", null, 2, 3);
  yield "# Attachments";
  for (const tokens of [0, 840, 1_240, 9_949, 9_950, 48_000])
    yield `${tokens} tokens: ${tokenCount(tokens)}`;
  const outside = { code: "not-in-workspace", name: "a\u202eb.png" } as const;
  yield refusalText([outside]);
  yield refusalText([outside, outside, { code: "nothing-selected", name: "" }]);
  yield refusalText([{ code: "nothing-selected", name: "" }]);
  for (const code of [
    "not-stored",
    "image-too-large",
    "image-too-many-pixels",
    "image-unsupported",
    "image-broken",
  ] as const)
    yield refusalText([{ code, name: code === "image-broken" ? "" : "a\u202e.png" }]);
  yield "# Voice";
  const voice = {
    handsFree: false,
    words: "",
    muted: false,
    demo: false,
    problem: null,
    unavailable: null,
  };
  const voiceStates = [
    "off",
    "opening",
    "ready",
    "listening",
    "hearing",
    "recognizing",
    "working",
    "waiting",
    "speaking",
  ] as const;
  for (const state of voiceStates)
    for (const handsFree of [false, true]) {
      const facts = { ...voice, state, handsFree };
      yield `${state}${handsFree ? " hands-free" : ""}: ${voiceStateMessage(facts, t)} | ${voiceButtonLabel(facts, t)}`;
    }
  yield voiceStateMessage({ ...voice, state: "speaking", muted: true }, t);
  yield voiceButtonLabel({ ...voice, state: "off", unavailable: "It does not work here." }, t);
  yield "# The voice page";
  for (const code of [
    "connecting",
    "asking",
    "listening",
    "paused",
    "stopped",
    "lost",
    "unplugged",
    "used",
  ] as const)
    yield `${code}: ${pageStateMessage({ code }, t)}`;
  for (const code of ["denied", "no-microphone", "microphone-busy", "unsupported"] as const)
    yield `${code}: ${pageStateMessage({ code: "refused", refusal: { type: "refused", code, detail: "AbortError" } }, t)}`;
  yield pageStateMessage(
    { code: "refused", refusal: { type: "refused", code: "unsupported", detail: "insecure" } },
    t,
  );
  for (const noImages of ["model", "editor"] as const)
    yield imageWarning({ ...status, noImages }) ?? "";
}

describe("the panel's messages", () => {
  it("match messages.golden.txt", () => {
    const actual = `${[...lines()].join("\n")}\n`.replace(/ +$/gm, "");
    if (process.env.UPDATE_GOLDEN === "1") writeFileSync(golden, actual);
    assert.equal(
      actual,
      readFileSync(golden, "utf8"),
      "read the difference, then run with UPDATE_GOLDEN=1",
    );
  });
});

describe("whySendIsDisabled", () => {
  it("is null when a message can be sent or queued", () => {
    assert.equal(whySendIsDisabled(status), null);
    assert.equal(
      whySendIsDisabled({ ...status, busy: true, keyMissing: true, trusted: false }),
      null,
    );
    assert.equal(whySendIsDisabled({ ...status, model: "", demo: true }), null);
  });
});
