import assert from "node:assert/strict";
import { appendFile, copyFile, readFile, writeFile } from "node:fs/promises";
import * as path from "node:path";
import { createNodeEventLogStorage } from "../../../../src/node/storage/nodeEventLog.ts";
import { NO_RESULT } from "../../../../src/turns/promptText.ts";
import type { Turn } from "../../../../src/turns/turn.ts";
import { TurnStore } from "../../../../src/turns/turnStore.ts";
import { campaignRuns } from "../../../fakes/campaignRuns.ts";
import {
  type ModelServer,
  type ModelStep,
  scripted,
  startModelServer,
} from "../../../fakes/model/modelServer.ts";
import { pluck } from "../../../fakes/pluck.ts";
import { RecordingLogger } from "../../../fakes/recordingLogger.ts";
import { testTool } from "../../../fakes/testTool.ts";
import { strictModel } from "../../../fakes/turns/strictHistory.ts";
import { type TempFolder, tempFolder } from "../../../fakes/workspace/tempFolder.ts";
import { openChat } from "./chatHarness.ts";

const echo = testTool("echo", async (text) => ({ ok: true, output: `said ${text}` }));

const script: readonly ModelStep[] = [
  {
    reasoning: "Both at once.",
    text: "Two calls: ",
    toolCalls: [
      { name: "echo", args: { text: "a" } },
      { name: "echo", args: { text: "bé" } },
    ],
  },
  { text: "Both said." },
  { text: "Gern." },
];

