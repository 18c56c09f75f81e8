import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import * as path from "node:path";
import type { Chat } from "../../../../src/agent/chat/chat.ts";
import type { TurnEvent } from "../../../../src/turns/turnEvent.ts";
import type { ModelHandler, ModelStep } from "../../../fakes/model/modelServer.ts";
import { editBlock } from "../../../fakes/turns/applyTo.ts";
import { MemoryEventLog } from "../../../fakes/turns/memoryEventLog.ts";
import { answerAll, RecordingReviewer } from "../../../fakes/turns/recordingReviewer.ts";
import { chatsIn, folder, lastAnswer, open as serve } from "./chatHarness.ts";

const A = "src/a.ts";
const B = "src/b.ts";
const TEXT = "one();\ntwo();\nthree();\nfour();\n";
const edit = (file: string, lines?: boolean) => ({
  name: "edit_mode",
  args: { file_path: file, ...(lines === undefined ? {} : { use_line_numbers: lines }) },
});
const read = (file: string) => ({ name: "read_file", args: { file_path: file } });

describe("edit mode in a turn", () => {
  chatsIn({ [A]: TEXT, [B]: TEXT });
  let log: MemoryEventLog;

  beforeEach(() => {
    log = new MemoryEventLog();
  });

  /**
   * `steps` may be functions, which are called when the model is asked: what they do happens
   * between two answers.
   */
  const open = (
    steps: readonly (ModelStep | (() => ModelStep))[],
    options: Parameters<typeof serve>[1] = {},
  ) => {
    const answer: ModelHandler = (_, index) => {
      const step = steps[index];
      return typeof step === "function" ? step() : (step ?? { text: "Done." });
    };
    return serve(answer, { log, ...options });
  };

  const onDisk = (file: string) => readFileSync(path.join(folder.root, file), "utf8");
  const change = (file: string, how: (text: string) => string) =>
    writeFileSync(path.join(folder.root, file), how(onDisk(file)));

  const edits = (chat: Chat) =>
    [...lastAnswer(chat).edits.values()].map(
      ({ path: file, target, status }) => `${file} ${target}: ${status}`,
    );
  const reports = (chat: Chat) =>
    lastAnswer(chat).parts.flatMap((part) => (part.type === "edit-report" ? [part.text] : []));
  const ends = (chat: Chat) =>
    chat.events().flatMap((event) => (event.type === "edit-session-end" ? [event.reason] : []));
  const seen = (chat: Chat, type: TurnEvent["type"]) =>
    new Promise<void>((resolve) => {
      const listening = chat.onEvent((event) => {
        if (event.type !== type) return;
        listening.dispose();
        resolve();
      });
    });

  it("works with reads before and after it in one message", async () => {
    const chat = await open([
      { toolCalls: [read(A), edit(A, true), read(B), read(A)] },
      { text: editBlock("2:2", "TWO();") },
    ]);
    assert.equal(await chat.send("Go"), "done");
    assert.equal(onDisk(A), "one();\nTWO();\nthree();\nfour();\n");
    assert.deepEqual(ends(chat), ["completed"]);
  });

  it("answers blocks with an address that came before edit mode, or after it ended", async () => {
    const chat = await open([
      { text: editBlock("1:1 src/a.ts", "ONE();") },
      { toolCalls: [edit(A, true)] },
      { text: editBlock("1:1", "ONE();") },
      { text: editBlock("ast-path:b", "TWO();") },
      { text: `Like this:\n${editBlock("log", "x")}\`\`\`12:15:src/a.ts\none();\n\`\`\`\n` },
    ]);
    assert.equal(await chat.send("Go"), "done");
    assert.equal(onDisk(A), "ONE();\ntwo();\nthree();\nfour();\n");
    const [before = "", done = "", after = "", ...more] = reports(chat);
    assert.match(
      before,
      /lines 1-1 was not proposed: `src\/a\.ts` is not in edit mode\. Call `edit_mode` for it first\./,
    );
    assert.match(done, /has been updated/);
    assert.match(after, /ast-path:b was not proposed: No file is in edit mode\. Call `edit_mode`/);
    assert.deepEqual(more, []);
  });

  /** Reads a file, which changes before the next turn turns on edit mode. */
  const readThenEdit: readonly (ModelStep | (() => ModelStep))[] = [
    { toolCalls: [read(A)] },
    { text: "I have read it." },
    () => {
      change(A, (text) => `zero();\n${text}`);
      return { toolCalls: [edit(A)] };
    },
  ];

  it("shifts line numbers of an earlier turn by later changes on disk", async () => {
    const chat = await open([...readThenEdit, { text: editBlock("3:3", "THREE();") }]);
    await chat.send("Read it");
    assert.equal(await chat.send("Change it"), "done");
    assert.equal(onDisk(A), "zero();\none();\ntwo();\nTHREE();\nfour();\n");
  });

  it("treats calls inside an edit block as text", async () => {
    const json = '{"name": "read_file", "arguments": {"file_path": "src/a.ts"}}';
    const guide = `# Calls\n\n\`\`\`json\n${json}\n\`\`\`\n\n<tool_call>\n${json}\n</tool_call>\n\n[TOOL_CALLS] [${json}]\n`;
    const chat = await open([
      { toolCalls: [edit("call.json")] },
      { text: `\`\`\`json\n${json}\n\`\`\``, chunkSize: 3 },
      { toolCalls: [edit("guide.md")] },
      { text: `\`\`\`markdown\n${guide}\`\`\`\n`, chunkSize: 3 },
    ]);
    assert.equal(await chat.send("Write the call"), "done");
    assert.equal(onDisk("call.json"), `${json}\n`);
    assert.equal(onDisk("guide.md"), guide);
  });

  it("forgets in a retried answer what the first answer saw", async () => {
    const chat = await open([...readThenEdit, { text: editBlock("3:3", "TWO();") }]);
    await chat.send("Change it");
    assert.equal(await chat.retry(lastAnswer(chat).id), "done");
    assert.equal(onDisk(A), "zero();\none();\nTWO();\nthree();\nfour();\n");
  });

  it("refuses line numbers from before a reload until the file is read again", async () => {
    const before = await open([{ toolCalls: [read(A)] }, { text: "I have read it." }]);
    await before.send("Read it");
    await before.dispose();
    const chat = await open([
      { toolCalls: [edit(A)] },
      { text: editBlock("3:3", "THREE();") },
      { toolCalls: [read(A)] },
      { text: editBlock("3:3", "THREE();") },
    ]);
    assert.equal(await chat.send("Change it"), "done");
    assert.deepEqual(edits(chat), [`${A} lines 3-3: refused`, `${A} lines 3-3: applied`]);
    assert.match(
      reports(chat)[0] ?? "",
      /You saw lines 3-3 too long ago, or before a reload of the window\. Read them again/,
    );
    assert.equal(onDisk(A), "one();\ntwo();\nTHREE();\nfour();\n");
  });

  it("replaces the session of a file that enters edit mode again, in the same message or a later one", async () => {
    const chat = await open([
      { toolCalls: [edit(A), edit(A, false)] },
      { text: "In lines, then.", toolCalls: [edit(A, true)] },
      { text: editBlock("1:1", "ONE();") },
    ]);
    assert.equal(await chat.send("Go"), "done");
    assert.deepEqual(ends(chat), ["replaced", "replaced", "completed"]);
    assert.deepEqual(edits(chat), [`${A} lines 1-1: applied`]);
  });

  it("lets the model continue with another file, and asks about the one it left", async () => {
    const chat = await open([
      { toolCalls: [edit(A, true)] },
      { text: "First the other one.", toolCalls: [edit(B, true)] },
      { text: editBlock(`1:1 ${B}`, "ONE();") },
      { text: "Nothing to do in the first." },
    ]);
    assert.equal(await chat.send("Go"), "done");
    assert.equal(onDisk(A), TEXT);
    assert.equal(onDisk(B), "ONE();\ntwo();\nthree();\nfour();\n");
    assert.deepEqual(ends(chat), ["completed", "error"]);
    assert.ok(
      reports(chat).some((text) => text.startsWith("There was a problem applying the changes.")),
    );
  });

  it("ends when the steps are used up, with nothing applied", async () => {
    const chat = await open(
      [{ toolCalls: [edit(A, true)] }, { text: editBlock("1:1", "ONE();") }],
      { maxSteps: () => 1 },
    );
    assert.equal(await chat.send("Go"), "step-limit");
    assert.deepEqual(ends(chat), ["disposed"]);
    assert.equal(chat.activeRequests, 0);
    assert.equal(onDisk(A), TEXT);
  });

  it("ends when the connection dies inside a block, with nothing applied", async () => {
    const chat = await open([
      { toolCalls: [edit(A, true)] },
      { text: `${editBlock("1:1", "ONE();")}${editBlock("2:2", "TWO();")}`, dieAfter: 3 },
    ]);
    assert.equal(await chat.send("Go"), "error");
    assert.deepEqual(ends(chat), ["error"]);
    assert.deepEqual(edits(chat), [`${A} lines 1-1: rejected`, `${A} lines 2-2: incomplete`]);
    assert.equal(onDisk(A), TEXT);
  });

  it("rejects, when the chat is opened, what waits for the user without a proposal", async () => {
    const reviewer = new RecordingReviewer(answerAll("pending"));
    const before = await open(
      [{ toolCalls: [edit(A, true)] }, { text: editBlock("1:1", "ONE();") }],
      { reviewer },
    );
    assert.equal(await before.send("Go"), "done");
    assert.deepEqual(edits(before), [`${A} lines 1-1: pending`]);
    await before.dispose();
    const after = await open([]);
    assert.deepEqual(edits(after), [`${A} lines 1-1: rejected`]);
  });

  it("ends when the user stops inside a block, with nothing applied", async () => {
    const chat = await open([
      { toolCalls: [edit(A, true)] },
      { text: `${editBlock("1:1", "ONE();")}\`\`\`ts:2:2\nTW`, chunkSize: 4, stallAfter: 7 },
    ]);
    const updated = seen(chat, "edit-update");
    const turn = chat.send("Go");
    await updated;
    chat.stop();
    assert.equal(await turn, "cancelled");
    assert.deepEqual(ends(chat), ["cancelled"]);
    assert.equal(chat.activeRequests, 0);
    assert.equal(onDisk(A), TEXT);
  });

  it("proposes no block that may lack a piece of the answer, and keeps those before it", async () => {
    const chunk = (content: string) =>
      `data: ${JSON.stringify({ choices: [{ delta: { content } }] })}\n\n`;
    const chat = await open(
      [
        { toolCalls: [edit(A, true)] },
        {
          body: [
            chunk(editBlock("1:1", "ONE();")),
            chunk("```ts:2:2\nTWO();\n"),
            'data: {"choices":[{"delta":{"conte\n\n',
            chunk("two();\n```\n"),
            chunk(editBlock("4:4", "FOUR();")),
            'data: {"choices":[{"delta":{},"finish_reason":"stop"}]}\n\ndata: [DONE]\n\n',
          ].join(""),
        },
      ],
      { reviewer: new RecordingReviewer(answerAll("pending")) },
    );
    assert.equal(await chat.send("Go"), "error");
    assert.deepEqual(edits(chat), [`${A} lines 1-1: pending`, `${A} lines 2-2: incomplete`]);
    assert.equal(lastAnswer(chat).error?.code, "invalid-json");
    const text = lastAnswer(chat).parts.map((part) => (part.type === "text" ? part.text : ""));
    assert.ok(
      text.join("").endsWith(editBlock("4:4", "FOUR();")),
      "the rest of the answer is shown",
    );
  });

  it("is interrupted by a reload in mid-stream, and the next turn starts fresh", async () => {
    const first = await open([
      { toolCalls: [edit(A, true)] },
      { text: `${editBlock("1:1", "ONE();")}more`, stallAfter: 3 },
    ]);
    const updated = seen(first, "edit-update");
    void first.send("Go");
    await updated;
    await first.flush();
    // What a window leaves that is gone from one moment to the next.
    log = new MemoryEventLog(log.lines);
    const chat = await open([{ toolCalls: [edit(A, true)] }, { text: editBlock("2:2", "TWO();") }]);
    assert.equal(lastAnswer(chat).endReason, "interrupted");
    assert.deepEqual(
      edits(chat).filter((line) => !line.endsWith(": incomplete")),
      [],
    );
    assert.equal(await chat.send("Again"), "done");
    assert.equal(onDisk(A), "one();\nTWO();\nthree();\nfour();\n");
  });
});
