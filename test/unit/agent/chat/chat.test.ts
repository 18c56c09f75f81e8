import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import * as path from "node:path";
import type { Chat } from "../../../../src/agent/chat/chat.ts";
import { ChangeJournal } from "../../../../src/edits/history/changeJournal.ts";
import { type ModelError, modelError } from "../../../../src/model/modelFailure.ts";
import { applyTurnEvent, emptyTree } from "../../../../src/turns/turnReducer.ts";
import type { ModelStep } from "../../../fakes/model/modelServer.ts";
import { pluck } from "../../../fakes/pluck.ts";
import { RecordingLogger } from "../../../fakes/recordingLogger.ts";
import { MemoryEventLog } from "../../../fakes/turns/memoryEventLog.ts";
import { chat, chatsIn, folder, lastAnswer, open as serve, server } from "./chatHarness.ts";

const edit = "Here you go.\n\n```ts:2:2\nexport const b = 3;\n```\n";

describe("chat", () => {
  chatsIn({
    "src/a.ts": "export const a = 1;\nexport const b = 2;\n",
    "data.bin": new Uint8Array([0, 1, 0]),
  });
  let log: MemoryEventLog;
  let changes: MemoryEventLog;
  let refusal: ModelError | null;

  beforeEach(() => {
    refusal = null;
    log = new MemoryEventLog();
    changes = new MemoryEventLog();
  });

  afterEach(() => {
    assert.equal(chat.activeRequests, 0);
    assert.equal(chat.busy, false);
    const rebuilt = emptyTree();
    for (const event of chat.events()) applyTurnEvent(rebuilt, event);
    assert.deepEqual(rebuilt, chat.tree);
  });

  const open = (
    steps: readonly ModelStep[],
    options: Parameters<typeof serve>[1] = {},
  ): Promise<Chat> => {
    const journal = new ChangeJournal(changes, new RecordingLogger());
    return serve(steps, {
      log,
      journal,
      refusal: () => refusal,
      activeFile: () => "src/a.ts",
      ...options,
    });
  };

  const sent = (index: number) =>
    (server.requests[index]?.body.messages ?? []).map(
      ({ role, content }) => `${role}: ${content ?? ""}`,
    );
  const onDisk = () => readFile(path.join(folder.root, "src/a.ts"), "utf8");

  it("sends the earlier messages, also after a reload", async () => {
    const chat = await open([{ text: "Hello." }, { text: "Again." }]);
    const busy: boolean[] = [];
    chat.onBusy((now) => busy.push(now));
    assert.equal(await chat.send("Hi"), "done");
    assert.equal(await chat.send("And now?"), "done");
    assert.deepEqual(busy, [true, false, true, false]);
    assert.match(sent(1)[0] ?? "", /^system: You are Graft/);
    const note = '\n\n(The file open in the editor: "src/a.ts")';
    assert.deepEqual(sent(1).slice(1), [
      `user: Hi${note}`,
      "assistant: Hello.",
      `user: And now?${note}`,
    ]);
    await chat.dispose();
    await server.close();
    const again = await open([{ text: "Still here." }]);
    assert.deepEqual(again.tree, chat.tree);
    await again.send("Who?");
    assert.equal(sent(0).length, 6);
  });

  it("sends what the editor showed with each request, also after a reload, except for Start Edit Mode on File", async () => {
    let visible = { first: 1, last: 30 };
    const editorView = () => ({ selection: { first: 2, last: 2 }, visible, tabs: ["README.md"] });
    const chat = await open([{ text: "Hello." }, { text: edit }, { text: "Done." }], {
      editorView,
    });
    await chat.send("Hi");
    await chat.dispose();
    await server.close();
    visible = { first: 31, last: 60 };
    const again = await open([{ text: "Again." }, { text: edit }, { text: "Done." }], {
      editorView,
    });
    await again.send("And now?");
    const told = (lines: string) =>
      `\n\n(The file open in the editor: "src/a.ts"; selected: line 2; visible: lines ${lines}. Other open tabs, latest first: "README.md")`;
    assert.deepEqual(
      sent(0).filter((message) => message.startsWith("user")),
      [`user: Hi${told("1-30")}`, `user: And now?${told("31-60")}`],
    );
    await again.startEditMode("src/a.ts", "Make b 3");
    assert.doesNotMatch(sent(1).at(-1) ?? "", /The file open/);
  });

  it("applies an edit that the model makes after calling edit_mode, and tells the model", async () => {
    const call = { name: "edit_mode", args: { file_path: "src/a.ts", use_line_numbers: true } };
    const chat = await open([
      { text: "I edit it.", toolCalls: [call] },
      { text: edit },
      { text: "b is 3 now." },
    ]);
    assert.equal(await chat.send("Make b 3"), "done");
    assert.equal(await onDisk(), "export const a = 1;\nexport const b = 3;\n");
    assert.match(sent(2).at(-1) ?? "", /File 'src\/a\.ts' has been updated\. It now has 2 lines\./);
    const turn = lastAnswer(chat);
    assert.deepEqual(
      [...turn.edits.values()].map(({ status, target }) => [status, target]),
      [["applied", "lines 2-2"]],
    );
    assert.equal(turn.parts.at(-1)?.type, "text");
  });

  it("edits the file that the user named with a model without tools", async () => {
    const chat = await open([{ text: edit }, { text: "b is 3 now." }]);
    assert.equal(await chat.startEditMode("src/a.ts", "Make b 3"), "done");
    assert.equal(await onDisk(), "export const a = 1;\nexport const b = 3;\n");
    for (const { body } of server.requests) {
      assert.equal(body.tools, undefined);
      assert.ok(
        body.messages.every(({ role, tool_calls }) => role !== "tool" && tool_calls === undefined),
      );
    }
    assert.match(sent(0)[1] ?? "", /^user: Make b 3\n[\s\S]*2\texport const b = 2;/);
    assert.equal([...lastAnswer(chat).toolCalls.values()][0]?.status, "success");
  });

  it("applies each block to the file that it names", async () => {
    await folder.write("src/b.ts", "export const c = 1;\nexport const d = 2;\n");
    const calls = ["src/a.ts", "src/b.ts"].map((file) => ({
      name: "edit_mode",
      args: { file_path: file, use_line_numbers: true },
    }));
    const blocks =
      "```ts:2:2 src/b.ts\nexport const d = 3;\n```\n\n```ts:1:1 src/a.ts\nexport const a = 0;\n```\n";
    const chat = await open([
      { toolCalls: calls },
      { text: blocks, chunkSize: 3 },
      { text: "Done." },
    ]);
    assert.equal(await chat.send("Change both"), "done");
    assert.equal(await onDisk(), "export const a = 0;\nexport const b = 2;\n");
    assert.equal(
      await readFile(path.join(folder.root, "src/b.ts"), "utf8"),
      "export const c = 1;\nexport const d = 3;\n",
    );
    assert.deepEqual(
      [...lastAnswer(chat).edits.values()].map(({ path: file, status }) => [file, status]),
      [
        ["src/b.ts", "applied"],
        ["src/a.ts", "applied"],
      ],
    );
  });

  it("applies nothing of a block that was streaming when the turn was stopped, and reports it in the next request", async () => {
    const call = { name: "edit_mode", args: { file_path: "src/a.ts", use_line_numbers: true } };
    const chat = await open([
      { toolCalls: [call] },
      { text: edit, chunkSize: 4, stallAfter: 8 },
      { text: "I see." },
    ]);
    const turn = chat.send("Make b 3");
    await new Promise<void>((resolve) =>
      chat.onEvent(({ type }) => type === "edit-update" && resolve()),
    );
    chat.stop();
    assert.equal(await turn, "cancelled");
    const request = await server.request(1);
    await request.closed;
    assert.equal(request.closedEarly, true);
    assert.equal(await onDisk(), "export const a = 1;\nexport const b = 2;\n");
    assert.deepEqual(pluck([...lastAnswer(chat).edits.values()], "status"), ["stopped"]);
    assert.equal(await chat.send("And?"), "done");
    assert.match(
      sent(2).at(-1) ?? "",
      /^user: There was a problem applying the changes\.[\s\S]*And\?/,
    );
  });

  it("continues a block that was cut off at the output limit, also without tools", async () => {
    const half = edit.slice(0, edit.indexOf("= 3"));
    const chat = await open([{ text: half, finish: "length" }, { text: edit }, { text: "Done." }]);
    assert.equal(await chat.startEditMode("src/a.ts", "Make b 3"), "done");
    assert.equal(await onDisk(), "export const a = 1;\nexport const b = 3;\n");
    assert.match(sent(1).at(-1) ?? "", /Edit mode for 'src\/a\.ts' is still on/);
  });

  it("ends with an error, without a request, when the file cannot be edited", async () => {
    const chat = await open([]);
    for (const file of ["../outside.ts", "data.bin", "src"]) {
      assert.equal(await chat.startEditMode(file, "Change it"), "error");
      assert.equal(lastAnswer(chat).error?.code, "edit-mode-refused");
    }
    assert.equal(server.requests.length, 0);
  });

  it("ends a turn without an API key with an error, and retries it as a sibling", async () => {
    const chat = await open([{ text: "Hello." }]);
    refusal = modelError({ code: "no-key" }, { baseUrl: "api.example.com", model: "m" });
    assert.equal(await chat.send("Hi"), "error");
    const failed = lastAnswer(chat);
    assert.deepEqual(failed.error, refusal);
    refusal = null;
    assert.equal(await chat.retry(failed.id), "done");
    assert.match(sent(0)[1] ?? "", /^user: Hi/);
    assert.deepEqual(chat.tree.children.get(failed.parentTurnId), [failed.id, lastAnswer(chat).id]);
  });

  it("retries Start Edit Mode on File with the file as it is now", async () => {
    const chat = await open([{ status: 401 }, { text: edit }, { text: "Done." }]);
    assert.equal(await chat.startEditMode("src/a.ts", "Make b 3"), "error");
    assert.equal(await chat.retry(lastAnswer(chat).id), "done");
    assert.equal(await onDisk(), "export const a = 1;\nexport const b = 3;\n");
  });

  it("starts no second turn while one runs, and shows a notice", async () => {
    const chat = await open([{ text: "One moment.", stallAfter: 2 }]);
    const first = chat.send("Hi");
    await server.request(0);
    assert.equal(await chat.startEditMode("src/a.ts", "Make b 3"), "error");
    assert.equal(await chat.retry(chat.tree.headTurnId ?? ""), "error");
    assert.equal(chat.tree.turns.size, 2);
    assert.match(JSON.stringify(lastAnswer(chat).parts), /"code":"turn-running"/);
    chat.stop();
    assert.equal(await first, "cancelled");
  });

  it("sends no empty message and retries no unknown turn", async () => {
    const chat = await open([]);
    assert.equal(await chat.send("  "), "error");
    assert.equal(await chat.retry("turn-unknown"), "error");
    assert.equal(chat.tree.turns.size, 0);
  });

  it("can be stopped while it connects to the model", async () => {
    const chat = await open([], { connect: () => new Promise(() => undefined) });
    const turn = chat.send("Hi");
    await new Promise(setImmediate);
    chat.stop();
    assert.equal(await turn, "cancelled");
  });

  it("stops a running turn when it is disposed of, and continues from there after a reload", async () => {
    const chat = await open([{ text: "Once upon a time, long ago", stallAfter: 2 }]);
    const turn = chat.send("Tell me a story");
    await new Promise<void>((resolve) =>
      chat.onEvent(({ type }) => type === "text-delta" && resolve()),
    );
    await chat.dispose();
    assert.equal(await turn, "cancelled");
    assert.equal(await chat.send("More"), "error");
    await server.close();
    log.lines.splice(-1);
    const again = await open([{ text: "The end." }]);
    assert.equal(lastAnswer(again).endReason, "interrupted");
    assert.equal(await again.send("Go on"), "done");
    assert.equal(sent(0)[2], "assistant: Once upon a time");
  });
});
