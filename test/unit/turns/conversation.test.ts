import assert from "node:assert/strict";
import * as fc from "fast-check";
import type { Message } from "../../../src/model/message.ts";
import { branch } from "../../../src/turns/branch.ts";
import { conversation } from "../../../src/turns/conversation.ts";
import type { TurnEventBody } from "../../../src/turns/turnEvent.ts";
import { applyTurnEvent, emptyTree } from "../../../src/turns/turnReducer.ts";
import { arbitraryTurnEvents } from "./arbitraryTurnEvents.ts";

function messagesOf(
  user: { text: string; editFile?: string; activeFile?: string },
  bodies: readonly TurnEventBody[],
  tools = true,
  closing: string | null = null,
): Message[] {
  const tree = emptyTree();
  const { text, editFile = null, activeFile = null } = user;
  const all: { turnId: string; body: TurnEventBody }[] = [
    { turnId: "u", body: { type: "turn-start", role: "user", parentTurnId: null, text, model: null, editFile, activeFile } },
    {
      turnId: "a",
      body: { type: "turn-start", role: "agent", parentTurnId: "u", text: null, model: "m", editFile: null, activeFile: null },
    },
    ...bodies.map((body) => ({ turnId: "a", body })),
  ];
  for (const [index, { turnId, body }] of all.entries()) applyTurnEvent(tree, { ...body, seq: index + 1, turnId, at: 0 });
  return conversation(branch(tree, tree.headTurnId), tools, closing);
}

const call = (callId: string, argsText = "{}", input: unknown = {}): TurnEventBody => ({
  type: "tool-call",
  callId,
  name: "read_file",
  argsText,
  input,
});
const result = (callId: string, output: string): TurnEventBody => {
  return { type: "tool-result", callId, status: "success", output, error: null, durationMs: 1 };
};

/** What strict providers insist on. */
function assertValid(messages: readonly Message[]): void {
  const open: string[] = [];
  let previous: Message["role"] | null = null;
  for (const message of messages) {
    if (message.role === "tool") {
      assert.equal(message.callId, open.shift());
    } else {
      assert.deepEqual(open, [], "a call without its result directly behind");
      if (message.role === "user") assert.notEqual(previous, "user");
    }
    if (message.role === "assistant") {
      assert.ok(message.text.trim() !== "" || message.toolCalls.length > 0);
      for (const { callId, argsText } of message.toolCalls) {
        assert.equal(typeof JSON.parse(argsText), "object");
        open.push(callId);
      }
    }
    previous = message.role;
  }
  assert.deepEqual(open, []);
}

describe("conversation", () => {
  it("tells, after the answer, which files the user has restored since", () => {
    const messages = messagesOf({ text: "Fix it" }, [
      { type: "step-start", step: 0 },
      { type: "text-delta", text: "Done." },
      { type: "edit-report", text: "File 'a.ts' has been updated." },
      { type: "turn-end", reason: "done", error: null },
      {
        type: "files-restored",
        request: "Fix it",
        files: [
          { path: "a.ts", deleted: false },
          { path: "b.ts", deleted: true },
        ],
      },
    ]);
    assert.deepEqual(messages.slice(0, 2), [
      { role: "user", text: "Fix it" },
      { role: "assistant", text: "Done.", toolCalls: [] },
    ]);
    const said = messages[2]?.text ?? "";
    assert.match(said, /^File 'a\.ts' has been updated\.\n\nSince then the user has restored these files .* before the request "Fix it"/);
    assert.match(said, /\n- a\.ts\n- b\.ts \(deleted: it had not been there before\)$/);
    assert.equal(messages.length, 3);
  });

  it("gives each answer with its calls, then the results in call order, then the reports", () => {
    const messages = messagesOf({ text: "Fix it", activeFile: "src/a.ts" }, [
      { type: "step-start", step: 0 },
      { type: "text-delta", text: "Looking." },
      call("c1"),
      call("c2"),
      result("c2", "two"),
      { type: "edit-report", text: "File 'a' has been updated." },
      result("c1", "one"),
      { type: "step-start", step: 1 },
      { type: "reasoning-delta", text: "hm" },
      { type: "text-delta", text: "Done." },
    ]);
    const toolCall = (callId: string) => ({ callId, name: "read_file", argsText: "{}" });
    assert.deepEqual(messages, [
      { role: "user", text: "Fix it\n\n(The file open in the editor: src/a.ts)" },
      { role: "assistant", text: "Looking.", toolCalls: [toolCall("c1"), toolCall("c2")] },
      { role: "tool", callId: "c1", text: "one" },
      { role: "tool", callId: "c2", text: "two" },
      { role: "user", text: "File 'a' has been updated." },
      { role: "assistant", text: "Done.", toolCalls: [] },
    ]);
  });

  it("answers a call that never got a result and leaves out one that was cut off while it streamed", () => {
    const messages = messagesOf({ text: "Go" }, [
      call("c1"),
      { type: "tool-call-start", callId: "c2", name: "read_file" },
      { type: "tool-call-delta", callId: "c2", argsText: '{"file' },
      { type: "turn-end", reason: "interrupted", error: null },
    ]);
    assert.deepEqual(
      messages.map(({ role }) => role),
      ["user", "assistant", "tool"],
    );
    assert.match(messages[2]?.text ?? "", /Cancelled/);
    assertValid(messages);
  });

  it("never sends arguments back that are not a JSON object", () => {
    const [, assistant] = messagesOf({ text: "Go" }, [call("c1", '{"broken', '{"broken'), result("c1", "no")]);
    assert.ok(assistant?.role === "assistant");
    assert.equal(assistant.toolCalls[0]?.argsText, '{"invalid_arguments":"{\\"broken"}');
  });

  it("sends arguments that were encoded twice back as an object", () => {
    const [, assistant] = messagesOf({ text: "Go" }, [call("c1", '"{\\"a\\":1}"', { a: 1 }), result("c1", "yes")]);
    assert.ok(assistant?.role === "assistant");
    assert.equal(assistant.toolCalls[0]?.argsText, '{"a":1}');
  });

  it("tells calls and results as text in a request without tools", () => {
    const messages = messagesOf(
      { text: "Go" },
      [{ type: "text-delta", text: "Looking." }, call("c1"), result("c1", "one")],
      false,
      "Sum up.",
    );
    assert.deepEqual(messages, [
      { role: "user", text: "Go" },
      { role: "assistant", text: "Looking.", toolCalls: [] },
      { role: "user", text: "Result of read_file {}:\none\n\nSum up." },
    ]);
  });

  it("gives the file of Start Edit Mode on File as part of the user's message", () => {
    const messages = messagesOf({ text: "Rename x", editFile: "a.ts" }, [
      call("c1", '{"file_path":"a.ts"}', { file_path: "a.ts" }),
      result("c1", "1\tconst x = 1"),
      { type: "step-start", step: 0 },
      { type: "text-delta", text: "Here it is." },
      { type: "edit-report", text: "Applied." },
    ]);
    assert.deepEqual(messages, [
      { role: "user", text: 'Rename x\n\nResult of read_file {"file_path":"a.ts"}:\n1\tconst x = 1' },
      { role: "assistant", text: "Here it is.", toolCalls: [] },
      { role: "user", text: "Applied." },
    ]);
  });

  it("is valid for strict providers whatever happened in the turns", () => {
    fc.assert(
      fc.property(arbitraryTurnEvents, fc.boolean(), (events, tools) => {
        const tree = emptyTree();
        for (const event of events) applyTurnEvent(tree, event);
        for (const id of tree.turns.keys()) assertValid(conversation(branch(tree, id), tools));
      }),
    );
  });
});
