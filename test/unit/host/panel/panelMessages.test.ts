import assert from "node:assert/strict";
import {
  followableLink,
  type PanelHandlers,
  receivePanelMessage,
} from "../../../../src/host/panel/panelMessages.ts";
import { RecordingLogger } from "../../../fakes/recordingLogger.ts";

const image = (wrong: object) => ({
  ...{ kind: "image", path: null, lines: null, name: "", text: null },
  image: {
    id: `${"a".repeat(64)}.png`,
    width: 1,
    height: 1,
    preview: "data:image/png;base64,AAAA",
    ...wrong,
  },
});

function recording() {
  const calls: unknown[] = [];
  const note = (message: unknown) => {
    calls.push(message);
  };
  const handlers: PanelHandlers = {
    ready: note,
    drawn: note,
    alive: note,
    send: note,
    "show-chat": note,
    unqueue: note,
    "send-queued": note,
    "start-edit-mode": note,
    resend: note,
    "show-branch": note,
    stop: note,
    "send-to-models": note,
    "compare-answers": note,
    "propose-chosen": note,
    "compare-file": note,
    "open-answer": note,
    voice: note,
    "new-chat": note,
    retry: note,
    "set-mode": note,
    plan: note,
    "open-file": note,
    "save-file": note,
    "show-proposal": note,
    "accept-file": note,
    "reject-file": note,
    "accept-block": note,
    "reject-block": note,
    "change-block": note,
    "accept-call": note,
    "reject-call": note,
    "accept-chat": note,
    "reject-chat": note,
    "stop-command": note,
    "restart-command": note,
    check: note,
    "accept-all": note,
    "reject-all": note,
    "restore-files": note,
    "redo-file": note,
    "propose-anyway": note,
    agree: note,
    answer: note,
    approve: note,
    "set-api-key": note,
    "choose-model": note,
    "choose-agent-option": note,
    "choose-effort": note,
    "test-connection": note,
    "enter-api-key": note,
    "try-demo": note,
    "find-models": note,
    "take-offer": note,
    "open-settings": note,
    "manage-trust": note,
    copy: note,
    "open-link": note,
    suggest: note,
    measure: note,
    "attach-uris": note,
    "attach-paths": note,
    "attach-image": note,
    "open-attachment": note,
    "apply-code": note,
    "insert-code": note,
    "open-symbol": note,
  };
  return { calls, handlers, logger: new RecordingLogger() };
}

describe("messages of the panel", () => {
  it("reach their handler", () => {
    const { calls, handlers, logger } = recording();
    receivePanelMessage(
      { type: "send", chatId: "chat-1", id: "message-1", text: "Hi" },
      handlers,
      logger,
    );
    receivePanelMessage({ type: "open-file", path: "a.ts", line: null }, handlers, logger);
    receivePanelMessage({ type: "open-attachment", ref: image({}) }, handlers, logger);
    assert.deepEqual(calls, [
      { type: "send", chatId: "chat-1", id: "message-1", text: "Hi" },
      { type: "open-file", path: "a.ts", line: null },
      { type: "open-attachment", ref: image({}) },
    ]);
  });

  for (const [what, message] of Object.entries({
    nothing: undefined,
    "a text": "send",
    "an unknown type": { type: "eval", code: "1" },
    "an inherited name": { type: "toString" },
    "a missing field": { type: "send", chatId: "chat-1", id: "message-1" },
    "a wrong field": { type: "approve", callId: "c", allowed: "yes" },
    "a text without end": {
      type: "send",
      chatId: "chat-1",
      id: "message-1",
      text: "x".repeat(1_000_001),
    },
    "a path as a chat": { type: "send", chatId: "chat-1/../../a", id: "message-1", text: "Hi" },
    "an image elsewhere": {
      type: "open-attachment",
      ref: image({ id: "../../chats/chat-1.jsonl" }),
    },
    "an image whose preview is loaded": {
      type: "open-attachment",
      ref: image({ preview: "https://example.com/a.png" }),
    },
    "an image whose preview is a script": {
      type: "open-attachment",
      ref: image({ preview: "data:image/svg+xml;base64,AAAA" }),
    },
    "an image without size": { type: "open-attachment", ref: image({ width: 0 }) },
  })) {
    it(`are dropped if they are ${what}`, () => {
      const { calls, handlers, logger } = recording();
      receivePanelMessage(message, handlers, logger);
      assert.deepEqual(calls, []);
      assert.equal(logger.warnings.length, 1);
    });
  }

  it("are logged without their content when handling fails", async () => {
    const { handlers, logger } = recording();
    const failing = { ...handlers, send: () => Promise.reject(new Error("no disk")) };
    receivePanelMessage(
      { type: "send", chatId: "chat-1", id: "message-1", text: "secret plan" },
      failing,
      logger,
    );
    await new Promise((resolve) => setImmediate(resolve));
    assert.match(logger.errors[0] ?? "", /send.*no disk/);
    assert.ok(!logger.errors[0]?.includes("secret plan"));
  });
});

describe("links in answers", () => {
  it("are followed to web pages", () => {
    assert.equal(followableLink("https://example.com/a?b=c#d"), "https://example.com/a?b=c#d");
    assert.equal(followableLink("http://localhost:3000/"), "http://localhost:3000/");
  });

  for (const link of [
    "javascript:alert(1)",
    "command:workbench.action.closeWindow",
    "file:///etc/passwd",
    "vscode://settings",
    "data:text/html,x",
    "//example.com",
    "src/app.ts",
    "https://example.com@evil.example/",
    "",
  ]) {
    it(`are not followed to "${link}"`, () => assert.equal(followableLink(link), null));
  }
});