describe("a history that was damaged", () => {
  let folder: TempFolder;
  let server: ModelServer;
  /** What the chat's file holds after two turns. */
  let whole: Buffer;

  const file = () => path.join(folder.root, "chat.jsonl");
  const log = () => createNodeEventLogStorage(folder.root).open("chat");

  beforeEach(async () => {
    folder = await tempFolder();
    server = await startModelServer(scripted(script));
    const chat = await openChat(server, folder.root, { log: log(), tools: [echo] });
    await chat.send("Say two things");
    await chat.send("Auf Deutsch");
    await chat.dispose();
    await server.close();
    whole = await readFile(file());
  });

  afterEach(async () => {
    await server.close();
    await folder.remove();
  });

  /**
   * Opens the chat over a model that refuses any history that is not valid, asks it something more,
   * and opens it once more.
   */
  async function goOn(): Promise<{
    readonly before: readonly Turn[];
    readonly after: readonly Turn[];
    readonly answer: string;
    readonly told: string;
  }> {
    server = await startModelServer(strictModel(() => ({ text: "Here I am." })));
    const chat = await openChat(server, folder.root, { log: log(), tools: [echo] });
    const before = structuredClone([...chat.tree.turns.values()]);
    await chat.send("Are you there?");
    await chat.dispose();
    const told = JSON.stringify(server.requests[0]?.body.messages);
    await server.close();
    const again = await openChat(server, folder.root, { log: log(), tools: [echo] });
    const after = [...again.tree.turns.values()];
    const answer = textOf(after.at(-1));
    await again.dispose();
    return { before, after, answer, told };
  }

  it("keeps every whole line and later events when it is cut at any byte", async () => {
    const stamp = { turnId: "", at: 1, type: "chat-title", title: "New name" } as const;
    const step = Math.ceil(whole.length / campaignRuns(40, whole.length));
    for (let length = whole.length; length >= 0; length -= step) {
      await writeFile(file(), whole.subarray(0, length));
      const store = await TurnStore.load(log(), new RecordingLogger());
      const at = `cut at ${length}`;
      assert.deepEqual(
        [...store.tree.turns.keys()],
        turnIds(wholeLines(whole.subarray(0, length))),
        at,
      );
      for (const turn of store.tree.turns.values())
        assert.ok(turn.role === "user" || turn.endReason !== null, `${at}: has ended`);
      store.append({ seq: store.tree.lastSeq + 1, ...stamp });
      await store.flush();
      const again = await TurnStore.load(log(), new RecordingLogger());
      assert.equal(again.tree.title, "New name", at);
      assert.deepEqual(again.tree, store.tree, at);
    }
  });

  it("continues when it is cut after any line, with every call answered and the cut turn interrupted", async () => {
    const lines = whole.toString("utf8").trimEnd().split("\n");
    for (let count = 1; count <= lines.length; count++) {
      await writeFile(file(), `${lines.slice(0, count).join("\n")}\n{"seq":`);
      const { before, after, answer } = await goOn();
      assert.equal(answer, "Here I am.", `after ${count} lines`);
      assert.equal(after.length, before.length + 2, `after ${count} lines`);
      const last = before.at(-1);
      const ended = lines[count - 1]?.includes('"type":"turn-end"') ?? false;
      if (last?.role === "agent" && count < lines.length && !ended)
        assert.equal(last.endReason, "interrupted", `after ${count} lines`);
    }
  });

  const damages: readonly (readonly [what: string, damage: (line: string) => string])[] = [
    ["garbage", () => "}{ garbage"],
    ["NULs, as a loss of power leaves them", (line) => "\0".repeat(line.length)],
    ["half of it", (line) => line.slice(0, line.length / 2)],
    ["nothing", () => ""],
    ["JSON that is no event", () => '["x",{"seq":3}]'],
    ["the line twice", (line) => `${line}\n${line}`],
  ];
  for (const [nth, [what, damage]] of damages.entries()) {
    it(`continues with ${what} in place of any line`, async () => {
      const lines = whole.toString("utf8").trimEnd().split("\n");
      const every = Math.ceil(lines.length / campaignRuns(8, lines.length));
      for (const [index, line] of lines.entries()) {
        if (index % every !== nth % every) continue;
        await writeFile(file(), `${lines.with(index, damage(line)).join("\n")}\n`);
        const { before, after, answer } = await goOn();
        assert.equal(answer, "Here I am.", `line ${index + 1}`);
        assert.equal(after.length, before.length + 2, `line ${index + 1}`);
        const lost = what === "the line twice" ? [] : turnIds([line]);
        assert.deepEqual(
          pluck(before, "id"),
          turnIds(lines).filter((id) => !lost.includes(id)),
          `line ${index + 1}`,
        );
      }
    });
  }

  it("keeps the turns, calls and outputs of another version, whose results and errors have other shapes", async () => {
    const start = {
      type: "turn-start",
      parentTurnId: null,
      text: null,
      model: null,
      editFile: null,
      activeFile: null,
    };
    const refused = { kind: "validation", retryable: false, said: "src is a folder, not a file." };
    const events = [
      { turnId: "u1", ...start, role: "user", text: "Rename it", editFile: "src" },
      { turnId: "a1", ...start, role: "agent", parentTurnId: "u1", model: "m" },
      {
        turnId: "a1",
        type: "tool-call",
        callId: "c1",
        name: "edit_mode",
        argsText: "{}",
        input: {},
      },
      {
        turnId: "a1",
        type: "tool-result",
        callId: "c1",
        status: "refused",
        output: "No.",
        error: "validation",
        durationMs: null,
      },
      {
        turnId: "a1",
        type: "turn-end",
        reason: "error",
        error: { code: "edit-mode-refused", ...refused },
      },
      { turnId: "u2", ...start, role: "user", parentTurnId: "a1", text: "Then run the tests" },
      { turnId: "a2", ...start, role: "agent", parentTurnId: "u2", model: "m" },
      {
        turnId: "a2",
        type: "tool-call",
        callId: "c2",
        name: "run_command",
        argsText: "{}",
        input: {},
      },
      {
        turnId: "a2",
        type: "tool-result",
        callId: "c2",
        status: "success",
        output: "3 passing",
        error: null,
        durationMs: 5,
        command: "done",
      },
      {
        turnId: "a2",
        type: "tool-result",
        callId: "c3",
        status: "success",
        views: [{ path: "a.ts" }],
        result: { text: "no output" },
      },
      { turnId: "a2", type: "text-delta", text: "They pass." },
      { turnId: "a2", type: "turn-end", reason: "done", error: null },
    ];
    await writeFile(
      file(),
      events
        .map((event, index) => `${JSON.stringify({ seq: index + 1, at: 1, ...event })}\n`)
        .join(""),
    );
    const { before, answer, told } = await goOn();
    const shown = before.flatMap((turn) =>
      turn.role === "user" ? [] : [[turn.endReason, turn.error, textOf(turn)]],
    );
    assert.deepEqual(pluck(before, "id"), ["u1", "a1", "u2", "a2"]);
    assert.deepEqual(shown, [
      ["error", null, ""],
      ["done", null, "They pass."],
    ]);
    const calls = before.flatMap((turn) =>
      turn.role === "user" ? [] : [...turn.toolCalls.values()],
    );
    assert.deepEqual(
      calls.map(({ name, status, output, error, command }) => [
        name,
        status,
        output,
        error,
        command,
      ]),
      [
        ["edit_mode", "error", "No.", null, null],
        ["run_command", "success", "3 passing", null, null],
      ],
    );
    assert.equal(answer, "Here I am.");
    assert.ok(told.includes("3 passing") && told.includes("No."), told);
  });

  it("keeps events after those of a newer version and does not reuse their numbers", async () => {
    const last = whole.toString("utf8").trimEnd().split("\n").length + 100;
    const newer = [
      { seq: last, turnId: "x", at: 1, type: "hologram", depth: 3 },
      { seq: last + 1, turnId: "x", at: 1, type: "turn-end", reason: "teleported", error: null },
    ];
    await appendFile(file(), newer.map((event) => `${JSON.stringify(event)}\n`).join(""));
    const { before, after, answer } = await goOn();
    assert.deepEqual([before.length, after.length, answer], [4, 6, "Here I am."]);
    const numbers = wholeLines(await readFile(file())).map((line) => numberOf(line));
    assert.deepEqual(
      numbers,
      [...new Set(numbers)].sort((a, b) => a - b),
    );
  });

  it("restores everything that arrived before a crash, with its calls answered", async () => {
    server = await startModelServer(
      scripted([{ text: "I look: ", toolCalls: [{ name: "wait", args: {} }] }]),
    );
    let started = () => {};
    const waits = new Promise<void>((resolve) => {
      started = resolve;
    });
    const wait = testTool("wait", (_text, { signal }) => {
      started();
      return new Promise((resolve) =>
        signal.addEventListener("abort", () => resolve({ ok: true, output: "after the crash" })),
      );
    });
    const chat = await openChat(server, folder.root, { log: log(), tools: [wait] });
    void chat.send("Go");
    await waits;
    await chat.flush();
    const crashed = path.join(folder.root, "crashed.jsonl");
    await copyFile(file(), crashed);
    await chat.dispose();
    await copyFile(crashed, file());
    await server.close();
    const { before, answer, told } = await goOn();
    const turn = before.at(-1);
    assert.ok(turn?.role === "agent");
    assert.deepEqual(
      [turn.endReason, textOf(turn), [...turn.toolCalls.values()].map(({ name }) => name)],
      ["interrupted", "I look: ", ["wait"]],
    );
    assert.equal(answer, "Here I am.");
    assert.ok(told.includes(`"role":"tool","content":"${NO_RESULT}"`), told);
  });
});

function textOf(turn: Turn | undefined): string {
  return turn?.role === "agent"
    ? turn.parts.map((part) => (part.type === "text" ? part.text : "")).join("")
    : "";
}

function wholeLines(bytes: Buffer): readonly string[] {
  return bytes
    .toString("utf8")
    .split("\n")
    .filter((line) => numberOf(line) > 0);
}

function numberOf(line: string): number {
  try {
    return Number(JSON.parse(line).seq);
  } catch {
    return 0;
  }
}

function turnIds(lines: readonly string[]): readonly string[] {
  return lines
    .filter((line) => line.includes('"type":"turn-start"'))
    .map((line) => String(JSON.parse(line).turnId));
}
